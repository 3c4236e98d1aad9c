// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

/// What is offered for a slot: ranges in order that do not overlap, with gaps where nothing is offered. Neighbours
/// that touch differ, so that two of these are equal exactly if they offer the same for every size.
record ScoreRanges<F>(List<ScoreRange<F>> list) {

    static <F> ScoreRanges<F> empty() {
        return new ScoreRanges<>(List.of());
    }

    /// @param scoreRanges in any order, without overlap
    static <F> ScoreRanges<F> of(Collection<ScoreRange<F>> scoreRanges) {
        return cut(bounds(scoreRanges), bytes -> find(scoreRanges, bytes));
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    /// What is offered for a size.
    FallbackList<F> at(long bytes) {
        return find(list, bytes);
    }

    ScoreRanges<F> merge(ScoreRanges<F> other) {
        SortedSet<Long> bounds = bounds(list);
        bounds.addAll(bounds(other.list));
        return cut(bounds, bytes -> at(bytes).merge(other.at(bytes)));
    }

    /// Changes what is offered for some sizes, gaps included.
    ScoreRanges<F> change(ByteRange sizes, UnaryOperator<FallbackList<F>> change) {
        SortedSet<Long> bounds = bounds(list);
        bounds.add(sizes.from());
        bounds.add(sizes.to());
        return cut(bounds, bytes -> sizes.contains(bytes) ? change.apply(at(bytes)) : at(bytes));
    }

    private static <F> FallbackList<F> find(Collection<ScoreRange<F>> scoreRanges, long bytes) {
        for (ScoreRange<F> scoreRange : scoreRanges) {
            if (scoreRange.bytes().contains(bytes)) {
                return scoreRange.fallbacks();
            }
        }
        return FallbackList.empty();
    }

    private static <F> SortedSet<Long> bounds(Collection<ScoreRange<F>> scoreRanges) {
        SortedSet<Long> bounds = new TreeSet<>();
        for (ScoreRange<F> scoreRange : scoreRanges) {
            bounds.add(scoreRange.bytes().from());
            bounds.add(scoreRange.bytes().to());
        }
        return bounds;
    }

    /// Asks once for each stretch between bounds, drops stretches without offers and glues equal neighbours.
    private static <F> ScoreRanges<F> cut(SortedSet<Long> bounds, LongFunction<FallbackList<F>> offered) {
        List<ScoreRange<F>> cut = new ArrayList<>();
        long from = -1;
        for (long to : bounds) {
            if (from >= 0) {
                append(cut, new ByteRange(from, to), offered.apply(from));
            }
            from = to;
        }
        return new ScoreRanges<>(List.copyOf(cut));
    }

    private static <F> void append(List<ScoreRange<F>> cut, ByteRange bytes, FallbackList<F> fallbacks) {
        if (fallbacks.isEmpty()) {
            return;
        }
        ByteRange glued = bytes;
        if (!cut.isEmpty()) {
            ScoreRange<F> last = cut.getLast();
            if (last.bytes().to() == bytes.from() && last.fallbacks().equals(fallbacks)) {
                cut.removeLast();
                glued = new ByteRange(last.bytes().from(), bytes.to());
            }
        }
        cut.add(new ScoreRange<>(glued, fallbacks));
    }
}

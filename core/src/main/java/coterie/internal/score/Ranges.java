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
record Ranges<F>(List<Range<F>> list) {

    static <F> Ranges<F> empty() {
        return new Ranges<>(List.of());
    }

    /// @param ranges in any order, without overlap
    static <F> Ranges<F> of(Collection<Range<F>> ranges) {
        return cut(bounds(ranges), bytes -> find(ranges, bytes));
    }

    boolean isEmpty() {
        return list.isEmpty();
    }

    /// What is offered for a size.
    Ladder<F> at(long bytes) {
        return find(list, bytes);
    }

    Ranges<F> merge(Ranges<F> other) {
        SortedSet<Long> bounds = bounds(list);
        bounds.addAll(bounds(other.list));
        return cut(bounds, bytes -> at(bytes).merge(other.at(bytes)));
    }

    /// Changes what is offered for some sizes, gaps included.
    Ranges<F> change(ByteRange sizes, UnaryOperator<Ladder<F>> change) {
        SortedSet<Long> bounds = bounds(list);
        bounds.add(sizes.from());
        bounds.add(sizes.to());
        return cut(bounds, bytes -> sizes.contains(bytes) ? change.apply(at(bytes)) : at(bytes));
    }

    private static <F> Ladder<F> find(Collection<Range<F>> ranges, long bytes) {
        for (Range<F> range : ranges) {
            if (range.bytes().contains(bytes)) {
                return range.ladder();
            }
        }
        return Ladder.empty();
    }

    private static <F> SortedSet<Long> bounds(Collection<Range<F>> ranges) {
        SortedSet<Long> bounds = new TreeSet<>();
        for (Range<F> range : ranges) {
            bounds.add(range.bytes().from());
            bounds.add(range.bytes().to());
        }
        return bounds;
    }

    /// Asks once for each stretch between bounds, drops stretches without offers and glues equal neighbours.
    private static <F> Ranges<F> cut(SortedSet<Long> bounds, LongFunction<Ladder<F>> offered) {
        List<Range<F>> cut = new ArrayList<>();
        long from = -1;
        for (long to : bounds) {
            if (from >= 0) {
                append(cut, new ByteRange(from, to), offered.apply(from));
            }
            from = to;
        }
        return new Ranges<>(List.copyOf(cut));
    }

    private static <F> void append(List<Range<F>> cut, ByteRange bytes, Ladder<F> ladder) {
        if (ladder.isEmpty()) {
            return;
        }
        ByteRange glued = bytes;
        if (!cut.isEmpty()) {
            Range<F> last = cut.getLast();
            if (last.bytes().to() == bytes.from() && last.ladder().equals(ladder)) {
                cut.removeLast();
                glued = new ByteRange(last.bytes().from(), bytes.to());
            }
        }
        cut.add(new Range<>(glued, ladder));
    }
}

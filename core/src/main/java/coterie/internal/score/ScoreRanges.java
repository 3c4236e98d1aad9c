// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;

/// What is offered for a slot, by size: each start up to the next one has the same offers, which may be none.
/// Neighbours differ, so that two of these are equal exactly if they offer the same for every size.
///
/// @param starts the first is 0
record ScoreRanges<F>(NavigableMap<Long, FallbackList<F>> starts) {

    static <F> ScoreRanges<F> empty() {
        return new ScoreRanges<>(new TreeMap<>(Map.of(0L, FallbackList.empty())));
    }

    /// @param scoreRanges in any order, without overlap
    static <F> ScoreRanges<F> of(Collection<ScoreRange<F>> scoreRanges) {
        ScoreRanges<F> all = empty();
        for (ScoreRange<F> scoreRange : scoreRanges) {
            all = all.change(scoreRange.bytes(), _ -> scoreRange.fallbacks());
        }
        return all;
    }

    /// The ranges for which something is offered, in order.
    List<ScoreRange<F>> list() {
        List<ScoreRange<F>> list = new ArrayList<>();
        starts.forEach((from, fallbacks) -> {
            if (!fallbacks.isEmpty()) {
                Long to = starts.higherKey(from);
                list.add(new ScoreRange<>(new ByteRange(from, to == null ? ByteRange.INFINITE : to), fallbacks));
            }
        });
        return list;
    }

    boolean isEmpty() {
        return equals(empty());
    }

    /// What is offered for a size.
    FallbackList<F> at(long bytes) {
        return Objects.requireNonNull(starts.floorEntry(bytes)).getValue();
    }

    ScoreRanges<F> merge(ScoreRanges<F> other) {
        return cut(other.starts.keySet(), bytes -> at(bytes).merge(other.at(bytes)));
    }

    /// Changes what is offered for some sizes, gaps included.
    ScoreRanges<F> change(ByteRange sizes, UnaryOperator<FallbackList<F>> change) {
        return cut(
                Set.of(sizes.from(), sizes.to()), bytes -> sizes.contains(bytes) ? change.apply(at(bytes)) : at(bytes));
    }

    /// The same offers by other factories.
    <G> ScoreRanges<G> map(Function<? super F, ? extends G> factory) {
        return cut(Set.of(), bytes -> at(bytes).map(factory));
    }

    /// Asks once for each stretch between the starts and `more` bounds, and glues equal neighbours.
    private <G> ScoreRanges<G> cut(Set<Long> more, LongFunction<FallbackList<G>> offered) {
        SortedSet<Long> bounds = new TreeSet<>(starts.keySet());
        bounds.addAll(more);
        NavigableMap<Long, FallbackList<G>> cut = new TreeMap<>();
        for (long from : bounds) {
            FallbackList<G> fallbacks = offered.apply(from);
            if (cut.isEmpty() || !cut.lastEntry().getValue().equals(fallbacks)) {
                cut.put(from, fallbacks);
            }
        }
        return new ScoreRanges<>(cut);
    }
}

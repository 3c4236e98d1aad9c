// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Which algorithms serve which collectives on which memory for which sizes, at which score. Answers to
/// `ucc_coll_score_t`.
///
/// Two tables are equal exactly if they offer the same, in the same order, for every size.
///
/// @param <F> what candidates are made with
public final class ScoreTable<F> {
    private final Map<CollectiveKey, ScoreRanges<F>> keys;

    private ScoreTable(Map<CollectiveKey, ScoreRanges<F>> keys) {
        this.keys = Map.copyOf(keys);
    }

    /// Offers nothing.
    public static <F> ScoreTable<F> empty() {
        return new ScoreTable<>(Map.of());
    }

    public static <F> Builder<F> builder() {
        return new Builder<>();
    }

    /// The offers of both tables. For each size the higher score wins, at equal scores the component whose name is
    /// first in the alphabet; the others are fallbacks, the best first. Tables of different components give the
    /// same in any order; at equal scores, algorithms of one component stand in the order of the tables. A
    /// candidate that both have stands once, at its better place.
    public ScoreTable<F> merge(ScoreTable<F> other) {
        Map<CollectiveKey, ScoreRanges<F>> merged = new HashMap<>();
        for (CollectiveKey key : CollectiveKey.all()) {
            merged.put(key, scoreRanges(key).merge(other.scoreRanges(key)));
        }
        return of(merged);
    }

    /// Lets a person's word stand above a component's. Only offers of the component that the string is for change,
    /// so that it makes no difference whether tables are merged before or after.
    ///
    /// A score becomes that of the component's choice, and the most that its fallbacks may have; at 0 they all go.
    /// An algorithm goes in front of the component's choice, which becomes its first fallback; where the component
    /// had none, it is offered at the component's default score.
    ///
    /// @param teamSize members, at least 1
    /// @return the new table, and what is to be said of the string
    public TuneResult<F> update(Tune<F> tune, int teamSize) {
        return new TuneApplier<>(tune, ScoreMap.checkTeamSize(teamSize)).update(this);
    }

    /// The same offers by other factories.
    public <G> ScoreTable<G> map(Function<? super F, ? extends G> factory) {
        Map<CollectiveKey, ScoreRanges<G>> mapped = new HashMap<>();
        keys.forEach((key, scoreRanges) -> mapped.put(key, scoreRanges.map(factory)));
        return of(mapped);
    }

    /// The same table but for one range of one slot.
    ScoreTable<F> change(CollectiveKey key, ByteRange sizes, UnaryOperator<FallbackList<F>> change) {
        Map<CollectiveKey, ScoreRanges<F>> changed = new HashMap<>(keys);
        changed.put(key, scoreRanges(key).change(sizes, change));
        return of(changed);
    }

    ScoreRanges<F> scoreRanges(CollectiveKey key) {
        ScoreRanges<F> scoreRanges = keys.get(key);
        return scoreRanges == null ? ScoreRanges.empty() : scoreRanges;
    }

    /// Returns what serves a collective for whichever sizes; each stands once.
    public List<SelectableAlgorithm<F>> algorithms(CollectiveType collective, MemoryType memory) {
        return scoreRanges(new CollectiveKey(collective, memory)).list().stream()
                .flatMap(scoreRange -> scoreRange.fallbacks().scoredAlgorithms().stream())
                .map(ScoredAlgorithm::algorithm)
                .distinct()
                .toList();
    }

    /// One line for each range, such as "allreduce in host memory [4k, inf) mapped/flat 100, p2p/sra 10".
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (CollectiveKey key : CollectiveKey.all()) {
            for (ScoreRange<F> scoreRange : scoreRanges(key).list()) {
                lines.add(key + " " + scoreRange);
            }
        }
        return lines;
    }

    private static <F> ScoreTable<F> of(Map<CollectiveKey, ScoreRanges<F>> keys) {
        keys.values().removeIf(ScoreRanges::isEmpty);
        return new ScoreTable<>(keys);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ScoreTable<?> table && table.keys.equals(keys);
    }

    @Override
    public int hashCode() {
        return keys.hashCode();
    }

    @Override
    public String toString() {
        return String.join("\n", lines());
    }

    /// Collects what a component offers.
    public static final class Builder<F> {
        private final Map<CollectiveKey, List<ScoreRange<F>>> keys = new HashMap<>();

        private Builder() {}

        /// Offers candidates for sizes in `[from, to)`, in bytes, in any order of ranges.
        ///
        /// @param to         [Long#MAX_VALUE] for no limit
        /// @param score      of all candidates, in `[0,` [Score#INFINITE]`]`; at 0, nothing is offered
        /// @param algorithms the best first, at least one
        /// @throws IllegalArgumentException if the range is empty, overlaps one that was added, or there is no
        ///     candidate
        public Builder<F> add(
                CollectiveType collective,
                MemoryType memory,
                long from,
                long to,
                int score,
                List<SelectableAlgorithm<F>> algorithms) {
            CollectiveKey key = new CollectiveKey(collective, memory);
            ByteRange bytes = new ByteRange(from, to);
            List<ScoreRange<F>> scoreRanges = keys.computeIfAbsent(key, absent -> new ArrayList<>());
            for (ScoreRange<F> each : scoreRanges) {
                if (each.bytes().overlaps(bytes)) {
                    throw new IllegalArgumentException(
                            "scores for " + key + ": " + bytes + " overlaps " + each + ", which has been added before");
                }
            }
            if (algorithms.isEmpty()) {
                throw new IllegalArgumentException("scores for " + key + ": " + bytes + " has no candidate");
            }
            if (Score.check(score) != Score.NONE) {
                List<ScoredAlgorithm<F>> scored = algorithms.stream()
                        .map(each -> new ScoredAlgorithm<>(each, score))
                        .toList();
                scoreRanges.add(new ScoreRange<>(bytes, FallbackList.of(scored)));
            }
            return this;
        }

        public ScoreTable<F> build() {
            Map<CollectiveKey, ScoreRanges<F>> built = new HashMap<>();
            keys.forEach((key, scoreRanges) -> built.put(key, ScoreRanges.of(scoreRanges)));
            return of(built);
        }
    }
}

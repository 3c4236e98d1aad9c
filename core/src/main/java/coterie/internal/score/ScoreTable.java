// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Who offers to serve which collectives on which memory for which sizes, at which score. Answers to
/// `ucc_coll_score_t`.
///
/// Two tables are equal exactly if they offer the same, in the same order, for every size.
///
/// @param <F> what candidates are made with
public final class ScoreTable<F> {
    private final Map<Slot, Ranges<F>> slots;

    private ScoreTable(Map<Slot, Ranges<F>> slots) {
        this.slots = Map.copyOf(slots);
    }

    /// Offers nothing.
    public static <F> ScoreTable<F> empty() {
        return new ScoreTable<>(Map.of());
    }

    /// Offers one candidate for all sizes.
    ///
    /// @param score in `[0,` [Score#INFINITE]`]`; at 0, nothing is offered
    public static <F> ScoreTable<F> uniform(
            Set<CollectiveType> collectives, Set<MemoryType> memories, int score, Candidate<F> candidate) {
        Builder<F> builder = builder();
        for (CollectiveType collective : collectives) {
            for (MemoryType memory : memories) {
                builder.add(collective, memory, 0, ByteRange.INFINITE, score, List.of(candidate));
            }
        }
        return builder.build();
    }

    public static <F> Builder<F> builder() {
        return new Builder<>();
    }

    /// The offers of both tables. For each size the higher score wins, at equal scores the component whose name is
    /// first in the alphabet; the others are fallbacks, the best first. Tables of different components give the
    /// same in any order; at equal scores, algorithms of one component stand in the order of the tables. A
    /// candidate that both have stands once, at its better place.
    public ScoreTable<F> merge(ScoreTable<F> other) {
        Map<Slot, Ranges<F>> merged = new HashMap<>();
        for (Slot slot : Slot.all()) {
            merged.put(slot, ranges(slot).merge(other.ranges(slot)));
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
    public Updated<F> update(Tune<F> tune, int teamSize) {
        return new Updating<>(tune, Selection.checkTeamSize(teamSize)).update(this);
    }

    /// The offers for these collectives alone.
    public ScoreTable<F> only(Set<CollectiveType> collectives) {
        Map<Slot, Ranges<F>> left = new HashMap<>(slots);
        left.keySet().removeIf(slot -> !collectives.contains(slot.collective()));
        return of(left);
    }

    /// The same offers by other factories.
    public <G> ScoreTable<G> map(Function<? super F, ? extends G> factory) {
        Map<Slot, Ranges<G>> mapped = new HashMap<>();
        slots.forEach((slot, ranges) -> mapped.put(
                slot,
                Ranges.of(ranges.list().stream()
                        .map(range -> new Range<G>(range.bytes(), range.ladder().map(factory)))
                        .toList())));
        return of(mapped);
    }

    /// The same table but for one range of one slot.
    ScoreTable<F> change(Slot slot, ByteRange sizes, UnaryOperator<Ladder<F>> change) {
        Map<Slot, Ranges<F>> changed = new HashMap<>(slots);
        changed.put(slot, ranges(slot).change(sizes, change));
        return of(changed);
    }

    Ranges<F> ranges(Slot slot) {
        Ranges<F> ranges = slots.get(slot);
        return ranges == null ? Ranges.empty() : ranges;
    }

    /// Who offers to serve a collective for whichever sizes; each stands once.
    public List<Candidate<F>> candidates(CollectiveType collective, MemoryType memory) {
        return ranges(new Slot(collective, memory)).list().stream()
                .flatMap(range -> range.ladder().offers().stream())
                .map(Offer::candidate)
                .distinct()
                .toList();
    }

    /// One line for each range, such as "allreduce in host memory [4k, inf) mapped/flat 100, p2p/sra 10".
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Slot slot : Slot.all()) {
            for (Range<F> range : ranges(slot).list()) {
                lines.add(slot + " " + range);
            }
        }
        return lines;
    }

    private static <F> ScoreTable<F> of(Map<Slot, Ranges<F>> slots) {
        slots.values().removeIf(Ranges::isEmpty);
        return new ScoreTable<>(slots);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ScoreTable<?> table && table.slots.equals(slots);
    }

    @Override
    public int hashCode() {
        return slots.hashCode();
    }

    @Override
    public String toString() {
        return String.join("\n", lines());
    }

    /// Collects what a component offers.
    public static final class Builder<F> {
        private final Map<Slot, List<Range<F>>> slots = new HashMap<>();

        private Builder() {}

        /// Offers candidates for sizes in `[from, to)`, in bytes, in any order of ranges.
        ///
        /// @param to         [Long#MAX_VALUE] for no limit
        /// @param score      of all candidates, in `[0,` [Score#INFINITE]`]`; at 0, nothing is offered
        /// @param candidates the best first, at least one
        /// @throws IllegalArgumentException if the range is empty, overlaps one that was added, or there is no
        ///     candidate
        public Builder<F> add(
                CollectiveType collective,
                MemoryType memory,
                long from,
                long to,
                int score,
                List<Candidate<F>> candidates) {
            Slot slot = new Slot(collective, memory);
            ByteRange bytes = new ByteRange(from, to);
            List<Range<F>> ranges = slots.computeIfAbsent(slot, absent -> new ArrayList<>());
            for (Range<F> each : ranges) {
                if (each.bytes().overlaps(bytes)) {
                    throw new IllegalArgumentException(
                            "scores for " + slot + ": " + bytes + " overlaps " + each + ", which is there already");
                }
            }
            if (candidates.isEmpty()) {
                throw new IllegalArgumentException("scores for " + slot + ": " + bytes + " is without a candidate");
            }
            if (Score.check(score) != Score.NONE) {
                ranges.add(new Range<>(bytes, ladder(candidates, score)));
            }
            return this;
        }

        private static <F> Ladder<F> ladder(Collection<Candidate<F>> candidates, int score) {
            return Ladder.of(
                    candidates.stream().map(each -> new Offer<>(each, score)).toList());
        }

        public ScoreTable<F> build() {
            Map<Slot, Ranges<F>> built = new HashMap<>();
            slots.forEach((slot, ranges) -> built.put(slot, Ranges.of(ranges)));
            return of(built);
        }
    }
}

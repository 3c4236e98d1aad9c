// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A table compiled for a team: who serves a collective of a size is a binary search away. All members must have
/// the same, which they see by comparing digests.
public final class Selection<F> {
    private final ScoreTable<F> table;
    private final int teamSize;

    /// As [Slot#index] counts.
    private final List<Steps<F>> slots;

    private Selection(ScoreTable<F> table, int teamSize) {
        this.table = table;
        this.teamSize = teamSize;
        this.slots =
                Slot.all().stream().map(slot -> Steps.of(table.ranges(slot))).toList();
    }

    /// Compiles a table.
    ///
    /// @param table    of all components, with what people want of them
    /// @param teamSize members, at least 1
    public static <F> Selection<F> of(ScoreTable<F> table, int teamSize) {
        return new Selection<>(table, checkTeamSize(teamSize));
    }

    static int checkTeamSize(int teamSize) {
        if (teamSize < 1) {
            throw new IllegalArgumentException("selection: a team of " + teamSize + " members is outside [1, 2^31)");
        }
        return teamSize;
    }

    /// Who serves a collective, or null if nobody does. Allocates nothing.
    ///
    /// @param bytes the collective's size as [CollectiveType] says, at least 0
    public @Nullable Choice<F> find(CollectiveType collective, MemoryType memory, long bytes) {
        if (bytes < 0) {
            throw negative(collective, bytes);
        }
        return slots.get(Slot.index(collective, memory)).at(bytes);
    }

    /// Who serves a collective and why.
    ///
    /// @param bytes the collective's size as [CollectiveType] says, at least 0
    public Explanation explain(CollectiveType collective, MemoryType memory, long bytes) {
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(memory, "memory");
        if (bytes < 0) {
            throw negative(collective, bytes);
        }
        for (Range<F> range : table.ranges(new Slot(collective, memory)).list()) {
            if (range.bytes().contains(bytes)) {
                return new Explanation(
                        collective,
                        memory,
                        bytes,
                        teamSize,
                        range.bytes().from(),
                        range.bytes().to(),
                        range.ladder().offers().stream().map(Selection::rung).toList());
            }
        }
        return new Explanation(collective, memory, bytes, teamSize, bytes, bytes, List.of());
    }

    /// Who serves what, and why: an explanation for the first size of each range.
    public List<Explanation> explainAll() {
        return Slot.all().stream()
                .flatMap(slot -> table.ranges(slot).list().stream()
                        .map(range -> explain(
                                slot.collective(), slot.memory(), range.bytes().from())))
                .toList();
    }

    private static Explanation.Rung rung(Offer<?> offer) {
        return new Explanation.Rung(
                offer.candidate().component(), offer.candidate().algorithm(), offer.score());
    }

    private static IllegalArgumentException negative(CollectiveType collective, long bytes) {
        return new IllegalArgumentException(
                "selection of " + collective.word() + ": " + bytes + " bytes are outside [0, 2^63)");
    }

    /// 64 bits over all that members must have in common: ranges, scores, components and algorithms, fallbacks
    /// included. Equal tables have equal digests, in every JVM; different tables have different ones, but for one
    /// pair in 2^64.
    public long digest() {
        Digest digest = new Digest();
        for (Slot slot : Slot.all()) {
            for (Range<F> range : table.ranges(slot).list()) {
                digest.add(slot.collective().word());
                digest.add(slot.memory().word());
                digest.add(range.bytes().from());
                digest.add(range.bytes().to());
                List<Offer<F>> offers = range.ladder().offers();
                digest.add(offers.size());
                for (Offer<F> offer : offers) {
                    digest.add(offer.candidate().component());
                    digest.add(offer.candidate().algorithm());
                    digest.add(offer.score());
                }
            }
        }
        return digest.value();
    }

    public ScoreTable<F> table() {
        return table;
    }

    public int teamSize() {
        return teamSize;
    }
}

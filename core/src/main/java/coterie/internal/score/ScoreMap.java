// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A table compiled for a team: what serves a collective of a size is a binary search away. All members must have
/// the same, which they see by comparing digests.
public final class ScoreMap<F> {
    private final ScoreTable<F> table;
    private final int teamSize;

    /// As [CollectiveKey#index] counts.
    private final List<SizeIndex<F>> slots;

    private ScoreMap(ScoreTable<F> table, int teamSize) {
        this.table = table;
        this.teamSize = teamSize;
        this.slots = CollectiveKey.all().stream()
                .map(key -> SizeIndex.of(table.scoreRanges(key)))
                .toList();
    }

    /// Compiles a table.
    ///
    /// @param table    of all components, with what people want of them
    /// @param teamSize members, at least 1
    public static <F> ScoreMap<F> of(ScoreTable<F> table, int teamSize) {
        return new ScoreMap<>(table, checkTeamSize(teamSize));
    }

    static int checkTeamSize(int teamSize) {
        if (teamSize < 1) {
            throw new IllegalArgumentException("selection: team size " + teamSize + " is outside [1, 2^31)");
        }
        return teamSize;
    }

    /// Finds what serves a collective, or null if nothing does. Allocates nothing.
    ///
    /// @param bytes the collective's size as [CollectiveType] says, at least 0
    public @Nullable SelectedAlgorithm<F> find(CollectiveType collective, MemoryType memory, long bytes) {
        if (bytes < 0) {
            throw negative(collective, bytes);
        }
        return slots.get(CollectiveKey.index(collective, memory)).at(bytes);
    }

    /// Explains what serves a collective, and why.
    ///
    /// @param bytes the collective's size as [CollectiveType] says, at least 0
    public Explanation explain(CollectiveType collective, MemoryType memory, long bytes) {
        Objects.requireNonNull(collective, "collective");
        Objects.requireNonNull(memory, "memory");
        if (bytes < 0) {
            throw negative(collective, bytes);
        }
        for (ScoreRange<F> scoreRange :
                table.scoreRanges(new CollectiveKey(collective, memory)).list()) {
            if (scoreRange.bytes().contains(bytes)) {
                return new Explanation(
                        collective,
                        memory,
                        bytes,
                        teamSize,
                        scoreRange.bytes().from(),
                        scoreRange.bytes().to(),
                        scoreRange.fallbacks().scoredAlgorithms().stream()
                                .map(ScoreMap::candidate)
                                .toList());
            }
        }
        return new Explanation(collective, memory, bytes, teamSize, bytes, bytes, List.of());
    }

    /// Explains what serves each collective, and why: an explanation for the first size of each range.
    public List<Explanation> explainAll() {
        return CollectiveKey.all().stream()
                .flatMap(key -> table.scoreRanges(key).list().stream()
                        .map(scoreRange -> explain(
                                key.collective(),
                                key.memory(),
                                scoreRange.bytes().from())))
                .toList();
    }

    private static Explanation.Candidate candidate(ScoredAlgorithm<?> scoredAlgorithm) {
        return new Explanation.Candidate(
                scoredAlgorithm.algorithm().component(),
                scoredAlgorithm.algorithm().algorithm(),
                scoredAlgorithm.score());
    }

    private static IllegalArgumentException negative(CollectiveType collective, long bytes) {
        return new IllegalArgumentException(
                "selection of " + collective.label() + ": " + bytes + " bytes are outside [0, 2^63)");
    }

    /// 64 bits over all that members must have in common: ranges, scores, components and algorithms, fallbacks
    /// included. Equal tables have equal digests, in every JVM; different tables have different ones, but for one
    /// pair in 2^64.
    public long digest() {
        Digest digest = new Digest();
        for (CollectiveKey key : CollectiveKey.all()) {
            for (ScoreRange<F> scoreRange : table.scoreRanges(key).list()) {
                digest.add(key.collective().label());
                digest.add(key.memory().label());
                digest.add(scoreRange.bytes().from());
                digest.add(scoreRange.bytes().to());
                List<ScoredAlgorithm<F>> scoredAlgorithms =
                        scoreRange.fallbacks().scoredAlgorithms();
                digest.add(scoredAlgorithms.size());
                for (ScoredAlgorithm<F> scoredAlgorithm : scoredAlgorithms) {
                    digest.add(scoredAlgorithm.algorithm().component());
                    digest.add(scoredAlgorithm.algorithm().algorithm());
                    digest.add(scoredAlgorithm.score());
                }
            }
        }
        return digest.value();
    }

    public ScoreTable<F> table() {
        return table;
    }
}

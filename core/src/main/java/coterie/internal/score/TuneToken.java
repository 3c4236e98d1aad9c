// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A token of a tuning string that can be used: a cross product of collectives, memories, sizes and teams, and what
/// is wanted there.
///
/// @param text        as it was written
/// @param collectives all of them if the token names none
/// @param memories    all of them if the token names none
/// @param sizes       do not overlap
/// @param score       or [#UNSAID]
/// @param algorithms  what the token's algorithm is for each collective; empty if it names none
record TuneToken<F>(
        Word text,
        Set<CollectiveType> collectives,
        Set<MemoryName> memories,
        List<ByteRange> sizes,
        TeamSizes teams,
        int score,
        Map<CollectiveType, Candidate<F>> algorithms) {
    static final int UNSAID = -1;

    boolean wantsNothing() {
        return score == UNSAID && algorithms.isEmpty();
    }

    /// Whether both speak of the same size of the same collective on the same memory and team.
    boolean overlaps(TuneToken<?> other) {
        return collectives.stream().anyMatch(other.collectives::contains)
                && memories.stream().anyMatch(other.memories::contains)
                && ByteRange.overlap(sizes, other.sizes)
                && teams.overlap(other.teams);
    }

    /// What a component's offers for a collective become.
    Ladder<F> apply(CollectiveType collective, Ladder<F> offers, int defaultScore) {
        Candidate<F> algorithm = algorithms.get(collective);
        Ladder<F> led = algorithm == null ? offers : offers.lead(algorithm, defaultScore);
        return score == UNSAID ? led : led.rescore(score);
    }
}

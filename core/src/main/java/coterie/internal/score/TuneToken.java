// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// A token of a tuning string that can be used: a cross product of collectives, memories, sizes and teams, and
/// what is wanted there.
///
/// @param text        as it was written
/// @param collectives all of them if the token names none
/// @param memories    all of them if the token names none
/// @param sizes       do not overlap
/// @param score       or [#UNSAID]
/// @param algorithms  what the token's algorithm is for each collective; empty if it names none
record TuneToken<F>(
        SourceToken text,
        Set<CollectiveType> collectives,
        Set<MemoryTypeName> memories,
        List<ByteRange> sizes,
        TeamSizes teams,
        int score,
        Map<CollectiveType, SelectableAlgorithm<F>> algorithms) {
    static final int UNSAID = -1;

    boolean wantsNothing() {
        return score == UNSAID && algorithms.isEmpty();
    }

    /// Whether both want something for the same size of the same collective on the same memory and team.
    ///
    /// @param having the collectives that the component has: what is said of others does no harm
    boolean overlaps(TuneToken<?> other, Set<CollectiveType> having) {
        return !wantsNothing()
                && !other.wantsNothing()
                && having.stream().anyMatch(each -> collectives.contains(each) && other.collectives.contains(each))
                && memoryTypes().stream().anyMatch(other.memoryTypes()::contains)
                && ByteRange.overlap(sizes, other.sizes)
                && teams.overlap(other.teams);
    }

    /// Those of its memories that there are here.
    Set<MemoryType> memoryTypes() {
        return memories.stream().flatMap(name -> name.type().stream()).collect(Collectors.toSet());
    }

    /// Whether it brings an algorithm to places where the component may have none.
    boolean adds() {
        return !algorithms.isEmpty() && score != Score.NONE;
    }

    /// Its sizes for a collective: those that its algorithm can serve, if it brings one.
    List<ByteRange> sizes(CollectiveType collective, AlgorithmTable<F> table) {
        SelectableAlgorithm<F> algorithm = algorithms.get(collective);
        return algorithm == null || !adds() ? sizes : ByteRange.below(table.end(collective, algorithm), sizes);
    }

    /// What a component's offers for a collective become.
    FallbackList<F> apply(CollectiveType collective, FallbackList<F> offers, int defaultScore) {
        SelectableAlgorithm<F> algorithm = algorithms.get(collective);
        FallbackList<F> led = algorithm == null ? offers : offers.prepend(algorithm, defaultScore);
        return score == UNSAID ? led : led.rescore(score);
    }
}

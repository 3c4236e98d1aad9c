// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/// What is offered for one size of a collective, the best first: the first is chosen, the others are its
/// fallbacks.
///
/// The higher score stands above, at equal scores the component whose name is first in the alphabet. Algorithms of
/// one component at equal scores stay as the component or its tuning string has put them. Each candidate is there
/// once, at its best place. Since only scores and names decide, it does not matter in which order ladders of
/// different components are merged.
///
/// @param scoredAlgorithms empty: no layer offers anything
record FallbackList<F>(List<ScoredAlgorithm<F>> scoredAlgorithms) {

    static <F> FallbackList<F> of(List<ScoredAlgorithm<F>> scoredAlgorithms) {
        List<ScoredAlgorithm<F>> sorted = new ArrayList<>(scoredAlgorithms);
        sorted.sort(Comparator.<ScoredAlgorithm<F>>comparingInt(ScoredAlgorithm::score)
                .reversed()
                .thenComparing(scoredAlgorithm -> scoredAlgorithm.algorithm().component()));
        Set<SelectableAlgorithm<F>> seen = new HashSet<>();
        sorted.removeIf(scoredAlgorithm -> !seen.add(scoredAlgorithm.algorithm()));
        return new FallbackList<>(List.copyOf(sorted));
    }

    static <F> FallbackList<F> empty() {
        return new FallbackList<>(List.of());
    }

    <G> FallbackList<G> map(Function<? super F, ? extends G> factory) {
        return new FallbackList<>(scoredAlgorithms.stream()
                .map(scoredAlgorithm ->
                        new ScoredAlgorithm<G>(scoredAlgorithm.algorithm().map(factory), scoredAlgorithm.score()))
                .toList());
    }

    boolean isEmpty() {
        return scoredAlgorithms.isEmpty();
    }

    boolean has(String component) {
        return scoredAlgorithms.stream().anyMatch(isOf(component));
    }

    /// The offers of both.
    FallbackList<F> merge(FallbackList<F> other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        List<ScoredAlgorithm<F>> both = new ArrayList<>(scoredAlgorithms);
        both.addAll(other.scoredAlgorithms);
        return of(both);
    }

    /// The same ladder but for the offers of one component.
    FallbackList<F> change(String component, UnaryOperator<FallbackList<F>> change) {
        Predicate<ScoredAlgorithm<F>> its = isOf(component);
        FallbackList<F> changed = change.apply(
                new FallbackList<>(scoredAlgorithms.stream().filter(its).toList()));
        return new FallbackList<F>(
                        scoredAlgorithms.stream().filter(its.negate()).toList())
                .merge(changed);
    }

    /// The offers of one component with its first at a score. Those behind it come down with it, since none is to
    /// be wanted more than what it stands in for.
    FallbackList<F> rescore(int score) {
        if (isEmpty() || score == Score.NONE) {
            return empty();
        }
        List<ScoredAlgorithm<F>> rescored = new ArrayList<>();
        for (ScoredAlgorithm<F> scoredAlgorithm : scoredAlgorithms) {
            rescored.add(scoredAlgorithm.at(rescored.isEmpty() ? score : Math.min(score, scoredAlgorithm.score())));
        }
        return new FallbackList<>(List.copyOf(rescored));
    }

    /// The offers of one component, with one of them in front, at the same score.
    FallbackList<F> prepend(SelectableAlgorithm<F> algorithm, int scoreIfEmpty) {
        List<ScoredAlgorithm<F>> led = new ArrayList<>();
        led.add(new ScoredAlgorithm<>(
                algorithm,
                isEmpty() ? scoreIfEmpty : scoredAlgorithms.getFirst().score()));
        scoredAlgorithms.stream()
                .filter(scoredAlgorithm -> !scoredAlgorithm.algorithm().equals(algorithm))
                .forEach(led::add);
        return new FallbackList<>(List.copyOf(led));
    }

    private static <F> Predicate<ScoredAlgorithm<F>> isOf(String component) {
        return scoredAlgorithm -> scoredAlgorithm.algorithm().component().equals(component);
    }

    /// For people: "p2p/ring 100, p2p/knomial 10".
    @Override
    public String toString() {
        return scoredAlgorithms.stream().map(ScoredAlgorithm::toString).collect(Collectors.joining(", "));
    }
}

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

/// What is offered for one size of a collective, the best first: the first is chosen, the others are its fallbacks.
///
/// The higher score stands above, at equal scores the component whose name is first in the alphabet. Algorithms of
/// one component at equal scores stay as the component or its tuning string has put them. Each candidate is there
/// once, at its best place. Since only scores and names decide, it does not matter in which order ladders of
/// different components are merged.
///
/// @param offers empty: nobody offers anything
record Ladder<F>(List<Offer<F>> offers) {

    static <F> Ladder<F> of(List<Offer<F>> offers) {
        List<Offer<F>> sorted = new ArrayList<>(offers);
        sorted.sort(Comparator.<Offer<F>>comparingInt(Offer::score)
                .reversed()
                .thenComparing(offer -> offer.candidate().component()));
        Set<Candidate<F>> seen = new HashSet<>();
        sorted.removeIf(offer -> !seen.add(offer.candidate()));
        return new Ladder<>(List.copyOf(sorted));
    }

    static <F> Ladder<F> empty() {
        return new Ladder<>(List.of());
    }

    <G> Ladder<G> map(Function<? super F, ? extends G> factory) {
        return new Ladder<>(offers.stream()
                .map(offer -> new Offer<G>(offer.candidate().map(factory), offer.score()))
                .toList());
    }

    boolean isEmpty() {
        return offers.isEmpty();
    }

    boolean has(String component) {
        return offers.stream().anyMatch(isOf(component));
    }

    /// The offers of both.
    Ladder<F> merge(Ladder<F> other) {
        if (isEmpty() || other.isEmpty()) {
            return isEmpty() ? other : this;
        }
        List<Offer<F>> both = new ArrayList<>(offers);
        both.addAll(other.offers);
        return of(both);
    }

    /// The same ladder but for the offers of one component.
    Ladder<F> change(String component, UnaryOperator<Ladder<F>> change) {
        Predicate<Offer<F>> its = isOf(component);
        Ladder<F> changed =
                change.apply(new Ladder<>(offers.stream().filter(its).toList()));
        return new Ladder<F>(offers.stream().filter(its.negate()).toList()).merge(changed);
    }

    /// The offers of one component with its first at a score. Those behind it come down with it, since none is to
    /// be wanted more than what it stands in for.
    Ladder<F> rescore(int score) {
        if (isEmpty() || score == Score.NONE) {
            return empty();
        }
        List<Offer<F>> rescored = new ArrayList<>();
        for (Offer<F> offer : offers) {
            rescored.add(offer.at(rescored.isEmpty() ? score : Math.min(score, offer.score())));
        }
        return new Ladder<>(List.copyOf(rescored));
    }

    /// The offers of one component, with one of them in front, at the same score.
    Ladder<F> lead(Candidate<F> candidate, int scoreIfEmpty) {
        List<Offer<F>> led = new ArrayList<>();
        led.add(new Offer<>(
                candidate, isEmpty() ? scoreIfEmpty : offers.getFirst().score()));
        offers.stream().filter(offer -> !offer.candidate().equals(candidate)).forEach(led::add);
        return new Ladder<>(List.copyOf(led));
    }

    private static <F> Predicate<Offer<F>> isOf(String component) {
        return offer -> offer.candidate().component().equals(component);
    }

    /// For people: "p2p/ring 100, p2p/knomial 10".
    @Override
    public String toString() {
        return offers.stream().map(Offer::toString).collect(Collectors.joining(", "));
    }
}

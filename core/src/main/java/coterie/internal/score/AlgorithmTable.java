// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;

/// The algorithms of a component, by name and by number: what a tuning string for it can ask for, and what `info`
/// lists. Each collective that it has any for is one that it has.
public final class AlgorithmTable<F> {
    /// Names that UCC has for algorithms which have others here, so that its tuning strings can be used. The page on
    /// teams has the same table. UCC's numbers are other ones than ours.
    private static final Map<String, String> UCC_NAMES = Map.of("sra_knomial", "sra", "sag_knomial", "sag");

    private final String component;
    private final int defaultScore;
    private final Map<CollectiveType, List<SelectableAlgorithm<F>>> algorithms;

    /// For each name such as "allreduce/inline", the first size that it can't serve; those without can serve all.
    private final Map<String, Long> ends;

    private AlgorithmTable(Builder<F> builder) {
        component = builder.component;
        defaultScore = builder.defaultScore;
        Map<CollectiveType, List<SelectableAlgorithm<F>>> copy = new EnumMap<>(CollectiveType.class);
        builder.algorithms.forEach((collective, its) -> copy.put(collective, List.copyOf(its)));
        algorithms = Collections.unmodifiableMap(copy);
        ends = Map.copyOf(builder.ends);
    }

    /// Begins with no algorithms.
    ///
    /// @param component    its name, spelt as [SelectableAlgorithm] wants it
    /// @param defaultScore of what a tuning string adds without a score, in `[1,` [Score#HIGHEST]`]`
    public static <F> Builder<F> builder(String component, int defaultScore) {
        return new Builder<>(component, defaultScore);
    }

    public String component() {
        return component;
    }

    public int defaultScore() {
        return defaultScore;
    }

    /// The collectives that it has algorithms for, in the order of their types.
    public Set<CollectiveType> collectives() {
        return algorithms.keySet();
    }

    /// Its algorithms for a collective in the order of their numbers, from 0; none if it does not have it.
    public List<SelectableAlgorithm<F>> algorithms(CollectiveType collective) {
        return algorithms.getOrDefault(collective, List.of());
    }

    /// The algorithm with this name.
    ///
    /// @throws IllegalArgumentException if the component has none of that name for the collective
    public SelectableAlgorithm<F> algorithm(CollectiveType collective, String name) {
        return find(collective, SourceToken.whole(name))
                .orElseThrow(() -> new IllegalArgumentException(component + ": " + collective.label()
                        + " has no algorithm \"" + name + "\"; it has " + names(collective)));
    }

    /// The algorithm with this name or number, or with this name in UCC.
    Optional<SelectableAlgorithm<F>> find(CollectiveType collective, SourceToken nameOrNumber) {
        List<SelectableAlgorithm<F>> its = algorithms(collective);
        int number = nameOrNumber.number(Integer.MAX_VALUE);
        if (number >= 0) {
            return number < its.size() ? Optional.of(its.get(number)) : Optional.empty();
        }
        String ours = UCC_NAMES.get(nameOrNumber.text().toLowerCase(Locale.ROOT));
        return its.stream()
                .filter(each -> nameOrNumber.is(each.algorithm()))
                .findFirst()
                .or(() -> its.stream()
                        .filter(each -> each.algorithm().equals(ours))
                        .findFirst());
    }

    /// The first size of a collective that an algorithm can't serve, whatever score it is given; 0 if it serves
    /// none.
    public long end(CollectiveType collective, SelectableAlgorithm<F> algorithm) {
        return ends.getOrDefault(key(collective, algorithm.algorithm()), ByteRange.INFINITE);
    }

    private static String key(CollectiveType collective, String algorithm) {
        return collective.label() + "/" + algorithm;
    }

    /// For people: "0 knomial, 1 ring", or "nothing".
    public String names(CollectiveType collective) {
        StringJoiner names = new StringJoiner(", ").setEmptyValue("nothing");
        List<SelectableAlgorithm<F>> its = algorithms(collective);
        for (int number = 0; number < its.size(); number++) {
            names.add(number + " " + its.get(number).algorithm());
        }
        return names.toString();
    }

    /// Collects algorithms.
    public static final class Builder<F> {
        private final String component;
        private final int defaultScore;
        private final Map<CollectiveType, List<SelectableAlgorithm<F>>> algorithms =
                new EnumMap<>(CollectiveType.class);
        private final Map<String, Long> ends = new HashMap<>();

        private Builder(String component, int defaultScore) {
            this.component = SelectableAlgorithm.checkComponent(component);
            if (defaultScore < 1 || defaultScore > Score.HIGHEST) {
                throw new IllegalArgumentException(
                        component + ": default score " + defaultScore + " is outside [1, " + Score.HIGHEST + "]");
            }
            this.defaultScore = defaultScore;
        }

        /// Adds an algorithm for a collective; it gets the next number there.
        ///
        /// @throws IllegalArgumentException if the collective has one of that name
        public Builder<F> add(CollectiveType collective, String algorithm, F factory) {
            List<SelectableAlgorithm<F>> its = algorithms.computeIfAbsent(collective, absent -> new ArrayList<>());
            SelectableAlgorithm<F> selectableAlgorithm = new SelectableAlgorithm<>(component, algorithm, factory);
            if (its.contains(selectableAlgorithm)) {
                throw new IllegalArgumentException(
                        component + ": " + collective.label() + " has an algorithm \"" + algorithm + "\" already");
            }
            its.add(selectableAlgorithm);
            return this;
        }

        /// The same for an algorithm that can't serve all sizes.
        ///
        /// @param end the first size that it can't, in bytes; 0 if it serves none
        public Builder<F> add(CollectiveType collective, String algorithm, long end, F factory) {
            ends.put(key(collective, algorithm), end);
            return add(collective, algorithm, factory);
        }

        /// What has been added.
        ///
        /// @throws IllegalArgumentException if that is nothing
        public AlgorithmTable<F> build() {
            if (algorithms.isEmpty()) {
                throw new IllegalArgumentException(component + ": it has no algorithm; a component needs at least one");
            }
            return new AlgorithmTable<>(this);
        }
    }
}

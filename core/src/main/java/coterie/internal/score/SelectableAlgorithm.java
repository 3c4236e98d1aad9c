// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An algorithm of a component, which may be chosen. Two are equal if their names are, whatever makes them.
///
/// @param component its name: a letter, then letters, digits and `_`, all in lower case
/// @param algorithm its name, unique among the component's for a collective: letters, digits and `_`, all in lower
///     case, with a letter among them, since a number is another thing
/// @param factory   makes the collective; only the caller knows how
/// @param <F>       the type of factory
public record SelectableAlgorithm<F>(String component, String algorithm, F factory) {
    private static final Pattern COMPONENT = Pattern.compile("[a-z][a-z0-9_]*");
    private static final Pattern ALGORITHM = Pattern.compile("[0-9_]*[a-z][a-z0-9_]*");

    /// @throws IllegalArgumentException if a name is spelt differently
    public SelectableAlgorithm {
        checkComponent(component);
        check("algorithm", algorithm, ALGORITHM, "letters, digits and _, a letter among them, all in lower case");
    }

    static boolean isComponent(String name) {
        return COMPONENT.matcher(name).matches();
    }

    /// Refuses what a tuning string could not spell.
    static String checkComponent(String name) {
        return check("component", name, COMPONENT, "a letter, then letters, digits and _, all in lower case");
    }

    private static String check(String what, String name, Pattern pattern, String spelling) {
        if (!pattern.matcher(name).matches()) {
            throw new IllegalArgumentException(what + " \"" + name + "\" is not a name: " + spelling);
        }
        return name;
    }

    /// The same algorithm by another factory.
    <G> SelectableAlgorithm<G> map(Function<? super F, ? extends G> other) {
        return new SelectableAlgorithm<>(component, algorithm, other.apply(factory));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SelectableAlgorithm<?> selectableAlgorithm
                && selectableAlgorithm.component.equals(component)
                && selectableAlgorithm.algorithm.equals(algorithm);
    }

    @Override
    public int hashCode() {
        return 31 * component.hashCode() + algorithm.hashCode();
    }

    /// For people: "p2p/ring".
    @Override
    public String toString() {
        return component + "/" + algorithm;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/// What a layer supports on any team.
/// @counterpart `ucc_lib_attr_t`, `ucc_base_lib_attr_t`, `ucc_tl_lib_attr_t`, `ucc_base_coll_alg_info_t`
/// @param algorithms for each collective that the layer has, the names of its algorithms. Tuning strings and
///     programs select by name or by position in the list. A name is lower case: letters, digits and `_`, at least
///     one letter
/// @param threadLevel the highest level at which the layer works: a world of a higher level goes on without it
/// @param minMembers of the smallest team that the layer serves, at least 1
/// @param maxMembers of the largest team that the layer serves
/// @param descriptions a line for each algorithm by its name, for `coterie info`; algorithms may be missing
public record Attributes(
        Map<CollectiveType, List<String>> algorithms,
        ThreadLevel threadLevel,
        int minMembers,
        int maxMembers,
        Map<String, String> descriptions) {

    /// @throws IllegalArgumentException if there is no collective, a collective without algorithm, no team size,
    ///     or a description of no algorithm
    public Attributes {
        Objects.requireNonNull(algorithms, "Attributes: algorithms is null");
        Objects.requireNonNull(threadLevel, "Attributes: threadLevel is null");
        Objects.requireNonNull(descriptions, "Attributes: descriptions is null");
        Map<CollectiveType, List<String>> copy = new EnumMap<>(CollectiveType.class);
        algorithms.forEach((type, names) -> copy.put(type, List.copyOf(names)));
        if (copy.isEmpty()) {
            throw new IllegalArgumentException("attributes: the layer has no collectives; name at least one");
        }
        if (copy.containsValue(List.of())) {
            throw new IllegalArgumentException(
                    "attributes: a collective has no algorithm; name at least one for each of " + copy.keySet());
        }
        if (minMembers < 1 || maxMembers < minMembers) {
            throw new IllegalArgumentException("attributes: team sizes from " + minMembers + " to " + maxMembers
                    + " are an empty or negative range; both must be in [1, 2^31), the smaller one first");
        }
        algorithms = Map.copyOf(copy);
        descriptions = Map.copyOf(descriptions);
        for (String name : descriptions.keySet()) {
            if (copy.values().stream().noneMatch(names -> names.contains(name))) {
                throw new IllegalArgumentException("attributes: the description of \"" + name
                        + "\" is of no algorithm; the names are " + new TreeSet<>(names(copy)));
            }
        }
    }

    private static List<String> names(Map<CollectiveType, List<String>> algorithms) {
        return algorithms.values().stream().flatMap(List::stream).toList();
    }

    /// Makes attributes without descriptions.
    public Attributes(
            Map<CollectiveType, List<String>> algorithms, ThreadLevel threadLevel, int minMembers, int maxMembers) {
        this(algorithms, threadLevel, minMembers, maxMembers, Map.of());
    }

    /// Returns these attributes with a description of an algorithm.
    ///
    /// @throws IllegalArgumentException if there is no algorithm of that name
    public Attributes withDescription(String algorithm, String description) {
        Objects.requireNonNull(algorithm, "Attributes.withDescription: algorithm is null");
        Objects.requireNonNull(description, "Attributes.withDescription: description is null");
        Map<String, String> all = new HashMap<>(descriptions);
        all.put(algorithm, description);
        return new Attributes(algorithms, threadLevel, minMembers, maxMembers, all);
    }
}

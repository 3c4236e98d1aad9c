// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// What a layer supports on any team. Answers to `ucc_lib_attr_t` and `ucc_base_coll_alg_info_t`.
///
/// @param algorithms for each collective that the layer has, the names of its algorithms. Tuning strings and
///     programs select by name or by position in the list. A name is lower case: letters, digits and `_`, at least
///     one letter
/// @param threadLevel the highest level at which the layer works: a world of a higher level goes on without it
/// @param minMembers of the smallest team that the layer serves, at least 1
/// @param maxMembers of the largest team that the layer serves
public record Attributes(
        Map<CollectiveType, List<String>> algorithms, ThreadLevel threadLevel, int minMembers, int maxMembers) {

    /// @throws IllegalArgumentException if there is no collective, a collective without algorithm, or no team size
    public Attributes {
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
    }
}

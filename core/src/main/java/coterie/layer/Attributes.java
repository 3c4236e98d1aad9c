// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// What a layer can do at all. Answers to `ucc_lib_attr_t` and `ucc_base_coll_alg_info_t`.
///
/// @param algorithms for each collective that it has, the names of its algorithms, which tuning strings and
///     programs can ask for, by their numbers too; in lower case: letters, digits and `_`, a letter among them
/// @param threadLevel the highest at which it works: a world that was joined at a higher one goes on without it
/// @param leastMembers of the smallest team that it serves, at least 1
/// @param mostMembers of the largest team that it serves
public record Attributes(
        Map<CollectiveType, List<String>> algorithms, ThreadLevel threadLevel, int leastMembers, int mostMembers) {

    /// @throws IllegalArgumentException if there is no algorithm, or no team size
    public Attributes {
        Map<CollectiveType, List<String>> copy = new EnumMap<>(CollectiveType.class);
        algorithms.forEach((type, names) -> copy.put(type, List.copyOf(names)));
        if (copy.isEmpty() || copy.containsValue(List.of())) {
            throw new IllegalArgumentException("attributes: a layer has collectives, and each has an algorithm");
        }
        if (leastMembers < 1 || mostMembers < leastMembers) {
            throw new IllegalArgumentException("attributes: no team has from " + leastMembers + " to " + mostMembers
                    + " members, both in [1, 2^31)");
        }
        algorithms = Map.copyOf(copy);
    }
}

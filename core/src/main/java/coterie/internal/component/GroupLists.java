// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.score.LayerList;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which transport layers serve the groups of collective layers, as users set it: for a collective layer, and for
/// each of its levels. What is not set is inherited: a level has the list of its layer, and a layer the list of
/// the setting `TLS`. Answers to `UCC_CL_<NAME>_TLS` and `UCC_CL_HIER_<LEVEL>_SBGP_TLS`.
///
/// @param lists those that are set, by setting, such as `CL_HIER_TLS` and `CL_HIER_NODE_SBGP_TLS`
public record GroupLists(Map<String, LayerList> lists) {
    /// Nothing is set.
    public static final GroupLists NONE = new GroupLists(Map.of());

    public GroupLists {
        lists = Map.copyOf(lists);
    }

    /// Returns the setting of a collective layer.
    ///
    /// @param level empty for the layer itself
    public static String name(String owner, String level) {
        return ("CL_" + owner + (level.isEmpty() ? "" : "_" + level + "_SBGP") + "_TLS").toUpperCase(Locale.ROOT);
    }

    /// Returns the list for a level, or null if neither that nor the layer's is set.
    @Nullable
    LayerList find(String owner, String level) {
        return lists.get(setting(owner, level));
    }

    /// Returns the setting that is in force for a level.
    String setting(String owner, String level) {
        return Stream.of(name(owner, level), name(owner, ""))
                .filter(lists::containsKey)
                .findFirst()
                .orElse("TLS");
    }

    /// Returns whether one of the lists names a layer.
    boolean names(String layer) {
        return lists.values().stream().anyMatch(list -> list.names(layer));
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.ThreadLevel;
import java.util.List;
import java.util.Objects;

/// A world as a layer sees it that opens in it, with what UCC's layers ask the core's context for: rank, size,
/// processes of each node.
/// @counterpart `ucc_base_lib_params_t`, `ucc_base_context_params_t`, in the manual also `ucc_base_new_params_t`;
///     a program asks for no list of collectives
/// @param pe the number of this PE
/// @param nodes the node of each PE; PEs of one node share its memory
/// @param threadLevel at which the program has joined
public record WorldParameters(int pe, List<Integer> nodes, ThreadLevel threadLevel) {
    public WorldParameters {
        Objects.requireNonNull(nodes, "WorldParameters: nodes is null");
        Objects.requireNonNull(threadLevel, "WorldParameters: threadLevel is null");
        nodes = List.copyOf(nodes);
    }

    /// Returns the number of PEs.
    public int size() {
        return nodes.size();
    }

    /// Returns the node of a PE.
    ///
    /// @param other in `[0, size())`
    public int node(int other) {
        return nodes.get(other);
    }

    /// Returns the number of PEs on the node of this one, at least 1.
    public int pesOfNode() {
        return (int) nodes.stream().filter(nodes.get(pe)::equals).count();
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import java.util.List;

/// A layer that makes collectives of teams from collectives of groups, which transport layers serve.
///
/// Everything that it prepares is a [Composition]. Which transport layers serve the groups is a matter of scores
/// and settings: `COTERIE_CL_<NAME>_TLS` lists those that may, and `COTERIE_CL_<NAME>_<LEVEL>_SBGP_TLS` those
/// that may serve one level. Without the latter a level has the list of the layer, and without that the list of
/// `COTERIE_TLS`. The algorithms of layer `p2p` can serve every group, and a layer that plugs in the groups of
/// declared levels: it opens a team for each of these groups. The level `FULL`, the whole team, exists without
/// being declared.
/// @counterpart `ucc_cl_iface_t`
public non-sealed interface CollectiveLayer extends Layer {

    /// Returns the names of the levels on which the layer has groups, as for UCC's `hier` `NODE` and
    /// `NODE_LEADERS`: a letter, then letters, digits and `_`, all in upper case; not `FULL`. A member is in at
    /// most one group of a level, which [LayerTeam#group] returns. The same on all PEs.
    default List<String> levels() {
        return List.of();
    }
}

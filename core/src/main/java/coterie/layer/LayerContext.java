// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// What a layer shares between all teams of a world of this PE.
/// @counterpart `ucc_base_context_t`, `ucc_tl_context_t`, `ucc_tl_new_context_t`
public interface LayerContext extends AutoCloseable {

    /// Returns the address by which other PEs reach this one, the same at each call; no bytes if the layer needs
    /// none. Each member of a team receives the addresses of all before [#open].
    /// @counterpart `get_context_attr`, `ucc_tl_new_get_context_attr`, `ucc_base_ctx_attr_t` with
    ///     `UCC_CONTEXT_ATTR_FIELD_CTX_ADDR`, `UCC_CONTEXT_ATTR_FIELD_CTX_ADDR_LEN`
    /// @return [0, 65536] bytes; the length may differ between PEs
    default byte[] address() {
        return new byte[0];
    }

    /// Begins to work on a team, without waiting; [LayerTeam#test] completes it.
    ///
    /// The runtime opens the team on all members. If threads use several teams at once, their order may differ
    /// between members.
    /// @counterpart the team constructor, called from `ucc_team_create_post`
    /// @throws RuntimeException if the layer can't serve the team: then it serves the team on no member
    LayerTeam open(TeamParameters team);

    /// Releases everything. The runtime calls it when the world ends, after the layer's teams are closed.
    /// @counterpart the destructor of `ucc_base_context_t`
    @Override
    default void close() {}
}

// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// What a layer shares between all teams of a world of this PE. Answers to `ucc_base_context_t`.
public interface LayerContext extends AutoCloseable {

    /// Returns the address by which other PEs reach this one, the same at each call; no bytes if the layer needs
    /// none. Each member of a team receives the addresses of all before [#open]. Answers to
    /// `UCC_CONTEXT_ATTR_FIELD_CTX_ADDR`.
    ///
    /// @return [0, 65536] bytes; the length may differ between PEs
    default byte[] address() {
        return new byte[0];
    }

    /// Begins to work on a team, without waiting; [LayerTeam#test] completes it. Answers to
    /// `ucc_team_create_post`.
    ///
    /// The runtime opens the team on all members. If threads use several teams at once, their order may differ
    /// between members.
    ///
    /// @throws RuntimeException if the layer can't serve the team: then it serves the team on no member
    LayerTeam open(TeamParameters team);

    /// Releases everything. The runtime calls it when the world ends, after the layer's teams are closed.
    @Override
    default void close() {}
}

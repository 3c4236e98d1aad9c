// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// What a layer has in common for all teams of a world of this PE. Answers to `ucc_base_context_t`.
public interface LayerContext extends AutoCloseable {

    /// By what other PEs reach this one, the same at each call; of no bytes if there is nothing to say. Each
    /// member of a team gets those of all, before the layer's part of the team is opened. Answers to
    /// `UCC_CONTEXT_ATTR_FIELD_CTX_ADDR`.
    ///
    /// @return [0, 65536] bytes, on each PE as many as it needs
    default byte[] address() {
        return new byte[0];
    }

    /// Begins to work on a team, without waiting: what takes time goes on in [LayerTeam#test]. Answers to
    /// `ucc_team_create_post`.
    ///
    /// All members are there. Of several teams at once, which is for programs of many threads, they come in any
    /// order.
    ///
    /// @throws RuntimeException if it can't: then it serves the team on no member
    LayerTeam open(TeamParameters team);

    /// Lets go of all, when its teams are closed and the world ends.
    @Override
    default void close() {}
}

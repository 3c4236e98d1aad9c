// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A team as a layer sees it: its members, and exchanges by which they tell each other what they need in order to
/// communicate by the layer.
/// @counterpart `ucc_base_team_params_t`, the endpoint map
public interface TeamParameters {

    /// Returns the team's name, for messages; two teams may have the same.
    String name();

    /// Returns the identity of the team: the same on all members, and that of no other team or group of the world.
    /// @counterpart `ucc_team_id_t`, which a layer asks for by `UCC_BASE_LIB_FLAG_TEAM_ID_REQUIRED`; partly: a
    ///     text and no number; members can agree on a number by an exchange
    String id();

    /// Returns the number of members, at least 1.
    int size();

    /// Returns the caller's number.
    int me();

    /// Returns the PE of a member.
    ///
    /// @param member in `[0, size())`, as for the methods below
    int pe(int member);

    /// Returns the node of a member; members of one node share its memory.
    /// @counterpart `topo_required` of `ucc_base_ctx_attr_t`; the runtime always knows the nodes
    int node(int member);

    /// Returns the [LayerContext#address] of a member.
    byte[] address(int member);

    /// Begins to send bytes to all members and to receive theirs, without waiting. All members begin exchanges in
    /// the same order, one at a time. A layer that needs a reduction or a broadcast takes it from the bytes of all
    /// members.
    ///
    /// | called | the exchange |
    /// |---|---|
    /// | in [LayerContext#open] and [LayerTeam#test] | belongs to the opening; done before `test` returns true |
    /// | in [LayerTeam#offers] and [LayerTeam#group] | is refused |
    /// | later, such as in [LayerTask#progress] | goes on while threads of this PE wait for anything |
    /// | in [LayerTeam#finish] and later | is refused: members part |
    ///
    /// @counterpart `ucc_oob_coll_t`, `ucc_service_allgather`; a `coterie.layer.Exchange`: up to 64 KiB of each
    ///     member, one at a time, as long as the team lives
    /// @param mine [0, 65536] bytes; the length may differ between members
    /// @throws IllegalStateException if an exchange is under way, or is refused
    Exchange exchange(byte[] mine);
}

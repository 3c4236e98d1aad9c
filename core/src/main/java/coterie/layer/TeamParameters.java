// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A team as a layer sees it: who is in it, and how its members exchange what they need to know before they can
/// talk by themselves. Answers to `ucc_base_team_params_t`.
public interface TeamParameters {

    /// The team's name, for messages.
    String name();

    /// How many members, at least 1.
    int size();

    /// My number.
    int me();

    /// The PE of a member.
    ///
    /// @param member in `[0, size())`, here and below
    int pe(int member);

    /// The node of a member; those of one node share its memory.
    int node(int member);

    /// The [LayerContext#address] of a member.
    byte[] address(int member);

    /// Lets each member have bytes of all, without waiting. All members begin exchanges in the same order, one at
    /// a time, before [LayerTeam#test] has said that they are through. Answers to `ucc_oob_coll_t`.
    ///
    /// @param mine [0, 65536] bytes, on each member as many as it likes
    /// @throws IllegalStateException if one is under way, or the team is open
    Exchange exchange(byte[] mine);
}

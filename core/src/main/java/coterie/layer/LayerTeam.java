// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import java.util.List;
import java.util.Optional;

/// A layer's part of a team. Answers to `ucc_base_team_t`.
public interface LayerTeam extends AutoCloseable {

    /// Goes on with what [LayerContext#open] began, without waiting, and says whether all is there. Called again
    /// and again until then. Answers to `ucc_team_create_test`.
    ///
    /// @throws RuntimeException if it can't go on: then the layer serves the team on no member
    boolean test();

    /// What it offers to this team: the same on all members, else the team is at its end. Asked once, when it is
    /// open. Answers to `get_scores`.
    List<Offer> offers();

    /// Prepares a member's part in a collective, or declines: then all members do, by what all of them know alike,
    /// and the next in the selection serves. People may have tuned the layer to serve sizes that it has not
    /// offered. Called without the others, in no order. Answers to
    /// `ucc_base_coll_init_fn_t`.
    ///
    /// @param algorithm one of those that it has offered
    Optional<LayerWork> prepare(String algorithm, Arguments arguments);

    /// Lets go of all, when no collective is under way: the team or the world ends. Answers to `ucc_team_destroy`.
    @Override
    default void close() {}
}

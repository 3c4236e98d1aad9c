// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import java.util.List;
import java.util.Optional;

/// A layer's part of a team.
/// @counterpart `ucc_base_team_t`, `ucc_tl_team_t`, `ucc_tl_new_team_t`
public interface LayerTeam extends AutoCloseable {

    /// Advances what [LayerContext#open] began, without waiting, and returns whether the team is open. The runtime
    /// calls it until it returns true.
    /// @counterpart `ucc_team_create_test`, `ucc_tl_new_team_create_test`, `team_create_test`
    /// @throws RuntimeException if the layer can't go on: then it serves the team on no member
    boolean test();

    /// Returns what the layer offers to this team; the team fails if members offer differently. The runtime calls
    /// it once, when the team is open.
    /// @counterpart `get_scores`, `ucc_tl_new_team_get_scores` (in the manual's text `ucc_tl_new_get_scores`),
    ///     `ucc_coll_score_build_default` with `UCC_TL_NEW_DEFAULT_SCORE` and `UCC_TL_NEW_SUPPORTED_COLLS`
    List<Offer> offers();

    /// Returns this member's group of a level of a [CollectiveLayer]. The runtime calls it once for each level,
    /// when the team is open and the layer has offered.
    ///
    /// @param level one of [CollectiveLayer#levels]
    /// @return the group's members by their numbers in the team, each once, in an order that is the same on all of
    ///     them; no members if this one is in no group
    default int[] group(String level) {
        return new int[0];
    }

    /// Prepares a member's part in a collective, or declines it. All members decline alike, by what they all know,
    /// and the next candidate of the selection serves. Users may tune the layer to serve sizes that it has not
    /// offered. Members call it in any order, and it must not wait for them.
    /// @counterpart `ucc_base_coll_init_fn_t`, `ucc_tl_new_coll_init`, `collective_init`
    /// @param algorithm one that the layer has offered
    Optional<LayerWork> prepare(String algorithm, Arguments arguments);

    /// Advances the end of the team, without waiting, and returns whether [#close] may release everything. The
    /// runtime calls it when the team or the world ends and no collective is under way, until it returns true, for
    /// at most the time of the setting `LAYER_OPEN_TIMEOUT_S`; other members may have ended the team before or end
    /// it later.
    /// @counterpart `ucc_team_destroy`, `ucc_tl_new_team_destroy`, `team_destroy`, which return `UCC_INPROGRESS`
    default boolean finish() {
        return true;
    }

    /// Releases everything, after [#finish], or if the team has not opened.
    /// @counterpart the end of `ucc_tl_new_team_destroy`
    @Override
    default void close() {}
}

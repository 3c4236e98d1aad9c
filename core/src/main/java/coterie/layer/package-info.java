// SPDX-License-Identifier: Apache-2.0

/// How to write a layer that serves collectives: what it declares, and the objects that it makes for a world and
/// for each team.
///
/// ```
///  Layer            found at run time, by its name
///    │ open           once for each world of a PE, with its configuration
///  LayerLibrary     supported collectives, thread levels and sizes of teams
///    │ open
///  LayerContext     the address of this PE, which all members of a team receive
///    │ open           once for each team; complete when `test` returns true
///  LayerTeam        the collectives that it offers to the team, for which sizes, at which score
///    │ prepare        once for each request, or blocking call
///  LayerTask        post, progress, close
///  Composition      or collectives of groups, which other layers serve
/// ```
///
/// Programs that only use collectives need none of this.
@NullMarked
package coterie.layer;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// How to write a layer that serves collectives: what it declares, and the objects that it makes for a world and
/// for each team.
///
/// ```
///  Layer            found at run time, by its name
///    │ open           once for each world of a PE, with its configuration
///  LayerLibrary     what it can do at all: collectives, threads, sizes of teams
///    │ open
///  LayerContext     what this PE is reached by: an address, which all members of a team get
///    │ open           once for each team; goes on until `test` says so
///  LayerTeam        which collectives it offers there, of which sizes, at which score
///    │ prepare        once for each request, or blocking call
///  LayerTask        post, progress, close
///  Composition      or collectives of groups, which other layers serve
/// ```
///
/// Whoever uses collectives needs none of this.
@NullMarked
package coterie.layer;

import org.jspecify.annotations.NullMarked;

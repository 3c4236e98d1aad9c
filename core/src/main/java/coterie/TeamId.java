// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The id of a team for [World#formTeam]: one PE makes it, and the program sends its number to the members.
///
/// ```java
/// if (world.pe() == root) {
///     TeamId made = world.newTeamId();
///     for (int pe : members) {
///         box.put(0, made.value(), pe);
///     }
/// }
/// TeamId id = new TeamId(box.waitUntil(0, Comparison.NE, 0));
/// Team team = world.formTeam(id, members.length, myIndex);
/// ```
///
/// @counterpart `nvshmemx_team_uniqueid_t`; its number travels
/// @param value never 0 for an id that [World#newTeamId] returned
public record TeamId(long value) {}

// SPDX-License-Identifier: Apache-2.0
package coterie;

/// Which team is to be formed by [World#formTeam]: made by one PE, and handed on by the program to the others, as
/// the number that it is.
///
/// ```java
/// if (world.pe() == root) {
///     TeamId id = world.newTeamId();
///     for (int pe : members) {
///         box.put(0, id.value(), pe);
///     }
/// }
/// TeamId id = new TeamId(box.waitUntil(0, Comparison.NE, 0));
/// Team team = world.formTeam(id, members.length, myIndex);
/// ```
///
/// Answers to `nvshmemx_team_uniqueid_t`.
///
/// @param value never 0 for an id that a PE has given out
public record TeamId(long value) {}

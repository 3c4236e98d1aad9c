// SPDX-License-Identifier: Apache-2.0

/// Which algorithm of which component serves a collective of a size on a team: the pure part, which knows no team.
///
/// ```
///  component:  Repertoire ── its algorithms      ScoreTable ── ranges of sizes, each with a score
///                   │                                 │
///  person:     Tune.parse(text, repertoire) ── update ┤   the string's word stands above the component's
///                                                     │
///  team:       tables of all components ──────── merge ┤   the higher score wins, the loser is a fallback
///                                                     │
///              Selection.of(table, team size) ── find(collective, memory, bytes)
/// ```
///
/// Everything here is immutable, and the same input gives the same result on every member.
@NullMarked
package coterie.internal.score;

import org.jspecify.annotations.NullMarked;

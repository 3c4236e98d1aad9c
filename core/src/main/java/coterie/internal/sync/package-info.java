// SPDX-License-Identifier: Apache-2.0

/// How the members of a team meet: rounds, what a round carries, agreements, notices of failure, and the end of a team.
///
/// ```
///  TeamSync ── CallGate          the way in and out of every collective: one thread at a time, by the TeamLock
///     │     ── SyncRound         all meet: FlatRound, each to each; TreeRound, along a tree
///     │     ── CallArguments     names what differs, where members disagree
///     │     ── LivingAgreement   the living members meet, when others have failed
///     └ TeamLines                where in the members' sync areas all of them have their words
/// ```
@NullMarked
package coterie.internal.sync;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.time.Duration;

/// Teams that the members of a team make while the program does something else: a split that has been posted.
/// Only Coterie implements it.
///
/// ```java
/// TeamRequest<Team> half = team.postSplitByColor(team.member() % 2, 0);
/// compute();
/// half.await().barrier();
/// ```
///
/// **Matching.** A split that is posted is one of the team's requests: members match all of them by the order of their
/// posts, see [coterie.collective.Request]. A team is not to be closed before it is complete.
///
/// **Progress.** As that of requests: while a thread of this PE waits for or tests anything in this world, and by the
/// progress thread.
///
/// **Failures.** What members can see to be wrong, such as arguments that differ, ends the split on all of them, makes
/// no team, and leaves the team's other requests alone. If a PE fails, each member gets either the failure here, or a
/// team: one that works if all its members have got it, and one that has been revoked if not. Nothing has to be closed:
/// a team that no program has asked for ends with the world.
///
/// **Threads.** Any thread, one at a time.
/// @counterpart the handle between `ucc_team_create_post` and `ucc_team_create_test`
/// @param <T> a [Team], or the [Team.Axes] of a 2-D split
public interface TeamRequest<T> {

    /// Goes on as far as possible without waiting, and returns whether the split is complete.
    /// @counterpart `ucc_team_create_test`
    /// @throws RuntimeException as [#await()]
    boolean test();

    /// Waits until the split is complete, and returns what it has made; the same each time.
    ///
    /// @throws IllegalArgumentException on all members, if one has passed arguments out of range
    /// @throws CollectiveMismatchException on all members, if their arguments do not agree, or they have posted
    ///     different requests
    /// @throws PeFailedException if a PE has failed
    /// @throws CoterieException on all members, if one has no memory for a new team
    T await();

    /// Waits like [#await()], but no longer than `timeout`; the split goes on after a timeout.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException if the split is not complete within `timeout`
    T await(Duration timeout);
}

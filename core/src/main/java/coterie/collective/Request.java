// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.WaitTimeoutException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// A collective that goes on while the program does something else: made by [coterie.Team#prepare], posted, and
/// waited for. Answers to `ucc_coll_req_h`.
///
/// ```java
/// try (Request sum = team.prepare(Collective.allreduce(Reduction.SUM).source(mine, 0, n).target(all, 0, n))) {
///     sum.post();
///     compute();
///     sum.await();
/// }
/// ```
///
/// | phase | who has the buffers | answers to |
/// |---|---|---|
/// | prepared: arguments are checked, an algorithm is chosen, memory is taken | the program | `ucc_collective_init` |
/// | posted: [#post], or [#postWhen] a condition holds | the runtime | `ucc_collective_post`,
/// `ucc_collective_triggered_post` |
/// | over: [#test] says so, or [#await] returns | the program | `ucc_collective_test` |
/// | closed: what it has taken is given back | the program | `ucc_collective_finalize` |
///
/// **Matching.** Members match requests of a team by the order in which they post them, in which [#postWhen]
/// counts when it is called. Any number may be under way, and end in any order. Between requests and the team's
/// other collectives there is no order. A member may post while others still work at earlier ones.
///
/// **Progress** is made whenever a thread of this PE tests or waits for anything in this world; between that by
/// nobody, or by a thread for it (setting `coterie.progress.thread`).
///
/// **When something goes wrong**, all members learn of it: a member that waits too long, posts something else than
/// the others or fails ends the requests of the team that are under way, and all later ones. The team's other
/// collectives go on, as far as its members live.
///
/// Threads: any, one at a time for each request; posts of one team in an order that all members have. A program
/// that joined at a lower level than [coterie.ThreadLevel#MULTIPLE] uses one thread at a time for all of them.
public interface Request extends AutoCloseable {

    /// What was asked for.
    Collective collective();

    /// Who serves it, such as "p2p/sra".
    String algorithm();

    /// Begins a run, and returns without waiting.
    ///
    /// @throws IllegalStateException if a run is under way or has failed, or if there has been one and the request
    ///     is not persistent
    void post();

    /// Posts the request now, and starts its run once a condition holds: UCC's triggered post. The order of posts
    /// is that of the calls, whenever the conditions come to hold; later requests may have to wait for this one.
    ///
    /// ```java
    /// request.postWhen(() -> inbox.test(0, Comparison.GE, 1));
    /// next.postWhen(request::isComplete);
    /// ```
    ///
    /// @param condition polled from any thread that makes progress, until it returns true once. It returns at
    ///     once, without waiting, and calls no collective: a collective call in it throws
    /// @throws IllegalStateException as [#post]
    void postWhen(BooleanSupplier condition);

    /// Moves everything on that is posted, as far as it goes without waiting, and says whether this run is over.
    ///
    /// @throws IllegalStateException if it has not been posted
    /// @throws RuntimeException that has ended the run, as [#await]
    boolean test();

    /// Whether the latest run has ended well; moves nothing on. It stays so when the request is closed, and until
    /// a persistent one is posted again. For any thread.
    boolean isComplete();

    /// Waits for the end of the run, and moves everything on that is posted.
    ///
    /// @throws IllegalStateException if it has not been posted, or by its own callback
    /// @throws coterie.CollectiveMismatchException if members have posted different things
    /// @throws PeFailedException if a PE that it depends on has failed
    /// @throws WaitTimeoutException if it has not come to its end in the [Collective#timeout] of some member
    /// @throws CoterieException if a member has ended it for another reason
    void await();

    /// The same for so long at most: the run goes on.
    ///
    /// @param patience positive
    /// @throws WaitTimeoutException if it is not over by then, too
    void await(Duration patience);

    /// Gives back what the request has taken. Does nothing where that is done, or the team is no more.
    ///
    /// @throws IllegalStateException if a run is under way
    @Override
    void close();
}

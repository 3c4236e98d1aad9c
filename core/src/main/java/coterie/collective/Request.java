// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.WaitTimeoutException;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// A collective that runs while the program does something else: [coterie.Team#prepare] makes it, the program
/// posts it and waits for it. Only Coterie implements it.
///
/// ```java
/// try (Request sum = team.prepare(Collective.allReduce(Reduction.SUM).source(mine, 0, n).target(all, 0, n))) {
///     sum.post();
///     compute();
///     sum.await();
/// }
/// ```
///
/// | phase | owner of the buffers | answers to |
/// |---|---|---|
/// | prepared: arguments checked, algorithm selected, memory taken | the program | `ucc_collective_init` |
/// | posted by [#post] or [#postWhen] | the runtime | `ucc_collective_post`, `ucc_collective_triggered_post` |
/// | complete: [#test] returns true, or [#await] returns | the program | `ucc_collective_test` |
/// | closed: its memory is released | the program | `ucc_collective_finalize` |
///
/// A request may be the resource of a `try`, since [#close] waits for no member. If an exception leaves the block
/// while a run is under way, the close throws as well; Java adds its [IllegalStateException] to the first one as a
/// suppressed exception. The blocks of its buffers must not be resources, see [coterie.SymmetricMemory].
///
/// **Matching.** Members match the requests of a team by the order of their posts; a [#postWhen] counts when the
/// program calls it. Any number may be under way, and complete in any order. Requests and the team's other
/// collectives have no order between them. A member may post while others still work at earlier requests.
///
/// **Progress.** Requests make progress while a thread of this PE tests or waits for anything in this world, and
/// at other times only by a progress thread (setting `coterie.progress.thread`).
///
/// **Failures.** If a member waits longer than its timeout, posts a request that does not match, or fails, the
/// team's requests under way fail on all members, and so do all later ones. The team's other collectives go on, as
/// far as its members live.
///
/// **Threads.** Any thread, one at a time for each request; all members post the requests of a team in one order.
/// A program that joined below [coterie.ThreadLevel#MULTIPLE] uses one thread at a time for all requests.
/// @counterpart `ucc_coll_req_h`, `ucc_coll_req_t`
public interface Request extends AutoCloseable {

    /// Returns the collective that it was prepared for.
    Collective collective();

    /// Returns the layer and the algorithm that serve it, such as "p2p/sra".
    String algorithm();

    /// Starts a run, and returns without waiting.
    /// @counterpart `ucc_collective_post`
    /// @throws IllegalStateException if a run is under way or has failed, or if one is complete and the request is
    ///     not persistent
    void post();

    /// Posts the request now, and starts its run when a condition holds: UCC's triggered post. The calls determine
    /// the order of posts, not the conditions; later requests may have to wait for this one.
    ///
    /// ```java
    /// request.postWhen(() -> inbox.test(0, Comparison.GE, 1));
    /// next.postWhen(request::isComplete);
    /// ```
    ///
    /// @counterpart `ucc_collective_triggered_post` with a `ucc_ev_t`; the runtime polls the condition, or the
    ///     layer that takes it over
    /// @param condition polled by any thread that makes progress, until it returns true once. It must not wait; a
    ///     collective that waits throws in it
    /// @throws IllegalStateException as [#post]
    void postWhen(BooleanSupplier condition);

    /// Advances all posted requests as far as possible without waiting, and returns whether this run is complete.
    /// @counterpart `ucc_collective_test`; makes progress on all requests
    /// @throws IllegalStateException if the request has not been posted
    /// @throws RuntimeException that has ended the run, as [#await]
    boolean test();

    /// Returns whether the latest run is complete without a failure; advances nothing. Stays true after a close,
    /// and until the next post of a persistent request. Any thread may call it.
    boolean isComplete();

    /// Waits until the run is complete, and advances all posted requests meanwhile.
    /// @counterpart a loop of `ucc_collective_test`
    /// @throws IllegalStateException if the request has not been posted, or its own callback calls this
    /// @throws coterie.CollectiveMismatchException if members have posted different collectives
    /// @throws PeFailedException if a PE that the run depends on has failed
    /// @throws WaitTimeoutException if the run has exceeded the [Collective#timeout] of a member
    /// @throws CoterieException if a member has ended the run for another reason
    void await();

    /// Waits like [#await()], but no longer than `timeout`; the run goes on after a timeout.
    ///
    /// @param timeout positive
    /// @throws WaitTimeoutException also if the run is not complete within `timeout`
    void await(Duration timeout);

    /// Releases the memory of the request, without waiting. A second close does nothing, nor does one after the
    /// end of the team.
    /// @counterpart `ucc_collective_finalize`
    /// @throws IllegalStateException if a run is under way; the request stays open
    @Override
    void close();
}

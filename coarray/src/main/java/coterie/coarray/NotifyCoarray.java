// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.IntegerView;
import coterie.SignalUpdate;
import coterie.SymmetricMemory;
import java.time.Duration;

/// A coarray of notifications: counts that only a put with notification adds to, see [Coarray#put(long,
/// java.lang.foreign.MemorySegment, long, long, NotifyCoarray, long, int)].
///
/// Only such puts and waits change counts: the copies of [Coarray] throw [UnsupportedOperationException].
///
/// Several threads of an image may wait for one notification at a time: each gets its own share of the count.
/// @counterpart `notify_type`
public final class NotifyCoarray extends Coarray {
    private final IntegerView view;
    private final CountWait wait;
    private final SymmetricMemory memory;

    NotifyCoarray(Placement placement, IntegerView view) {
        super(placement, view, 1);
        this.view = view;
        this.memory = view.memory();
        ImageTeam team = placement.block().team();
        this.wait =
                new CountWait("notify wait", team, view.writtenBy(team.roster().me()));
    }

    @Override
    boolean isData() {
        return false;
    }

    @Override
    NotifyCoarray placed(Placement placement) {
        return new NotifyCoarray(placement, view);
    }

    @Override
    public NotifyCoarray in(ImageTeam team) {
        return (NotifyCoarray) super.in(team);
    }

    @Override
    public NotifyCoarray in(Sibling sibling) {
        return (NotifyCoarray) super.in(sibling);
    }

    /// Throws if this coarray's team has no image for a PE.
    void checkPe(String operation, int pe) {
        if (block.team().roster().memberOf(pe) < 0) {
            throw new IndexOutOfBoundsException(StatementChecks.prefix(operation) + "image " + (pe + 1)
                    + " of the initial team has no notification of " + this + "; the target is an image of "
                    + block.team().path());
        }
    }

    /// Notifies a PE's image, after all that the caller has put.
    void notifyPe(long index, int pe) {
        block.team().runtime().complete();
        view.add(index, 1, block.team().roster().memberOf(pe));
    }

    SignalUpdate adding(long index) {
        return memory.signal(own("put with notify", index)).adding(1);
    }

    /// Waits for one notification: same as `await(index, 1)`.
    public void await(long index) {
        await(index, 1);
    }

    /// Waits until the caller's own notification has come `untilCount` times, and subtracts them. A failure of an
    /// image does not end the wait; [#tryAwait] does.
    /// @counterpart `notify wait`, `prif_notify_wait`
    /// @param untilCount 1 if it is less
    /// @throws TeamAbandonedException if an image has left this coarray's team, or the current one, by an
    ///     exception and the notifications are too few
    public void await(long index, long untilCount) {
        long threshold = Math.max(1, untilCount);
        boolean isTaken = false;
        while (!isTaken) { // another thread of this image may take them first
            isTaken = take(index, wait.await(own("notify wait", index), threshold), threshold);
        }
    }

    /// Waits as [#await(long, long)], with the limits of [EventCoarray#tryAwait]. Only the thread that runs the
    /// image calls it.
    ///
    /// @param timeout positive
    /// @param posters images of the current team that may notify; empty for any, whose failures do not end the
    ///     wait
    /// @return Ok, TimedOut, or Stopped, Failed or Abandoned if all posters are and the notifications are too few
    public Outcome tryAwait(long index, long untilCount, Duration timeout, ImageSet posters) {
        long threshold = Math.max(1, untilCount);
        Outcome outcome = wait.tryAwait(own("notify wait", index), threshold, timeout, posters);
        while (outcome.isOk() && !take(index, view.get(index), threshold)) {
            outcome = wait.tryAwait(index, threshold, timeout, posters);
        }
        return outcome;
    }

    private boolean take(long index, long seen, long threshold) {
        return seen >= threshold
                && view.compareAndExchange(
                                index,
                                seen,
                                seen - threshold,
                                block.team().roster().me())
                        == seen;
    }

    /// Returns the count of the caller's own notification.
    public long count(long index) {
        return view.getAcquire(own("count", index), block.team().roster().me());
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.SignalUpdate;
import coterie.SymmetricMemory;

/// A coarray of notifications: counts that only a put with notification adds to, see [Coarray#put(long,
/// java.lang.foreign.MemorySegment, long, long, int, NotifyCoarray, long)]. Answers to `notify_type`.
///
/// Several threads of an image may wait for one notification at a time: each gets its own share of the count.
public final class NotifyCoarray extends Coarray {
    private final IntegerView view;
    private final IntegerView own;
    private final SymmetricMemory memory;

    NotifyCoarray(Placement placement, IntegerView view) {
        super(placement, view, 1);
        this.view = view;
        this.memory = view.memory();
        this.own = view.writtenBy(placement.block().team().roster().me());
    }

    @Override
    NotifyCoarray at(Placement placement) {
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

    SignalUpdate adding(long index) {
        return memory.signal(index).adding(1);
    }

    /// Waits for one notification: same as `await(index, 1)`.
    public void await(long index) {
        await(index, 1);
    }

    /// Waits until the caller's own notification has come `untilCount` times, and subtracts them. A failure of an
    /// image does not end the wait. Answers to `notify wait`.
    ///
    /// @param untilCount 1 if it is less
    public void await(long index, long untilCount) {
        long threshold = Math.max(1, untilCount);
        int me = block.team().roster().me();
        while (true) {
            long seen = own.waitUntil(index, Comparison.GE, threshold);
            if (view.compareAndSwap(index, seen, seen - threshold, me) == seen) {
                return;
            }
        }
    }

    /// Returns the count of the caller's own notification.
    public long count(long index) {
        return view.atomicFetch(index, block.team().roster().me());
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A place in the waiting room: what one thread needs for a long wait, so that it need not make it.
///
/// There are as many as threads have ever waited at once. They are linked, and never taken out of the chain.
final class WaitSlot {
    final WordCondition word = new WordCondition();
    final SetCondition words = new SetCondition();
    final Condition.Tag tag = new Condition.Tag();
    final Condition.Bits bits = new Condition.Bits();
    final Condition.Ticket ticket = new Condition.Ticket();
    final Condition.TaskCondition taskCondition = new Condition.TaskCondition();

    private static final VarHandle POLLED;

    static {
        try {
            POLLED = MethodHandles.lookup().findVarHandle(WaitSlot.class, "polled", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // the handle reads and writes it
    private long polled;

    private final AtomicBoolean taken = new AtomicBoolean(true);
    private @Nullable WaitSlot next;

    /// A place that is free, or else a new one; it is the caller's until it is left.
    static WaitSlot acquire(AtomicReference<@Nullable WaitSlot> first) {
        for (WaitSlot slot = first.get(); slot != null; slot = slot.next) {
            if (!slot.taken.get() && slot.taken.compareAndSet(false, true)) {
                slot.polled(0);
                return slot;
            }
        }
        WaitSlot added = new WaitSlot();
        do {
            added.next = first.get();
        } while (!first.compareAndSet(added.next, added));
        return added;
    }

    /// Returns the next place, or null.
    @Nullable
    WaitSlot next() {
        return next;
    }

    /// Notes the latest round of [PollRounds] in which the thread has polled; 0 before the first.
    void polled(long round) {
        POLLED.setRelease(this, round);
    }

    /// Returns whether the thread still has to poll in a round.
    boolean lacks(long round) {
        return isTaken() && (long) POLLED.getAcquire(this) < round;
    }

    private boolean isTaken() {
        return taken.get();
    }

    void release() {
        taken.setRelease(false);
    }
}

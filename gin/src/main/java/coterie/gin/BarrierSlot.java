// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// What the caller knows of one barrier on one context: how often it has arrived. A member's word for the caller
/// counts how often that member has.
final class BarrierSlot {
    private final AtomicBoolean isUsed = new AtomicBoolean();

    /// The session that uses the slot writes them; reports of other contexts read the first.
    private volatile long syncs;

    private long selfSignals;
    private @Nullable String poison;

    /// Takes the slot for a session. Returns false if another session has it.
    boolean acquire() {
        return isUsed.compareAndSet(false, true);
    }

    void release() {
        isUsed.set(false);
    }

    long syncs() {
        return syncs;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one session at a time
    void arrive() {
        syncs = syncs + 1;
    }

    /// Counts a signal of the caller to itself, which covers its puts to itself.
    void signalSelf() {
        selfSignals++;
    }

    long selfSignals() {
        return selfSignals;
    }

    /// Returns why the barrier can't be used any more, or null.
    @Nullable
    String poison() {
        return poison;
    }

    void poison(@Nullable String why) {
        poison = why;
    }
}

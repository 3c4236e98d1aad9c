// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.CollectiveMismatchException;
import coterie.WaitTimeoutException;
import java.util.ArrayList;
import java.util.List;

/// One round of signals among the members of a team: each sends one to each other, and then waits for all. So a
/// single thread may run the barrier, whatever the size of the team.
final class BarrierStage {
    /// A rank that closes the communicator adds it to what the others wait for: their waits end, and they see how often
    /// the rank has arrived.
    static final long LEFT = 1L << 62;

    private final String name;
    private final int[] ranks;
    private final int me;
    private final GinContext[] contexts;

    /// the signal of member 0
    private final int first;

    private final BarrierSlot[] slots;

    BarrierStage(String name, int[] ranks, int me, GinContext[] contexts, int first) {
        this.name = name;
        this.ranks = ranks;
        this.me = me;
        this.contexts = contexts;
        this.first = first;
        this.slots = new BarrierSlot[contexts.length];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = contexts[i].barrier(first);
        }
    }

    /// Takes the barrier for a session.
    void acquire() {
        for (int i = 0; i < slots.length; i++) {
            if (!slots[i].acquire()) {
                for (int taken = 0; taken < i; taken++) {
                    slots[taken].release();
                }
                throw new GinException(
                        GinError.BUSY,
                        contexts[i].where(name) + ": another session uses it; give each group of threads an index");
            }
        }
    }

    void release() {
        for (BarrierSlot slot : slots) {
            slot.release();
        }
    }

    void checkUsable() {
        for (int i = 0; i < slots.length; i++) {
            String poison = slots[i].poison();
            if (poison != null) {
                throw new GinException(
                        GinError.POISONED,
                        contexts[i].where(name) + " is poisoned, since its members no longer agree on its count: "
                                + poison + "; use another index, or a new communicator");
            }
        }
    }

    /// Returns how many signals an arrival sends.
    int signals(boolean coversPuts) {
        return (ranks.length - 1 + (coversPuts ? 1 : 0)) * contexts.length;
    }

    /// Signals all members, and the caller itself if its puts to itself count.
    void arrive(boolean coversPuts) {
        for (int i = 0; i < contexts.length; i++) {
            slots[i].arrive();
            for (int step = 1; step < ranks.length; step++) {
                int member = (me + step) % ranks.length; // not all to member 0 first
                contexts[i].arrive(first + me, ranks[member], coversPuts);
            }
            if (coversPuts) {
                slots[i].signalSelf();
                contexts[i].arrive(first + me, ranks[me], true);
            }
        }
    }

    /// Waits for the signals of all members.
    ///
    /// @throws WaitTimeoutException at the timeout; the barrier is poisoned
    /// @throws CollectiveMismatchException if a member has closed the communicator, and has not arrived before
    void await(Gin gin, boolean coversPuts) {
        for (int i = 0; i < contexts.length; i++) {
            for (int member = 0; member < ranks.length; member++) {
                if (member != me || coversPuts) {
                    long least = member == me ? slots[i].selfSignals() : slots[i].syncs();
                    await(gin, i, member, least);
                }
            }
        }
    }

    private void await(Gin gin, int i, int member, long least) {
        GinContext context = contexts[i];
        long word = context.comm.layout().signal(context.index, first + member);
        try {
            long value = SignalWaits.waitWord(gin, context.words, word, 0, least, -1L, () -> report(i));
            if (value >= LEFT && arrivals(value) < least) {
                throw new CollectiveMismatchException(context.where(name) + ", sync " + slots[i].syncs() + ": rank "
                        + ranks[member] + " has closed the communicator, and has not arrived before");
            }
        } catch (WaitTimeoutException e) {
            for (BarrierSlot slot : slots) {
                slot.poison(String.valueOf(e.getMessage()));
            }
            throw e;
        }
    }

    /// Returns which members are missing, and where they have arrived instead.
    private String report(int i) {
        GinContext context = contexts[i];
        List<Integer> missing = new ArrayList<>();
        List<String> elsewhere = new ArrayList<>();
        for (int member = 0; member < ranks.length; member++) {
            long expected = slots[i].syncs();
            if (member != me && value(context, member) < expected) {
                missing.add(ranks[member]);
                noteElsewhere(context, member, elsewhere);
            }
        }
        return context.where(name) + ", sync " + slots[i].syncs() + ": ranks " + missing + " are missing"
                + (elsewhere.isEmpty() ? "" : "; " + String.join("; ", elsewhere));
    }

    private void noteElsewhere(GinContext expected, int member, List<String> elsewhere) {
        DeviceCommunicator comm = expected.comm;
        for (int index = 0; index < comm.layout().contexts; index++) {
            GinContext other = comm.context(index);
            if (index != expected.index && value(other, member) > other.syncs(first)) {
                elsewhere.add("rank " + ranks[member] + " has arrived on context " + index
                        + ", and is expected on context " + expected.index);
            }
        }
    }

    private long value(GinContext context, int member) {
        return arrivals(context.look(context.comm.layout().signal(context.index, first + member)));
    }

    /// Returns how often a rank has arrived, by the word that it adds to.
    static long arrivals(long word) {
        return word & LEFT - 1;
    }

    GinContext[] contexts() {
        return contexts;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.Comparison;
import coterie.PeFailedException;
import coterie.WaitTimeoutException;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit;
import coterie.spi.Scheduler;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Where a PE waits, whatever for.
///
/// Callers poll once inline and come here when that fails. A wait then goes through up to four stages: it spins for
/// as long as the scheduler says (not at all where PEs outnumber processors), yields, naps for ever longer, and
/// from [#PUBLISH_AFTER_NANOS] on tells the status page what it waits for. In every round it looks at the failure
/// epoch, one load of a line that nobody writes in good times, and at its deadline.
///
/// Conditions are a closed set: a word compared with an operand, and a conduit's ticket. No wait allocates, as long
/// as nothing fails. Used by one thread of the PE at a time.
public final class WaitingRoom {
    /// A timeout that never comes.
    public static final long FOREVER = Long.MAX_VALUE;

    /// Anything shorter is not worth a reader's while, and would cost the writer more than the wait.
    private static final long PUBLISH_AFTER_NANOS = 20_000;

    private final int me;
    private final JobSegment job;
    private final StatusPage page;
    private final Scheduler scheduler;
    private final Counters counters;
    private final Failures failures;
    private final long eventNanos;
    private final @Nullable Faults faults;
    private final int spins;
    private long epoch;

    /// @param eventNanos waits at least this long are told to the flight recorder
    /// @param faults the test's faults, or empty; see [Faults]
    public WaitingRoom(int me, JobSegment job, Scheduler scheduler, Counters counters, long eventNanos, String faults) {
        this.me = me;
        this.job = job;
        this.page = job.status(me);
        this.scheduler = scheduler;
        this.counters = counters;
        this.failures = new Failures(job, me);
        this.eventNanos = eventNanos;
        this.faults = faults.isEmpty() ? null : new Faults(faults, me);
        this.spins = scheduler.spins();
    }

    /// Waits until another PE changes a word of mine as asked; who that is nobody knows.
    ///
    /// @param address of the word
    /// @param offset of the word in symmetric memory, for messages
    /// @param timeoutNanos or [#FOREVER]
    /// @return the word that satisfied the comparison
    public long awaitWord(long address, Comparison comparison, long operand, long offset, long timeoutNanos) {
        for (int spin = spins; spin > 0; spin--) {
            long word = AddressSpace.getLongAcquire(address);
            if (comparison.holds(word, operand)) {
                return word;
            }
            Thread.onSpinWait();
        }
        counters.waits++;
        long start = scheduler.nanoTime();
        boolean published = false;
        try {
            while (true) {
                long seen = job.failureEpoch();
                long word = AddressSpace.getLongAcquire(address);
                if (comparison.holds(word, operand)) {
                    return word;
                }
                long waited = scheduler.nanoTime() - start;
                if (seen != epoch) {
                    failures.checkAbort(WaitKind.WORD);
                    PeFailedException failure = failures.ofAnyone(condition(comparison, operand, offset, word));
                    // Who put the word and then ended has still put it: look once more before giving up.
                    long last = AddressSpace.getLongAcquire(address);
                    if (comparison.holds(last, operand)) {
                        return last;
                    }
                    if (failure != null) {
                        throw failure;
                    }
                    epoch = seen;
                }
                if (waited >= timeoutNanos) {
                    throw new WaitTimeoutException("waitUntil on PE " + me + ", "
                            + condition(comparison, operand, offset, word) + ": not within " + timeoutNanos / 1_000_000
                            + " ms");
                }
                if (!published && waited >= PUBLISH_AFTER_NANOS) {
                    published = true;
                    page.set(StatusField.WAIT_OFFSET, offset);
                    page.set(StatusField.WAIT_COMPARISON, comparison.ordinal());
                    page.set(StatusField.WAIT_OPERAND, operand);
                    publish(WaitKind.WORD, -1, -1, -1, start);
                }
                scheduler.idle(waited);
            }
        } finally {
            leave(published, WaitKind.WORD, -1, start);
        }
    }

    /// Waits until the tag that `pe` writes into a line of mine has come to `least` or beyond.
    ///
    /// @param kind the collective that waits
    /// @param team its team's id
    /// @param sequence its number in the team
    /// @return the tag
    /// @throws coterie.PeFailedException if the PE will never write it
    public long awaitTag(long address, long least, WaitKind kind, int team, long sequence, int pe) {
        for (int spin = spins; spin > 0; spin--) {
            long tag = AddressSpace.getLongAcquire(address);
            if (tag >= least) {
                return tag;
            }
            Thread.onSpinWait();
        }
        counters.waits++;
        long start = scheduler.nanoTime();
        boolean published = false;
        try {
            while (true) {
                // Epoch before tag: a PE that wrote its tag and then ended has still taken part.
                boolean over = job.failureEpoch() != 0 && failures.isOver(pe);
                long tag = AddressSpace.getLongAcquire(address);
                if (tag >= least) {
                    return tag;
                }
                if (over) {
                    throw failures.lost(kind, sequence, pe);
                }
                if (job.failureEpoch() != 0) {
                    failures.checkAbort(kind);
                }
                long waited = scheduler.nanoTime() - start;
                if (!published && waited >= PUBLISH_AFTER_NANOS) {
                    published = true;
                    page.set(StatusField.WAIT_OFFSET, -1);
                    publish(kind, team, sequence, pe, start);
                }
                scheduler.idle(waited);
            }
        } finally {
            leave(published, kind, pe, start);
        }
    }

    /// Waits until a conduit's operation is done. Returns at once for ticket 0.
    ///
    /// @param pe the peer of the operation, or −1 for all
    public void awaitTicket(Conduit conduit, long ticket, int pe) {
        if (ticket == 0 || conduit.isDone(ticket)) {
            return;
        }
        counters.waits++;
        long start = scheduler.nanoTime();
        boolean published = false;
        try {
            while (!conduit.isDone(ticket)) {
                if (job.failureEpoch() != 0) {
                    failures.checkAbort(WaitKind.CONDUIT);
                    if (pe >= 0 && failures.isOver(pe) && !conduit.isDone(ticket)) {
                        throw failures.lost(WaitKind.CONDUIT, -1, pe);
                    }
                }
                long waited = scheduler.nanoTime() - start;
                if (!published && waited >= PUBLISH_AFTER_NANOS) {
                    published = true;
                    page.set(StatusField.WAIT_OFFSET, -1);
                    publish(WaitKind.CONDUIT, -1, -1, pe, start);
                }
                scheduler.idle(waited);
            }
        } finally {
            leave(published, WaitKind.CONDUIT, pe, start);
        }
    }

    /// Every step of an algorithm passes here, so that a test can make a PE fail at exactly that step.
    public void step(WaitKind algorithm, int step) {
        if (faults != null) {
            faults.step(algorithm.name(), step);
        }
    }

    /// What the PE has done; published when it waits for long, and by [#publishCounters].
    public Counters counters() {
        return counters;
    }

    /// Brings the counters to the status page now.
    public void publishCounters() {
        counters.publish(page);
    }

    private void publish(WaitKind kind, int team, long sequence, int pe, long start) {
        page.set(StatusField.WAIT_TEAM, team);
        page.set(StatusField.WAIT_SEQUENCE, sequence);
        page.set(StatusField.WAIT_PE, pe);
        page.set(StatusField.WAIT_SINCE, start);
        counters.publish(page);
        page.set(StatusField.WAIT_KIND, kind.ordinal());
    }

    private void leave(boolean published, WaitKind kind, int pe, long start) {
        if (published) {
            page.set(StatusField.WAIT_KIND, WaitKind.NONE.ordinal());
            long waited = scheduler.nanoTime() - start;
            if (waited >= eventNanos && FlightRecorder.isInitialized()) {
                WaitEvent.emit(me, kind, pe, waited);
            }
        }
    }

    private static String condition(Comparison comparison, long operand, long offset, long word) {
        return "word at offset " + offset + " " + comparison + " " + operand + " (it is " + word + ")";
    }
}

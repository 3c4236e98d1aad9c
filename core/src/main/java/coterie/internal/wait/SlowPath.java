// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusLabel;
import coterie.internal.memory.StatusPage;
import coterie.internal.posix.AddressSpace;
import coterie.internal.trace.CallSite;
import coterie.internal.trace.Tracing;
import coterie.spi.Conduit;
import coterie.spi.PeJob;
import coterie.spi.WaitStrategy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Continues a wait after its spins, for all conditions alike.
///
/// In each iteration it polls the condition, the failure epoch and the deadline. The epoch costs one load of a
/// line that no PE writes unless one fails. Only after the epoch has moved does the wait examine the PEs
/// themselves.
final class SlowPath {
    /// Shorter waits are not published: that would cost more than the wait.
    private static final long PUBLISH_AFTER_NANOS = 20_000;

    /// From then on a wait may be stuck: launchers look for deadlocks after the same time, unless they are told
    /// otherwise.
    private static final long STALL_NANOS = 2_000_000_000;

    private final int me;
    private final long epochAddress;
    private final StatusPage page;
    private final WaitStrategy waitStrategy;
    private final Conduit conduit;
    private final Counters counters;
    private final FailureReporter failureReporter;
    private final long eventNanos;
    private final AtomicReference<@Nullable WaitSlot> slots = new AtomicReference<>();

    /// Whether a wait is on the status page.
    private final AtomicBoolean published = new AtomicBoolean();

    private final ProgressHooks hooks;
    private final OtherThreads otherThreads;
    private final PollRounds rounds;

    SlowPath(
            PeJob job,
            StatusPage page,
            WaitStrategy waitStrategy,
            Conduit conduit,
            Counters counters,
            FailureReporter failureReporter,
            ProgressHooks hooks,
            long eventNanos) {
        this.conduit = conduit;
        this.me = job.pe();
        this.epochAddress = job.epochAddress();
        this.page = page;
        this.waitStrategy = waitStrategy;
        this.counters = counters;
        this.failureReporter = failureReporter;
        this.hooks = hooks;
        this.eventNanos = eventNanos;
        this.otherThreads = new OtherThreads(page);
        this.rounds = new PollRounds(page, slots);
    }

    /// Acquires a slot for a wait; [#await] releases it.
    WaitSlot acquireSlot() {
        return WaitSlot.acquire(slots);
    }

    /// Sets the threads of this PE. Set before the first wait.
    void threads(ThreadGroup group, boolean isAlone) {
        otherThreads.of(group, isAlone);
    }

    /// Work of this PE has moved, whichever thread has moved it.
    void moved() {
        rounds.moved();
    }

    long nanoTime() {
        return waitStrategy.nanoTime();
    }

    void progress() {
        conduit.progress();
    }

    /// Advances the conduit and the hooks; returns whether a hook has moved anything.
    boolean advance() {
        conduit.progress();
        if (hooks.advance()) {
            rounds.moved();
            return true;
        }
        return false;
    }

    /// Waits until the condition holds, it never can, or time is over.
    ///
    /// @param slot of `condition`; left at the end
    /// @return what the condition has found
    long await(WaitSlot slot, Condition condition, long timeoutNanos) {
        if (!condition.isForHooks() && hooks.isWithin()) {
            slot.release();
            throw new IllegalStateException(condition.operation(me)
                    + ": called by a progress hook, which must not wait; test in each call of the hook instead");
        }
        boolean told = condition.isObserved();
        if (told) {
            counters.waits++;
        }
        long start = waitStrategy.nanoTime();
        long waited = 0;
        long lookedAt = 0;
        long countedAt = 0;
        long arrivals = conduit.arrivals();
        long arrivedAt = 0;
        boolean onPage = false;
        boolean isStalled = false;
        try {
            while (true) {
                long round = rounds.begin();
                advance();
                long epoch = AddressSpace.getLongAcquire(epochAddress);
                boolean holds = condition.holds();
                IllegalStateException gone = condition.gone(me);
                if (gone != null) {
                    end(failureReporter.abort(condition)); // then it is gone since this PE has failed
                    end(gone);
                }
                if (holds) {
                    return condition.outcome;
                }
                waited = waitStrategy.nanoTime() - start;
                if (epoch != lookedAt || (epoch != 0 && condition.failsSilently())) {
                    end(failureReporter.abort(condition));
                    end(failureReporter.deadlock(condition, waited));
                    end(condition.lost(failureReporter));
                    lookedAt = epoch;
                } else if (condition.canFailAnyTime()) {
                    end(condition.lost(failureReporter));
                }
                if (waited >= timeoutNanos) {
                    end(condition.mustHold() ? WaitingRoom.late(condition.operation(me), timeoutNanos) : null);
                    return condition.outcome;
                }
                slot.polled(round);
                if (onPage) {
                    condition.refresh(page);
                    rounds.publish();
                    if (otherThreads.isDue(waited, countedAt)) {
                        tellMore(condition, countedAt == 0);
                        countedAt = waited;
                    }
                }
                if (told && !isStalled && waited >= STALL_NANOS) {
                    isStalled = true;
                    emitStall(condition, waited);
                }
                onPage = onPage || (told && waited >= PUBLISH_AFTER_NANOS && publish(condition, waited, timeoutNanos));
                if (conduit.arrivals() != arrivals) {
                    arrivals = conduit.arrivals();
                    arrivedAt = waited; // peers call: a nap would leave them to a thread that has to be woken
                }
                long left = timeoutNanos == WaitingRoom.FOREVER ? timeoutNanos : timeoutNanos - waited;
                waitStrategy.idle(waited - arrivedAt, Math.min(left, hooks.dueNanos()));
            }
        } finally {
            if (onPage) {
                page.set(StatusField.WAIT_KIND, OperationKind.NONE.ordinal());
                published.setRelease(false);
            }
            if (told && waited >= PUBLISH_AFTER_NANOS) {
                emitEvent(condition, waitStrategy.nanoTime() - start);
            }
            slot.release();
        }
    }

    private static void end(@Nullable RuntimeException why) {
        if (why != null) {
            throw why;
        }
    }

    /// Puts a wait on the status page unless another thread's is there, and says whether it did.
    private boolean publish(Condition condition, long waited, long timeoutNanos) {
        if (published.get() || !published.compareAndSet(false, true)) {
            return false;
        }
        condition.publish(page);
        if (Tracing.ON) {
            counters.tracer.locate();
        }
        otherThreads.begin();
        long since = System.nanoTime() - waited; // the scheduler's clock may be another
        page.set(StatusField.WAIT_SINCE, since);
        page.set(StatusField.WAIT_ENDS, timeoutNanos == WaitingRoom.FOREVER ? 0 : since + timeoutNanos);
        page.set(StatusField.OWN_CODE, 0);
        page.waitSite(null);
        counters.publish(page);
        page.set(StatusField.WAIT_KIND, condition.kind.ordinal());
        return true;
    }

    /// Tells the status page of a wait that goes on what a diagnosis needs.
    ///
    /// @param isFirst whether it has not done so before
    private void tellMore(Condition condition, boolean isFirst) {
        condition.detail(page, isFirst);
        long travels = conduit.isQuiet() ? 0 : OwnCode.OPERATIONS.bit();
        page.set(StatusField.OWN_CODE, hooks.ownCode() | otherThreads.tell() | travels);
        page.set(StatusField.OWN_CODE_TELLS, page.get(StatusField.OWN_CODE_TELLS) + 1);
        if (isFirst) {
            page.waitSite(new StatusLabel(CallSite.findCall()));
        }
    }

    /// Tells the flight recorder of a wait that goes on.
    private void emitStall(Condition condition, long waited) {
        if (FlightRecorder.isInitialized()) {
            StallEvent.emit(me, condition.kind, condition.described(), condition.pe, waited);
        }
    }

    /// Tells the flight recorder if the wait was long.
    private void emitEvent(Condition condition, long waited) {
        if (waited >= eventNanos && FlightRecorder.isInitialized()) {
            WaitEvent.emit(me, condition.kind, condition.described(), condition.pe, waited);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.cluster.JobFrame.Kind;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;

/// What a PE knows of its job from the coordinator: how each PE is, how and in which order PEs have ended, and whether
/// the job is aborted. Waits look at the epoch, which counts what ends waits.
///
/// Thread-safe.
final class JobView {
    private static final VarHandle EPOCH = JAVA_LONG.varHandle();

    private final int me;
    private final JobClock clock;
    private final MemorySegment epoch = Arena.ofAuto().allocate(JAVA_LONG);
    private final PeState[] states;
    private final int[] exitCodes;
    private final long[] endedAt;
    private final long[] orders;
    private final String[] reasons;
    private int abortCode = -1;

    /// How many states of this PE the coordinator has not repeated to it yet.
    private int unheard;

    JobView(int me, int size, JobClock clock) {
        this.me = me;
        this.clock = clock;
        this.states = new PeState[size];
        Arrays.fill(states, PeState.STARTING);
        this.exitCodes = new int[size];
        Arrays.fill(exitCodes, PeJob.UNKNOWN_EXIT_CODE);
        this.endedAt = new long[size];
        this.orders = new long[size];
        this.reasons = new String[size];
        Arrays.fill(reasons, "");
    }

    long epochAddress() {
        return epoch.address();
    }

    /// What has changed is readable before.
    private void countUp() {
        EPOCH.getAndAdd(epoch, 0L, 1L);
        notifyAll();
    }

    /// This PE enters a state of its own choice. Returns whether that is news for the coordinator.
    synchronized boolean choose(PeState state) {
        if (states[me].hasTerminated() || states[me] == state) {
            return false;
        }
        states[me] = state;
        unheard++;
        return true;
    }

    /// Returns whether the coordinator has repeated all states of this PE.
    synchronized boolean isHeard() {
        return unheard == 0;
    }

    /// Returns whether this PE is in its job, or the coordinator has not heard yet that it has closed its world.
    synchronized boolean needsCoordinator() {
        return !states[me].hasTerminated() && (states[me] != PeState.CLOSED || unheard > 0);
    }

    /// A PE has closed its world while others may go on.
    synchronized void left(int which, long order) {
        orders[which] = order;
        countUp();
    }

    /// A PE is in a state, as the coordinator says. Returns whether this PE counts as failed by that.
    synchronized boolean enter(int which, PeState state, int exitCode, long order, String reason) {
        if (states[which].hasTerminated()) {
            return false;
        }
        if (which == me && !state.hasTerminated()) {
            unheard--;
            notifyAll();
            return false;
        }
        states[which] = state;
        if (state.hasTerminated()) {
            endedAt[which] = clock.nanoTime();
            exitCodes[which] = exitCode;
            reasons[which] = reason;
            orders[which] = order;
            countUp();
        }
        return which == me && state == PeState.FAILED;
    }

    /// The job is aborted. Returns whether that is news.
    synchronized boolean abort(int exitCode) {
        if (abortCode >= 0) {
            return false;
        }
        abortCode = exitCode & 0xFF;
        countUp();
        return true;
    }

    /// This PE has no coordinator any more, and counts as failed. Returns whether its program is in the job.
    synchronized boolean lose(String problem) {
        notifyAll();
        if (states[me].hasTerminated()) {
            return false;
        }
        boolean isOutside = states[me] == PeState.CLOSED;
        endedAt[me] = clock.nanoTime();
        reasons[me] = problem;
        states[me] = PeState.FAILED;
        countUp();
        return !isOutside; // the job may be over, and the program do something else
    }

    synchronized PeState state(int which) {
        return states[which];
    }

    synchronized int exitCode(int which) {
        return exitCodes[which];
    }

    synchronized long endedAtNanos(int which) {
        return endedAt[which];
    }

    synchronized long endOrder(int which) {
        return orders[which];
    }

    synchronized Optional<String> failureReason(int which) {
        return exitCodes[which] == PeJob.UNKNOWN_EXIT_CODE && !reasons[which].isEmpty()
                ? Optional.of(reasons[which])
                : Optional.empty();
    }

    synchronized OptionalInt abortCode() {
        return abortCode < 0 ? OptionalInt.empty() : OptionalInt.of(abortCode);
    }

    /// Waits until the coordinator has answered, or this PE counts as ended, or the time is over. An interrupt does not
    /// end the wait, and is kept.
    void await(long nanos, BooleanSupplier isHere) {
        boolean isInterrupted = false;
        long start = clock.nanoTime();
        synchronized (this) {
            long left = nanos;
            while (!isHere.getAsBoolean() && !states[me].hasTerminated() && left > 0) {
                try {
                    wait(clock.blockMillis(left));
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
                left = nanos - (clock.nanoTime() - start);
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns what this PE tells a new coordinator: its own state, which that one repeats, an abort, and
    /// the PEs that it knows to have ended or closed their worlds.
    synchronized ByteBuffer resume() {
        unheard = states[me].hasTerminated() ? 0 : 1;
        JobFrame.Builder message = new JobFrame.Builder(Kind.RESUME)
                .number(me)
                .number(states[me].ordinal())
                .number(abortCode);
        for (int pe = 0; pe < states.length; pe++) {
            if (orders[pe] != 0 || states[pe] == PeState.CLOSED) {
                message.number(pe)
                        .number(states[pe].ordinal())
                        .number(exitCodes[pe])
                        .number(orders[pe])
                        .text(reasons[pe]);
            }
        }
        return message.build();
    }
}

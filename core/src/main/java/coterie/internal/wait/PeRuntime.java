// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.PeFailedException;
import coterie.internal.memory.StatusPage;
import coterie.internal.posix.AddressSpace;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit;
import coterie.spi.FaultSteps;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import coterie.spi.ProgressHook;
import coterie.spi.WaitStrategy;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// What a PE has in one world beside its memory, and what it knows of the others.
///
/// ```
///  room            where its threads wait
///  failures        which PEs have failed or ended, and how
///  hooks           what every wait advances: the runtime's own, and the program's
///  counters        what it has done
///  steps           where a test makes it fail
///  otherSettings   which settings other PEs have otherwise
/// ```
public final class PeRuntime {
    private final PeJob job;
    private final StatusPage page;
    private final long epochAddress;
    private final Counters counters;
    private final FailureReporter failureReporter;
    private final @Nullable FaultInjector faultInjector;
    private final UpcallGuard upcallGuard = new UpcallGuard();
    private final CollectiveListeners collectiveListeners = new CollectiveListeners();
    private final CloseListeners closeListeners = new CloseListeners();
    private final ProgressHooks hooks;
    private final @Nullable AccessObserver observer;
    private final WaitingRoom room;
    private IntToLongFunction otherSettings = pe -> 0;
    private Arena memory = Arena.global();

    /// @param page the status page of this PE
    /// @param conduit that each waiter advances
    /// @param eventNanos waits at least this long emit a flight-recorder event
    /// @param faults the test's faults, or empty; see [FaultInjector]
    public PeRuntime(
            PeJob job,
            StatusPage page,
            WaitStrategy waitStrategy,
            Conduit conduit,
            Counters counters,
            long eventNanos,
            String faults) {
        this.job = job;
        this.page = page;
        this.epochAddress = job.epochAddress();
        this.counters = counters;
        this.failureReporter = new FailureReporter(job);
        this.hooks = new ProgressHooks(job.pe(), this);
        this.faultInjector = faults.isEmpty()
                ? null
                : new FaultInjector(faults, job.pe(), () -> job.failed(job.pe(), "a planted fault"));
        this.observer = conduit.observer().orElse(null);
        SlowPath slow = new SlowPath(job, page, waitStrategy, conduit, counters, failureReporter, hooks, eventNanos);
        this.room = new WaitingRoom(waitStrategy.spins(), slow, failureReporter, page, observer);
    }

    /// Returns the room in which the threads of the PE wait.
    public WaitingRoom room() {
        return room;
    }

    /// Returns the observer of the PE's own accesses, or null. Callers of waits for words notify it.
    public @Nullable AccessObserver observer() {
        return observer;
    }

    /// Returns the failure epoch, which moves when a PE ends or the job is aborted.
    public long failureEpoch() {
        return AddressSpace.getLongAcquire(epochAddress);
    }

    /// Returns whether a PE may have failed, by one load.
    public boolean hasFailures() {
        return AddressSpace.getLongAcquire(epochAddress) != 0;
    }

    /// Returns the exception for an operation that reports each failure once: null unless more than `known` PEs have
    /// failed; else it names them all, and the caller knows `failedPes().size()` from then on.
    public @Nullable PeFailedException failuresBeyond(int known, String operation) {
        return failureReporter.beyond(known, operation);
    }

    /// Notes that the program gets an exception for failed PEs, which no wait has made.
    public void noteFailures() {
        failureReporter.note(0);
    }

    /// Returns whether the program has got an exception for a failed PE.
    public boolean knowsOfFailures() {
        return failureReporter.isKnown();
    }

    /// Returns whether a PE will never act again.
    public boolean hasTerminated(int pe) {
        return failureReporter.hasTerminated(pe);
    }

    /// Returns the number of a PE's end among all, from 1 on; 0 if it has not ended, nor left after a failure.
    public long endOrder(int pe) {
        return job.endOrder(pe);
    }

    /// Returns how many ends are visible to this PE: all with numbers up to it.
    public long endsVisible() {
        long[] orders = new long[job.size()];
        Arrays.setAll(orders, job::endOrder);
        Arrays.sort(orders);
        long visible = 0;
        for (long order : orders) {
            visible += order == visible + 1 ? 1 : 0;
        }
        return visible;
    }

    /// Returns whether the job numbers the ends of PEs, so that PEs can agree on them.
    public boolean ordersEnds() {
        return job.ordersEnds();
    }

    /// Returns whether a PE has closed its world or ended, without a failure.
    public boolean hasStopped(int pe) {
        PeState state = job.state(pe);
        return state == PeState.CLOSED || state == PeState.ENDED;
    }

    /// Returns whether another PE has failed.
    public boolean hasFailed(int pe) {
        return failureReporter.hasFailed(pe);
    }

    /// Returns how a PE has ended, for messages: "failed (exit code 137)".
    public String terminationCause(int pe) {
        return failureReporter.terminationCause(pe);
    }

    /// Adds a hook of the runtime, which all waits advance: it is thread-safe and never throws.
    public void background(ProgressHook hook) {
        hooks.add(hook);
    }

    /// Registers a hook of the program, see [ProgressHook].
    public ProgressHook.Registration register(ProgressHook hook) {
        return hooks.register(hook);
    }

    /// Ends the registrations of the program's hooks.
    public void closeHooks() {
        hooks.close();
    }

    /// Returns the listeners of the PE's collectives.
    public CollectiveListeners collectiveListeners() {
        return collectiveListeners;
    }

    /// Returns the listeners of the close of the PE's world.
    public CloseListeners closeListeners() {
        return closeListeners;
    }

    /// Returns the guard of calls from the runtime into the program's code.
    public UpcallGuard upcallGuard() {
        return upcallGuard;
    }

    /// Notes that so many conditions of the program more are polled from now on; negative for fewer.
    public void conditions(int more) {
        hooks.conditions(more);
    }

    /// Returns a bit for each of the SelectionSettings that a PE has otherwise than the first of its world.
    public long otherSettings(int pe) {
        return otherSettings.applyAsLong(pe);
    }

    /// Sets what [#otherSettings] returns. Set before the first wait.
    public void otherSettings(IntToLongFunction bits) {
        otherSettings = bits;
    }

    /// Returns the arena of this PE's mappings of symmetric memory: the global one, or one that a collector ends.
    public Arena memory() {
        return memory;
    }

    /// Sets what [#memory] returns. Set before the first allocation.
    public void memory(Arena arena) {
        memory = arena;
    }

    /// Every step of an algorithm passes here, so that a test can make a PE fail at exactly that step.
    public void step(OperationKind algorithm, int step) {
        if (faultInjector != null) {
            faultInjector.step(algorithm.name(), step);
        }
    }

    /// Returns the steps of faces, or null if no fault is planted in this PE.
    public @Nullable FaultSteps faultSteps() {
        return faultInjector;
    }

    /// Returns the counters of the PE; a long wait publishes them, and [#publishCounters].
    public Counters counters() {
        return counters;
    }

    /// Publishes the counters on the status page.
    public void publishCounters() {
        counters.publish(page);
    }
}

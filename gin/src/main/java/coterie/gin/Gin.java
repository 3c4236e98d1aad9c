// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.IntegerView;
import coterie.WaitTimeoutException;
import coterie.stream.KernelGroup;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One context of a communicator: its one-sided operations, signals and counters.
///
/// A put may complete later than it returns, so that its source must not change before a counter, [#flush] or
/// [#await] says so; its target sees the bytes after a signal. The package has the table of what says what.
///
/// `peer` is a number in a team: [DeviceCommunicator#worldTeam] and its kind; the caller's own number is allowed.
/// Offsets count bytes of the named rank's window. All arguments are checked before anything is sent:
/// [IndexOutOfBoundsException] for peers, ranges and ids, [GinException] for what [GinError] lists. Waits end with
/// a [coterie.WaitTimeoutException] at the timeout, and with a [coterie.PeFailedException] when a PE fails.
///
/// It is an immutable value, also with [#by] and [#withTimeout]. Threads: see [DeviceCommunicator]. Operations on
/// direct peers allocate nothing.
/// @counterpart `ncclGin`
public final class Gin extends GinTransfers implements BarrierScope {
    private static final int COUNTER_BITS = 56;

    private final Duration timeout;

    Gin(GinContext context, Duration timeout) {
        this(context, timeout, null);
    }

    private Gin(GinContext context, Duration timeout, @Nullable KernelGroup group) {
        super(context, group);
        this.timeout = timeout;
    }

    /// Returns the same context for a group of a kernel's threads: all its threads call each operation together,
    /// with the same arguments, and it happens once.
    /// @counterpart the arguments of type `Coop`
    public Gin by(KernelGroup group) {
        comm.checks().checkNotNull("by", "group", group);
        return new Gin(context, timeout, group);
    }

    /// Returns the same context with another timeout for its waits, in place of the communicator's.
    /// @counterpart the timeouts of NCCL 2.31; each wait has a timeout, and its end a report
    /// @param timeout more than 0
    public Gin withTimeout(Duration timeout) {
        comm.checks().checkNotNull("withTimeout", "timeout", timeout);
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException(
                    context.where("withTimeout") + ": a timeout of " + timeout + "; allowed are positive ones");
        }
        return new Gin(context, timeout, group);
    }

    Gin on(GinContext other) {
        return new Gin(other, timeout, group);
    }

    @Override
    Gin alone() {
        return new Gin(context, timeout);
    }

    /// Returns the communicator.
    /// @counterpart `ncclGin::comm`
    public DeviceCommunicator communicator() {
        return comm;
    }

    /// Returns the number of the context.
    /// @counterpart `ncclGin::contextId`
    public int contextIndex() {
        return context.index;
    }

    /// Returns the number of the connection that the context belongs to.
    /// @counterpart `ncclGin::connectionId`
    public int connectionIndex() {
        return context.index % comm.connectionCount();
    }

    /// Waits until the caller may reuse the sources of all puts that this context has posted, by any thread, and
    /// sees the bytes of its gets. It says nothing of the targets.
    /// @counterpart `ncclGin::flush`; of all threads' operations of the context
    public void flush() {
        comm.checkOpen("flush");
        if (!comm.isDistributed()) {
            return;
        }
        once(() -> context.hint(OptFlag.DEFAULT));
        for (int peer = 0; peer < comm.size(); peer++) {
            GinPeerQueue queue = context.queue(peer);
            if (queue != null) {
                await("flush", new GinRequest(context, peer, queue.posted()));
            }
        }
    }

    /// Begins a flush of what this context has posted to one peer.
    /// @counterpart `ncclGin::flushAsync`
    public GinRequest flushAsync(GinTeam team, int peer) {
        int rank = comm.checks().target(context, "flushAsync", team, peer);
        GinPeerQueue queue = context.queue(rank);
        once(() -> context.hint(OptFlag.DEFAULT));
        return new GinRequest(context, rank, queue == null ? 0 : queue.posted());
    }

    /// Returns whether a flush is complete, without waiting.
    public boolean isComplete(GinRequest request) {
        check("isComplete", request);
        comm.world().progress();
        return request.isComplete();
    }

    /// Waits until a flush is complete.
    /// @counterpart `ncclGin::wait`; any number of times, on its context alone
    /// @param request of this context
    /// @throws GinException with [GinError#FOREIGN] for a request of another one
    public void await(GinRequest request) {
        check("await", request);
        await("await", request);
    }

    private void check(String operation, GinRequest request) {
        comm.checkOpen(operation);
        comm.checks().checkNotNull(operation, "request", request);
        if (!request.context().equals(context)) {
            throw new GinException(
                    GinError.FOREIGN,
                    context.where(operation) + ": the request is of context " + request.context().index + " of "
                            + request.context().comm);
        }
    }

    private void await(String operation, GinRequest request) {
        GinPeerQueue queue = context.queue(request.peer());
        if (queue == null) {
            return;
        }
        if (group != null || !request.isComplete()) {
            new Wait.Progress(this, request::isComplete, () -> context.where(operation) + ": " + queue.report()).run();
        }
        queue.checkAlive();
    }

    /// Completes all that this context has posted, everywhere: its targets see the bytes and the signals. NCCL
    /// does not have it.
    /// @counterpart completion at the target, `shmem_quiet`; NCCL has none
    public void quiet() {
        comm.checkOpen("quiet");
        flush();
        if (comm.isDistributed() && (group != null || context.isBusy())) {
            new Wait.Progress(this, () -> !context.isBusy(), () -> context.where("quiet") + ": signals are under way")
                    .run();
        }
        once(context.context::quiet);
    }

    /// Returns the low bits of the caller's signal; what was ordered before its value is visible.
    /// @counterpart `ncclGin::readSignal` of an id
    public long readSignal(int signal) {
        return readSignal(signal, Long.SIZE);
    }

    /// Returns the low bits of the caller's signal.
    ///
    /// @param bits in `[1, 64]`
    public long readSignal(int signal, int bits) {
        long mask = mask("readSignal", bits, Long.SIZE);
        comm.checks().checkSignal(context, "readSignal", signal);
        return broadcast(() -> context.signalValue(signal) & mask);
    }

    /// Waits for all bits of a signal; see [#waitSignal(int, long, int)].
    public void waitSignal(int signal, long least) {
        waitSignal(signal, least, Long.SIZE);
    }

    /// Waits until the low bits of the caller's signal meet or pass `least`, on a circle: a value that is half of
    /// the circle or more ahead counts as behind.
    /// @counterpart `ncclGin::waitSignal` of an id
    /// @param least of which the low bits count
    /// @param bits in `[1, 64]`
    public void waitSignal(int signal, long least, int bits) {
        long mask = mask("waitSignal", bits, Long.SIZE);
        comm.checks().checkSignal(context, "waitSignal", signal);
        SignalWaits.awaitSignal(this, "waitSignal", signal, least, mask);
    }

    /// Waits as [#waitSignal(int, long)], for a value that nothing passes: a sign of signals that belong to
    /// another round.
    ///
    /// @throws GinException with [GinError#OVERSHOOT], if the value is more
    public void waitSignalExactly(int signal, long value) {
        comm.checks().checkSignal(context, "waitSignalExactly", signal);
        long seen = SignalWaits.awaitSignal(this, "waitSignalExactly", signal, value, -1L);
        if (seen != value) {
            throw new GinException(
                    GinError.OVERSHOOT,
                    context.where("waitSignalExactly") + ": signal " + signal + " is " + Long.toUnsignedString(seen)
                            + ", and exactly " + Long.toUnsignedString(value) + " is expected");
        }
    }

    /// Sets the caller's signal to 0, and its shadow. No rank may change the signal meanwhile: the reset must be
    /// ordered after the signals that came, and before the next ones.
    /// @counterpart `ncclGin::resetSignal` of an id
    /// @throws GinException with [GinError#RESET_RACE], if the checks are on and signals are on their way;
    ///     nothing is reset. On direct ranks none is ever on its way
    public void resetSignal(int signal) {
        comm.checks().checkSignal(context, "resetSignal", signal);
        once(() -> {
            long raw = context.raw(comm.layout().signal(context.index, signal));
            if (comm.isDistributed() && comm.checksSignals()) {
                SignalWaits.checkDelivered(context, signal, raw);
            }
            context.use.reset(signal);
            context.signals.reset(signal, raw);
        });
    }

    /// Returns the low bits of a VA signal of the caller.
    /// @counterpart `ncclGin::readSignal` of a window and an offset
    /// @param byteOffset of the word, a multiple of 8
    /// @param bits in `[1, 64]`
    public long readSignal(Window window, long byteOffset, int bits) {
        long mask = mask("readSignal", bits, Long.SIZE);
        checkVa("readSignal", window, byteOffset);
        long word = window.word(comm.rank(), byteOffset);
        return broadcast(() -> GinContext.raw(window.longs(context.index), word) & mask);
    }

    /// Returns a VA signal of the caller.
    public long readSignal(Window window, long byteOffset) {
        return readSignal(window, byteOffset, Long.SIZE);
    }

    /// Waits for a VA signal of the caller, as [#waitSignal(int, long, int)].
    /// @counterpart `ncclGin::waitSignal` of a window and an offset
    public void waitSignal(Window window, long byteOffset, long least, int bits) {
        long mask = mask("waitSignal", bits, Long.SIZE);
        checkVa("waitSignal", window, byteOffset);
        long word = window.word(comm.rank(), byteOffset);
        IntegerView words = window.longs(context.index);
        try {
            if (SignalWaits.hasMet(this, words, word, 0, least, mask)) {
                return;
            }
        } catch (WaitTimeoutException e) {
            throw Wait.expired(
                    WaitReports.va(context.where("waitSignal"), window, byteOffset, words.get(word), least, mask),
                    timeout);
        }
        SignalWaits.waitWord(
                this,
                words,
                word,
                0,
                least,
                mask,
                () -> WaitReports.va(context.where("waitSignal"), window, byteOffset, words.get(word), least, mask));
    }

    /// Waits for all bits of a VA signal of the caller.
    public void waitSignal(Window window, long byteOffset, long least) {
        waitSignal(window, byteOffset, least, Long.SIZE);
    }

    /// Stores 0 to a VA signal of the caller. No rank may change the signal meanwhile.
    /// @counterpart `ncclGin::resetSignal` of a window and an offset
    public void resetSignal(Window window, long byteOffset) {
        checkVa("resetSignal", window, byteOffset);
        once(() -> window.longs(context.index).set(window.word(comm.rank(), byteOffset), 0));
    }

    private void checkVa(String operation, Window window, long byteOffset) {
        comm.checkOpen(operation);
        comm.checks().checkVa(context, operation, window);
        window.checkSignal(context, operation, comm.rank(), byteOffset);
    }

    /// Returns the shadow of a signal: a number of the caller's own for the value that it expects, 0 at first and
    /// after a reset.
    /// @counterpart `ncclGin::getSignalShadowPtr`
    public long signalShadow(int signal) {
        comm.checks().checkSignal(context, "signalShadow", signal);
        return context.signals.shadow(signal);
    }

    /// Sets the shadow of a signal.
    /// @counterpart a store through `ncclGin::getSignalShadowPtr`
    public void setSignalShadow(int signal, long value) {
        comm.checks().checkSignal(context, "setSignalShadow", signal);
        once(() -> context.signals.shadow(signal, value));
    }

    /// Adds to the shadow of a signal.
    /// @counterpart `ncclGin::increaseSignalShadow`
    public void increaseSignalShadow(int signal, long delta) {
        comm.checks().checkSignal(context, "increaseSignalShadow", signal);
        once(() -> context.signals.increaseShadow(signal, delta));
    }

    /// Waits until all bits of a signal meet or pass its shadow.
    public void waitSignalMeetShadow(int signal) {
        waitSignalMeetShadow(signal, Long.SIZE);
    }

    /// Waits until a signal meets or passes its shadow, as [#waitSignal(int, long, int)].
    /// @counterpart `ncclGin::waitSignalMeetShadow`
    /// @param bits in `[1, 64]`
    public void waitSignalMeetShadow(int signal, int bits) {
        long mask = mask("waitSignalMeetShadow", bits, Long.SIZE);
        comm.checks().checkSignal(context, "waitSignalMeetShadow", signal);
        SignalWaits.awaitSignal(this, "waitSignalMeetShadow", signal, context.signals.shadow(signal), mask);
    }

    /// Waits for all bits of a signal; see [#waitSignalFollowShadow(int, long, int)].
    public long waitSignalFollowShadow(int signal, long leastDelta) {
        return waitSignalFollowShadow(signal, leastDelta, Long.SIZE);
    }

    /// Waits until a signal is at least `leastDelta` more than its shadow, as [#waitSignal(int, long, int)], and then
    /// sets the shadow to its value. Returns by how much that is more than before, of which the low bits count.
    /// @counterpart `ncclGin::waitSignalFollowShadow`
    /// @param bits in `[1, 64]`
    public long waitSignalFollowShadow(int signal, long leastDelta, int bits) {
        long mask = mask("waitSignalFollowShadow", bits, Long.SIZE);
        comm.checks().checkSignal(context, "waitSignalFollowShadow", signal);
        long before = context.signals.shadow(signal);
        long value = SignalWaits.awaitSignal(this, "waitSignalFollowShadow", signal, before + leastDelta, mask);
        once(() -> context.signals.shadow(signal, value));
        return (value - before) & mask;
    }

    /// Returns the value of the caller's counter, 56 bits.
    /// @counterpart `ncclGin::readCounter`; 56 bits, more throw
    public long readCounter(int counter) {
        return readCounter(counter, COUNTER_BITS);
    }

    /// Returns the low bits of the caller's counter.
    ///
    /// @param bits in `[1, 56]`
    public long readCounter(int counter, int bits) {
        long mask = mask("readCounter", bits, COUNTER_BITS);
        comm.checks().checkCounter(context, "readCounter", counter);
        return broadcast(() -> counterValue(counter) & mask);
    }

    /// Waits for all 56 bits of a counter.
    public void waitCounter(int counter, long least) {
        waitCounter(counter, least, COUNTER_BITS);
    }

    /// Waits until the low bits of the caller's counter meet or pass `least`, as [#waitSignal(int, long, int)]:
    /// the sources of that many puts may be reused.
    /// @counterpart `ncclGin::waitCounter`
    /// @param bits in `[1, 56]`
    public void waitCounter(int counter, long least, int bits) {
        long mask = mask("waitCounter", bits, COUNTER_BITS);
        comm.checks().checkCounter(context, "waitCounter", counter);
        long word = comm.layout().counter(context.index, counter);
        long offset = context.counters.offset(counter);
        try {
            if (SignalWaits.hasMet(this, context.words, word, offset, least, mask)) {
                return;
            }
        } catch (WaitTimeoutException e) {
            throw Wait.expired(WaitReports.counter(context, counter, counterValue(counter), least, mask), timeout);
        }
        SignalWaits.waitWord(
                this,
                context.words,
                word,
                offset,
                least,
                mask,
                () -> WaitReports.counter(context, counter, counterValue(counter), least, mask));
    }

    /// Sets the caller's counter to 0. No put with the counter may be under way.
    /// @counterpart `ncclGin::resetCounter`
    public void resetCounter(int counter) {
        comm.checks().checkCounter(context, "resetCounter", counter);
        once(() -> context.counters.reset(counter, context.raw(comm.layout().counter(context.index, counter))));
    }

    private long counterValue(int counter) {
        return context.raw(comm.layout().counter(context.index, counter)) - context.counters.offset(counter);
    }

    private long mask(String operation, int bits, int most) {
        if (bits < 1 || bits > most) {
            throw new IllegalArgumentException(
                    context.where(operation) + ": " + bits + " bits; allowed are [1, " + most + "]");
        }
        return RollingComparison.mask(bits);
    }

    /// Begins the use of a block of memory for an all-to-all of single values.
    /// @counterpart the constructor of `ncclLLA2ASession`
    /// @param team whose members exchange values; all pass the same, and the same block
    /// @param requirement of [ResourceRequirement#allToAll]
    /// @param block in `[0, blocks)` of the requirement
    /// @throws GinException with [GinError#BUSY] if another session of the caller uses the block
    public AllToAllSession allToAll(GinTeam team, ResourceRequirement requirement, int block) {
        return AllToAllSession.begin(this, team, requirement, block);
    }

    /// Returns what one thread of the group has computed, to all of them.
    long broadcast(LongSupplier value) {
        if (group == null) {
            return value.getAsLong();
        }
        return group.invokeOneBroadcast(value);
    }

    Duration timeout() {
        return timeout;
    }

    @Override
    public String toString() {
        return "context " + context.index + " of " + comm;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.WaitTimeoutException;
import coterie.stream.KernelGroup;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One context of a communicator: its one-sided operations, signals and counters. Answers to `ncclGin`.
///
/// A put may complete later than it returns, so that its source must not change before a counter, [#flush] or
/// [#await] says so; its target sees the bytes after a signal. The package has the table of what says what.
///
/// `peer` is a number in a team: [DeviceCommunicator#worldTeam] and its kind; the caller's own number is allowed.
/// Offsets count bytes of the named rank's window. All arguments are checked before anything is sent:
/// [IndexOutOfBoundsException] for peers, ranges and ids, [GinException] for what [GinError] lists. Waits end with
/// [GinError#TIMEOUT] at the deadline, and with [coterie.PeFailedException] when a PE fails.
///
/// It is an immutable value, also with [#by] and [#within]. Threads: see [DeviceCommunicator]. Operations on direct
/// peers allocate nothing.
public final class Gin implements BarrierScope {
    private static final int COUNTER_BITS = 56;
    private static final int MOST_VALUE_BYTES = Long.BYTES;

    private final GinContext context;
    private final DeviceCommunicator comm;
    private final Duration deadline;
    private final @Nullable KernelGroup group;

    Gin(GinContext context, Duration deadline) {
        this(context, deadline, null);
    }

    private Gin(GinContext context, Duration deadline, @Nullable KernelGroup group) {
        this.context = context;
        this.comm = context.comm;
        this.deadline = deadline;
        this.group = group;
    }

    /// Returns the same context for a group of a kernel's threads: all its threads call each operation together, with
    /// the same arguments, and it happens once. Answers to the arguments of type `Coop`.
    public Gin by(KernelGroup group) {
        return new Gin(context, deadline, Objects.requireNonNull(group, "by: group is null"));
    }

    /// Returns the same context with another deadline for its waits, in place of the communicator's. Answers to the
    /// timeouts of NCCL 2.31.
    ///
    /// @param deadline more than 0
    public Gin within(Duration deadline) {
        if (!Objects.requireNonNull(deadline, "within: deadline is null").isPositive()) {
            throw new IllegalArgumentException(
                    context.where("within") + ": a deadline of " + deadline + "; allowed are positive ones");
        }
        return new Gin(context, deadline, group);
    }

    Gin on(GinContext other) {
        return new Gin(other, deadline, group);
    }

    private Gin alone() {
        return new Gin(context, deadline);
    }

    /// Returns the communicator. Answers to `ncclGin::comm`.
    public DeviceCommunicator communicator() {
        return comm;
    }

    /// Returns the number of the context. Answers to `ncclGin::contextId`.
    public int contextIndex() {
        return context.index;
    }

    /// Returns the number of the connection that the context belongs to. Answers to `ncclGin::connectionId`.
    public int connectionIndex() {
        return context.index % comm.connectionCount();
    }

    /// Puts bytes, without actions; see
    /// [#put(GinTeam, int, Window, long, Window, long, long, RemoteAction, LocalAction, OptFlag)].
    public void put(
            GinTeam team, int peer, Window target, long targetOffset, Window source, long sourceOffset, long bytes) {
        put(team, peer, target, targetOffset, source, sourceOffset, bytes, RemoteAction.NONE, LocalAction.NONE);
    }

    /// Puts bytes, and acts at the peer.
    public void put(
            GinTeam team,
            int peer,
            Window target,
            long targetOffset,
            Window source,
            long sourceOffset,
            long bytes,
            RemoteAction remote) {
        put(team, peer, target, targetOffset, source, sourceOffset, bytes, remote, LocalAction.NONE);
    }

    /// Puts bytes, and acts at the peer and at the caller.
    public void put(
            GinTeam team,
            int peer,
            Window target,
            long targetOffset,
            Window source,
            long sourceOffset,
            long bytes,
            RemoteAction remote,
            LocalAction local) {
        put(team, peer, target, targetOffset, source, sourceOffset, bytes, remote, local, OptFlag.DEFAULT);
    }

    /// Starts to copy bytes of a window of the caller to a window of a peer. Answers to `ncclGin::put`.
    ///
    /// @param targetOffset in the peer's window
    /// @param sourceOffset in the caller's window
    /// @param bytes 0 or more; with 0 bytes only the actions happen
    /// @param remote at the peer, after all bytes are there
    /// @param local at the caller, once the source may be reused
    /// @throws coterie.PeFailedException if the peer is not direct, and has failed
    public void put(
            GinTeam team,
            int peer,
            Window target,
            long targetOffset,
            Window source,
            long sourceOffset,
            long bytes,
            RemoteAction remote,
            LocalAction local,
            OptFlag flag) {
        if (group != null) {
            Gin alone = alone();
            group.invokeOne(() ->
                    alone.put(team, peer, target, targetOffset, source, sourceOffset, bytes, remote, local, flag));
            return;
        }
        int rank = comm.target(context, "put", team, peer);
        comm.checkWindow(context, "put", target);
        comm.checkWindow(context, "put", source);
        target.check(context, "put", rank, targetOffset, bytes);
        source.check(context, "put", comm.rank(), sourceOffset, bytes);
        if (!local.isNone()) {
            comm.checkCounter(context, "put", local.counter());
        }
        if (!remote.isNone()) {
            comm.check(context, "put", rank, remote);
        }
        context.hint(flag);
        context.put(target, targetOffset, source, sourceOffset, bytes, rank, remote, local);
    }

    /// Puts elements. Answers to `ncclGin::put` with `ncclSymPtr`.
    ///
    /// @param target at the peer
    /// @param source at the caller, of the same type
    /// @param elements 0 or more
    public void put(
            GinTeam team,
            int peer,
            SymmetricPointer target,
            SymmetricPointer source,
            long elements,
            RemoteAction remote,
            LocalAction local) {
        if (target.type() != source.type()) {
            throw new IllegalArgumentException(context.where("put") + ": a target of " + target.type()
                    + " and a source of " + source.type() + "; allowed are equal types");
        }
        put(
                team,
                peer,
                target.window(),
                target.byteOffset(),
                source.window(),
                source.byteOffset(),
                target.bytes(elements),
                remote,
                local);
    }

    /// Puts a value, without an action.
    public void putValue(GinTeam team, int peer, Window target, long targetOffset, long value, int bytes) {
        putValue(team, peer, target, targetOffset, value, bytes, RemoteAction.NONE);
    }

    /// Starts to copy the low bytes of a value, little-endian, to a window of a peer. The peer sees 1, 2, 4 or 8 bytes
    /// at a multiple of their number at once. Answers to `ncclGin::putValue`.
    ///
    /// @param bytes in `[1, 8]`
    public void putValue(
            GinTeam team, int peer, Window target, long targetOffset, long value, int bytes, RemoteAction remote) {
        if (group != null) {
            Gin alone = alone();
            group.invokeOne(() -> alone.putValue(team, peer, target, targetOffset, value, bytes, remote));
            return;
        }
        int rank = comm.target(context, "putValue", team, peer);
        if (bytes < 1 || bytes > MOST_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    context.where("putValue") + ": a value of " + bytes + " bytes; allowed are [1, 8]");
        }
        comm.checkWindow(context, "putValue", target);
        target.check(context, "putValue", rank, targetOffset, bytes);
        if (!remote.isNone()) {
            comm.check(context, "putValue", rank, remote);
        }
        context.hint(OptFlag.DEFAULT);
        context.putValue(target, targetOffset, value, bytes, rank, remote);
    }

    /// Puts one element: the low bits of `bits`, as many as its type has. Answers to `ncclGin::putValue` with
    /// `ncclSymPtr`.
    public void putValue(GinTeam team, int peer, SymmetricPointer target, long bits, RemoteAction remote) {
        putValue(
                team,
                peer,
                target.window(),
                target.byteOffset(),
                bits,
                target.type().byteSize(),
                remote);
    }

    /// Acts at a peer. Answers to `ncclGin::signal`.
    ///
    /// @param remote any but [RemoteAction#NONE]
    public void signal(GinTeam team, int peer, RemoteAction remote) {
        if (group != null) {
            Gin alone = alone();
            group.invokeOne(() -> alone.signal(team, peer, remote));
            return;
        }
        int rank = comm.target(context, "signal", team, peer);
        if (remote.isNone()) {
            throw new IllegalArgumentException(
                    context.where("signal") + ": no action; allowed are increments and adds");
        }
        comm.check(context, "signal", rank, remote);
        context.hint(OptFlag.DEFAULT);
        context.signal(rank, remote);
    }

    /// Starts to copy bytes of a window of a peer to a window of the caller, which sees them after a [#flush].
    /// Answers to `ncclGin::get`.
    ///
    /// @param sourceOffset in the peer's window
    /// @param targetOffset in the caller's window
    /// @param bytes 0 or more
    public void get(
            GinTeam team, int peer, Window source, long sourceOffset, Window target, long targetOffset, long bytes) {
        if (group != null) {
            Gin alone = alone();
            group.invokeOne(() -> alone.get(team, peer, source, sourceOffset, target, targetOffset, bytes));
            return;
        }
        int rank = comm.target(context, "get", team, peer);
        comm.checkWindow(context, "get", source);
        comm.checkWindow(context, "get", target);
        source.check(context, "get", rank, sourceOffset, bytes);
        target.check(context, "get", comm.rank(), targetOffset, bytes);
        context.hint(OptFlag.DEFAULT);
        context.get(source, sourceOffset, target, targetOffset, bytes, rank);
    }

    /// Waits until the caller may reuse the sources of all puts that this context has posted, by any thread, and sees
    /// the bytes of its gets. It says nothing of the targets. Answers to `ncclGin::flush`.
    public void flush() {
        comm.checkOpen("flush");
        if (!comm.isDistributed()) {
            return;
        }
        once(() -> context.hint(OptFlag.DEFAULT));
        for (int peer = 0; peer < comm.size(); peer++) {
            PeerQueue queue = context.queue(peer);
            if (queue != null) {
                await("flush", new GinRequest(context, peer, queue.posted()));
            }
        }
    }

    /// Begins a flush of what this context has posted to one peer. Answers to `ncclGin::flushAsync`.
    public GinRequest flushAsync(GinTeam team, int peer) {
        int rank = comm.target(context, "flushAsync", team, peer);
        PeerQueue queue = context.queue(rank);
        once(() -> context.hint(OptFlag.DEFAULT));
        return new GinRequest(context, rank, queue == null ? 0 : queue.posted());
    }

    /// Returns whether a flush is complete, without waiting.
    public boolean isComplete(GinRequest request) {
        check("isComplete", request);
        comm.world().progress();
        return request.isComplete();
    }

    /// Waits until a flush is complete. Answers to `ncclGin::wait`.
    ///
    /// @param request of this context
    /// @throws GinException with [GinError#FOREIGN] for a request of another one
    public void await(GinRequest request) {
        check("await", request);
        await("await", request);
    }

    private void check(String operation, GinRequest request) {
        Objects.requireNonNull(request, () -> context.where(operation) + ": request is null");
        if (!request.context().equals(context)) {
            throw new GinException(
                    GinError.FOREIGN,
                    context.where(operation) + ": the request is of context " + request.context().index + " of "
                            + request.context().comm);
        }
    }

    private void await(String operation, GinRequest request) {
        PeerQueue queue = context.queue(request.peer());
        if (queue == null) {
            return;
        }
        if (group != null || !request.isComplete()) {
            new Wait.Progress(this, request::isComplete, () -> context.where(operation) + ": " + queue.report()).run();
        }
        queue.checkAlive();
    }

    /// Completes all that this context has posted, everywhere: its targets see the bytes and the signals. NCCL does
    /// not have it. Answers to `shmem_quiet`.
    public void quiet() {
        flush();
        if (comm.isDistributed() && (group != null || context.isBusy())) {
            new Wait.Progress(this, () -> !context.isBusy(), () -> context.where("quiet") + ": signals are under way")
                    .run();
        }
        once(context.context::quiet);
    }

    /// Returns the low bits of the caller's signal; what was ordered before its value is visible. Answers to
    /// `ncclGin::readSignal`.
    public long readSignal(int signal) {
        return readSignal(signal, Long.SIZE);
    }

    /// Returns the low bits of the caller's signal.
    ///
    /// @param bits in `[1, 64]`
    public long readSignal(int signal, int bits) {
        long mask = mask("readSignal", bits, Long.SIZE);
        comm.checkSignal(context, "readSignal", signal);
        return broadcast(() -> context.signalValue(signal) & mask);
    }

    /// Waits for all bits of a signal; see [#waitSignal(int, long, int)].
    public void waitSignal(int signal, long least) {
        waitSignal(signal, least, Long.SIZE);
    }

    /// Waits until the low bits of the caller's signal meet or pass `least`, on a circle: a value that is half of the
    /// circle or more ahead counts as behind. Answers to `ncclGin::waitSignal`.
    ///
    /// @param least of which the low bits count
    /// @param bits in `[1, 64]`
    public void waitSignal(int signal, long least, int bits) {
        long mask = mask("waitSignal", bits, Long.SIZE);
        comm.checkSignal(context, "waitSignal", signal);
        awaitSignal("waitSignal", signal, least, mask);
    }

    /// Waits as [#waitSignal(int, long)], for a value that nothing passes: a sign of signals that belong to another
    /// round.
    ///
    /// @throws GinException with [GinError#OVERSHOOT], if the value is more
    public void waitSignalExactly(int signal, long value) {
        comm.checkSignal(context, "waitSignalExactly", signal);
        long seen = awaitSignal("waitSignalExactly", signal, value, -1L);
        if (seen != value) {
            throw new GinException(
                    GinError.OVERSHOOT,
                    context.where("waitSignalExactly") + ": signal " + signal + " is " + Long.toUnsignedString(seen)
                            + ", and exactly " + Long.toUnsignedString(value) + " is expected");
        }
    }

    /// Sets the caller's signal to 0, and its shadow. No rank may change the signal meanwhile: the reset must be
    /// ordered after the signals that came, and before the next ones. Answers to `ncclGin::resetSignal`.
    ///
    /// @throws GinException with [GinError#RESET_RACE], if the checks are on and signals are on their way; nothing
    is
    ///     reset. On direct ranks none is ever on its way
    public void resetSignal(int signal) {
        comm.checkOpen("resetSignal");
        comm.checkSignal(context, "resetSignal", signal);
        once(() -> {
            long raw = context.raw(comm.layout().signal(context.index, signal));
            if (comm.isDistributed() && comm.checksSignals()) {
                checkDelivered(signal, raw);
            }
            context.use.reset(signal);
            context.signals.reset(signal, raw);
        });
    }

    /// Throws if ranks have sent more to a signal than has come.
    private void checkDelivered(int signal, long raw) {
        long sent = 0;
        for (int rank = 0; rank < comm.size(); rank++) {
            sent += comm.words().get(comm.layout().sent(comm.rank(), context.index, signal), rank);
        }
        if (sent != raw) {
            throw new GinException(
                    GinError.RESET_RACE,
                    context.where("resetSignal") + ": reset of signal " + signal + " with " + (sent - raw)
                            + " undelivered; wait for all signals before the reset");
        }
    }

    /// Returns the low bits of a VA signal of the caller. Answers to `ncclGin::readSignal` with a window.
    ///
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

    /// Waits for a VA signal of the caller, as [#waitSignal(int, long, int)]. Answers to `ncclGin::waitSignal` with a
    /// window.
    public void waitSignal(Window window, long byteOffset, long least, int bits) {
        long mask = mask("waitSignal", bits, Long.SIZE);
        checkVa("waitSignal", window, byteOffset);
        long word = window.word(comm.rank(), byteOffset);
        IntegerView words = window.longs(context.index);
        if (isMet(words, word, 0, least, mask)) {
            return;
        }
        waitWord(
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

    /// Stores 0 to a VA signal of the caller. No rank may change the signal meanwhile. Answers to
    /// `ncclGin::resetSignal` with a window.
    public void resetSignal(Window window, long byteOffset) {
        checkVa("resetSignal", window, byteOffset);
        once(() -> window.longs(context.index).set(window.word(comm.rank(), byteOffset), 0));
    }

    private void checkVa(String operation, Window window, long byteOffset) {
        comm.checkOpen(operation);
        comm.checkVa(context, operation, window);
        window.checkSignal(context.where(operation), comm.rank(), byteOffset);
    }

    /// Returns the shadow of a signal: a number of the caller's own for the value that it expects, 0 at first and
    /// after a reset. Answers to `ncclGin::getSignalShadowPtr`.
    public long signalShadow(int signal) {
        comm.checkSignal(context, "signalShadow", signal);
        return context.signals.shadow(signal);
    }

    /// Sets the shadow of a signal. Answers to a store through `ncclGin::getSignalShadowPtr`.
    public void setSignalShadow(int signal, long value) {
        comm.checkSignal(context, "setSignalShadow", signal);
        once(() -> context.signals.shadow(signal, value));
    }

    /// Adds to the shadow of a signal. Answers to `ncclGin::increaseSignalShadow`.
    public void increaseSignalShadow(int signal, long delta) {
        comm.checkSignal(context, "increaseSignalShadow", signal);
        once(() -> context.signals.increaseShadow(signal, delta));
    }

    /// Waits until a signal meets or passes its shadow. Answers to `ncclGin::waitSignalMeetShadow`.
    public void waitSignalMeetShadow(int signal) {
        comm.checkSignal(context, "waitSignalMeetShadow", signal);
        awaitSignal("waitSignalMeetShadow", signal, context.signals.shadow(signal), -1L);
    }

    /// Waits until a signal is at least `leastDelta` more than its shadow, and then sets the shadow to its value.
    /// Returns by how much that is more than before. Answers to `ncclGin::waitSignalFollowShadow`.
    public long waitSignalFollowShadow(int signal, long leastDelta) {
        comm.checkSignal(context, "waitSignalFollowShadow", signal);
        long before = context.signals.shadow(signal);
        long value = awaitSignal("waitSignalFollowShadow", signal, before + leastDelta, -1L);
        once(() -> context.signals.shadow(signal, value));
        return value - before;
    }

    /// Returns the value of the caller's counter, 56 bits. Answers to `ncclGin::readCounter`.
    public long readCounter(int counter) {
        return readCounter(counter, COUNTER_BITS);
    }

    /// Returns the low bits of the caller's counter.
    ///
    /// @param bits in `[1, 56]`
    public long readCounter(int counter, int bits) {
        long mask = mask("readCounter", bits, COUNTER_BITS);
        comm.checkCounter(context, "readCounter", counter);
        return broadcast(() -> counterValue(counter) & mask);
    }

    /// Waits for all 56 bits of a counter.
    public void waitCounter(int counter, long least) {
        waitCounter(counter, least, COUNTER_BITS);
    }

    /// Waits until the low bits of the caller's counter meet or pass `least`, as [#waitSignal(int, long, int)]: the
    /// sources of that many puts may be reused. Answers to `ncclGin::waitCounter`.
    ///
    /// @param bits in `[1, 56]`
    public void waitCounter(int counter, long least, int bits) {
        long mask = mask("waitCounter", bits, COUNTER_BITS);
        comm.checkCounter(context, "waitCounter", counter);
        long word = comm.layout().counter(context.index, counter);
        long offset = context.counters.offset(counter);
        if (isMet(context.words, word, offset, least, mask)) {
            return;
        }
        waitWord(
                context.words,
                word,
                offset,
                least,
                mask,
                () -> WaitReports.counter(context, counter, counterValue(counter), least, mask));
    }

    /// Sets the caller's counter to 0. No put with the counter may be under way. Answers to
    /// `ncclGin::resetCounter`.
    public void resetCounter(int counter) {
        comm.checkCounter(context, "resetCounter", counter);
        once(() -> context.counters.reset(counter, context.raw(comm.layout().counter(context.index, counter))));
    }

    private long awaitSignal(String operation, int signal, long least, long mask) {
        long word = comm.layout().signal(context.index, signal);
        long offset = context.signals.offset(signal);
        if (isMet(context.words, word, offset, least, mask)) {
            return context.raw(word) - offset;
        }
        return waitWord(
                context.words,
                word,
                offset,
                least,
                mask,
                () -> WaitReports.signal(context, operation, signal, least, mask));
    }

    /// Waits for a word of the caller without an allocation, and returns whether it has met or passed a number: if
    /// not, [#waitWord] goes on.
    private boolean isMet(IntegerView words, long word, long offset, long least, long mask) {
        if (group != null || comm.isDistributed()) {
            return false; // these waits are short ones, one after the other
        }
        long raw = GinContext.raw(words, word);
        if (RollingComparison.isAtMost(least, raw - offset, mask)) {
            return true;
        }
        long awaited = raw + RollingComparison.distance(least, raw - offset, mask);
        if (Long.compareUnsigned(awaited, raw) < 0) {
            return false;
        }
        try {
            raw = words.waitUntil(word, Comparison.GE, awaited, deadline);
        } catch (WaitTimeoutException e) {
            return false; // the wait that follows has the report
        }
        return RollingComparison.isAtMost(least, raw - offset, mask);
    }

    /// Waits until a word of the caller meets or passes a number, and returns its value, counted from the offset.
    long waitWord(IntegerView words, long word, long offset, long least, long mask, Supplier<String> report) {
        if (comm.isDistributed()) {
            once(() -> context.hint(OptFlag.DEFAULT));
        }
        long raw = GinContext.raw(words, word);
        if (group == null && RollingComparison.isAtMost(least, raw - offset, mask)) {
            return raw - offset;
        }
        Wait.Word wait = new Wait.Word(this, words, word, offset, least, mask, raw, report);
        wait.run();
        return group == null ? wait.value() : broadcast(() -> GinContext.raw(words, word) - offset);
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

    /// Runs an action once for the group.
    void once(Runnable action) {
        if (group == null) {
            action.run();
        } else {
            group.invokeOne(action);
        }
    }

    /// Returns what one thread of the group has computed, to all of them.
    private long broadcast(LongSupplier value) {
        if (group == null) {
            return value.getAsLong();
        }
        return group.invokeOneBroadcast(value);
    }

    GinContext context() {
        return context;
    }

    @Nullable
    KernelGroup group() {
        return group;
    }

    Duration deadline() {
        return deadline;
    }

    @Override
    public String toString() {
        return "context " + context.index + " of " + comm;
    }
}

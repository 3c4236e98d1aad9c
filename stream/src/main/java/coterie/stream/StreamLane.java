// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.PeFailedException;
import coterie.collective.Collective;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What is in a [WorkStream]: its queue, its contexts and requests, its failure.
final class StreamLane extends OperationLane {
    /// Skipped operations that a message lists.
    private static final int LISTED = 16;

    /// What orders a stream has with the legacy default stream.
    enum Kind {
        /// is the legacy default stream
        LEGACY,
        /// is ordered with it
        BLOCKING,
        /// has no order with it
        NON_BLOCKING,
        /// is no stream of the program, but has the operations of a group of a kernel's threads
        KERNEL
    }

    final int priority;

    /// The hardware queue that it shares with other streams, if the device has few.
    final int queue;

    /// Whether the engine polls it; the lock guards it.
    boolean isActive;

    private final StreamEngine engine;
    private final Kind kind;
    private final OperationQueue operations = new OperationQueue();
    private final AtomicLong completed = new AtomicLong();
    private final StreamContexts contexts;
    private final @Nullable LaneLog log;
    private final RequestCache requests = new RequestCache();
    private volatile long enqueued;
    private volatile long observed;
    private volatile boolean isClosed;
    private volatile boolean isReported;
    private volatile @Nullable OperationFailure failure;
    private volatile @Nullable GraphLane captured;

    private volatile boolean isCancelled;

    /// The kernel's thread that waits for an operation.
    private volatile @Nullable Thread parked;

    StreamLane(
            StreamEngine engine, int slot, String name, int queue, int priority, Kind kind, StreamContexts contexts) {
        super(slot, name);
        this.queue = queue;
        this.contexts = contexts;
        this.engine = engine;
        this.priority = priority;
        this.kind = kind;
        this.log = LaneLog.open(engine, this);
    }

    StreamEngine engine() {
        return engine;
    }

    StreamContexts contexts() {
        return contexts;
    }

    RequestCache requests() {
        return requests;
    }

    /// Returns what tells a diagnosis of the operations, or null.
    @Nullable
    LaneLog log() {
        return log;
    }

    @Override
    int recordedLane() {
        return log == null ? UNRECORDED : log.number();
    }

    Kind kind() {
        return kind;
    }

    @Override
    long position() {
        return enqueued;
    }

    @Override
    long completed() {
        return completed.get();
    }

    @Override
    long observed() {
        return observed;
    }

    @Override
    @Nullable
    OperationFailure failureBefore(long position) {
        OperationFailure first = failure;
        return first != null && first.position() < position ? first : null;
    }

    /// Notes that the program has seen operations complete.
    void observe(long position) {
        synchronized (engine) {
            observed = Math.max(observed, position);
        }
    }

    boolean isEmpty() {
        return completed.get() == enqueued;
    }

    boolean isClosed() {
        return isClosed;
    }

    /// Returns whether no call has thrown the stream's failure yet.
    boolean hasUnreportedFailure() {
        return failure != null && !isReported;
    }

    @Nullable
    GraphLane captured() {
        return captured;
    }

    void captured(@Nullable GraphLane lane) {
        captured = lane;
    }

    /// Returns the lane that gets what the program enqueues: this one, or that of a capture.
    OperationLane target() {
        GraphLane lane = captured;
        return lane == null ? this : lane;
    }

    String prefix(String operation) {
        return operation + " on stream \"" + name + "\", PE " + engine.world().pe() + ": ";
    }

    /// Throws if the handle is closed or an operation has failed.
    void checkUsable(String operation) {
        if (isClosed) {
            throw new IllegalStateException(prefix(operation) + "the stream is closed");
        }
        checkFailure(operation, Long.MAX_VALUE);
    }

    /// Throws if the stream captures.
    void checkNotCaptured(String operation) {
        if (captured != null) {
            throw prohibited(operation, "the stream captures, and none of its operations runs; call endCapture first");
        }
    }

    /// Returns whether what the program enqueues now does not run: the stream captures, or a blocking one does and
    /// this is the legacy default stream.
    boolean isCaptured() {
        if (kind != Kind.LEGACY) {
            return captured != null;
        }
        synchronized (engine) {
            return engine.lanes().stream().anyMatch(each -> each.kind == Kind.BLOCKING && each.captured != null);
        }
    }

    StreamException prohibited(String operation, String why) {
        return new StreamException(StreamError.PROHIBITED, prefix(operation) + why);
    }

    /// Throws if an operation before a position has failed.
    void checkFailure(String operation, long position) {
        OperationFailure first = failureBefore(position);
        if (first == null) {
            return;
        }
        isReported = true;
        List<String> skipped = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        long end = enqueued - (isClosed ? 1 : 0);
        for (long each = first.position() + 1; each < end; each++) {
            skipped.add(id(each));
            if (skipped.size() <= LISTED) {
                text.append(skipped.size() == 1 ? "; skipped: " : ", ").append(id(each));
            }
        }
        if (skipped.size() > LISTED) {
            text.append(" and ").append(skipped.size() - LISTED).append(" more");
        }
        throw new StreamException(
                prefix(operation) + id(first.position()) + ", " + first.operation() + ", has failed: " + first.cause()
                        + text + "; a stream that has failed runs nothing more, make another one",
                first.cause(),
                skipped);
    }

    /// Begins to enqueue: checks the stream, and orders the operation with the legacy default stream. The caller
    /// holds the lock, sets the arguments and calls [#append].
    StreamOperation begin(OperationType type) {
        checkUsable(type.label());
        if (captured == null) {
            orderWithLegacy(type.label());
        }
        return acquire(type);
    }

    private StreamOperation acquire(OperationType type) {
        StreamOperation operation = captured == null ? operations.acquire(completed.get()) : new StreamOperation();
        operation.isCaptured = captured != null;
        operation.type = type;
        return operation;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // the lock guards it
    void append(StreamOperation operation) {
        GraphLane lane = captured;
        if (lane != null) {
            lane.append(operation);
            return;
        }
        StreamScheduler scheduler = engine.scheduler();
        if (scheduler != null && kind != Kind.KERNEL) {
            scheduler.issued(this, enqueued, operation);
        }
        engine.lateCopies().check(this, operation);
        if (log != null) {
            log.issue(enqueued, operation);
        }
        operations.append(operation);
        enqueued = enqueued + 1;
        engine.activate(this);
    }

    private void orderWithLegacy(String operation) {
        StreamLane legacy = engine.legacy();
        if (legacy == null || kind == Kind.NON_BLOCKING || kind == Kind.KERNEL) {
            return;
        }
        if (kind == Kind.BLOCKING) {
            orderAfter(legacy);
            return;
        }
        for (StreamLane each : engine.lanes()) {
            if (each.kind == Kind.BLOCKING) {
                if (each.captured != null) {
                    throw prohibited(
                            operation,
                            "stream \"" + each.name + "\", which is ordered with the legacy default stream, captures");
                }
                orderAfter(each);
            }
        }
    }

    /// Orders the next operation after all that another stream has.
    private void orderAfter(StreamLane other) {
        if (clock.at(other.slot) < other.enqueued) {
            orderAfter(other, other.enqueued, OperationType.ORDER);
            clock.join(other.clock);
        }
    }

    /// Orders the next operation after what an event has captured. The caller holds the lock and has checked this
    /// lane.
    void waitFor(StreamEvent event, OperationLane recorded) {
        if (recorded instanceof GraphLane other) {
            joinCapture(event, other);
        } else if (captured != null) {
            throw prohibited("waitEvent", "the event was recorded outside the capture, where its work has no place");
        } else {
            orderWithLegacy("waitEvent");
        }
        if (!recorded.equals(target())) {
            orderAfter(recorded, event.end(), OperationType.WAIT_EVENT);
            target().clock.join(event.clock());
        }
    }

    /// Orders the next operation after operations of a lane of another runtime. The caller holds the lock and has
    /// checked this lane.
    void waitForForeign(StreamLane other, long end) {
        if (captured != null) {
            throw prohibited("waitEvent", "the event was recorded outside the capture, where its work has no place");
        }
        orderWithLegacy("waitEvent");
        if (other.completed() < end || other.failureBefore(end) != null) {
            StreamOperation operation = acquire(OperationType.WAIT_EVENT);
            operation.object = other;
            operation.count = end;
            append(operation);
        }
    }

    private void joinCapture(StreamEvent event, GraphLane other) {
        GraphLane mine = captured;
        if (!other.graph().isCapturing()) {
            throw event.capturedError("waitEvent");
        }
        if (mine == null) {
            if (kind == Kind.LEGACY) {
                throw prohibited("waitEvent", "the legacy default stream can't join a capture");
            }
            other.graph().join(this);
        } else if (!mine.graph().equals(other.graph())) {
            throw prohibited("waitEvent", "this stream and that of the event belong to two captures");
        }
    }

    /// Orders the next operation after the operations of a lane before a position.
    void orderAfter(OperationLane other, long position, OperationType type) {
        boolean isOver =
                other.completed() >= position && (type == OperationType.ORDER || other.failureBefore(position) == null);
        if (!isOver) {
            StreamOperation operation = acquire(type);
            operation.object = other;
            operation.count = position;
            append(operation);
        }
        target().clock.join(other.slot, position);
    }

    /// Enqueues what a draft describes.
    void take(StreamOperation draft) {
        synchronized (engine) {
            StreamOperation operation = begin(draft.type);
            operation.take(draft);
            issue(operation);
        }
    }

    /// Enqueues an operation after [#begin], a collective with its request.
    void issue(StreamOperation operation) {
        CachedRequest request = operation.object instanceof Collective collective
                ? CollectiveOrder.prepare(this, operation, collective)
                : null;
        append(operation);
        if (request != null) {
            request.usedBefore = enqueued;
        }
    }

    /// Enqueues a kernel.
    void launch(KernelRun run) {
        synchronized (engine) {
            checkUsable(OperationType.KERNEL.label());
            launchAgreed(run);
        }
    }

    /// Enqueues a kernel that all members launch. If the stream has failed since the members have agreed, it skips
    /// the kernel.
    void launchAgreed(KernelRun run) {
        synchronized (engine) {
            if (captured == null) {
                orderWithLegacy(OperationType.KERNEL.label());
            }
            StreamOperation operation = acquire(OperationType.KERNEL);
            operation.object = run;
            append(operation);
        }
    }

    /// Waits until so many operations are over; only threads of kernels wait so.
    void park(long position) {
        parked = Thread.currentThread();
        while (completed.get() < position && failure == null) {
            LockSupport.park(this);
        }
        parked = null;
        checkFailure("an operation of a kernel", position);
    }

    /// Fails the lane for a reason of its kernel: its wait ends. A collective still happens, since the other
    /// members wait for it.
    void cancel(Throwable cause) {
        isReported = true;
        isCancelled = true;
        fail(new OperationFailure(completed.get(), "an operation of a kernel", cause));
        LockSupport.unpark(parked);
    }

    /// Passes the operations that are not over from a position on. The caller holds the lock, so no descriptor is
    /// reused meanwhile; one that ends meanwhile refers to nothing.
    void forEachPendingAfter(long first, Consumer<StreamOperation> consumer) {
        long position = completed.get();
        for (StreamOperation each = operations.peek(); each != null; each = each.next) {
            if (position >= first) {
                consumer.accept(each);
            }
            position++;
        }
    }

    /// Ends the handle: operations that are pending still run.
    void close() {
        if (!isClosed) {
            checkNotCaptured("close");
            isClosed = true;
            append(acquire(OperationType.RELEASE));
        }
    }

    /// Runs up to so many operations. Only the thread that runs the hook calls it.
    ///
    /// @return whether one is over
    boolean advance(int quantum) {
        long position = completed.get();
        long first = position;
        while (position - first < quantum) {
            StreamOperation operation = operations.peek();
            if (operation == null || !mayRun(operation) || !isOver(operation, position)) {
                break;
            }
            end(operation);
            if (log != null) {
                log.ended(position, operation);
            }
            operation.clear();
            operations.remove(operation);
            position++;
            completed.setRelease(position);
        }
        if (log != null) {
            log.advanced(position, position > first, operations);
        }
        if (kind == Kind.KERNEL && position > first) {
            VarHandle.fullFence(); // before it looks for a thread that looks at the number before it parks
            LockSupport.unpark(parked);
        }
        return position > first;
    }

    private boolean mayRun(StreamOperation operation) {
        return engine.scheduler() == null || kind == Kind.KERNEL || operation.isStarted || failure != null;
    }

    private void end(StreamOperation operation) {
        StreamScheduler scheduler = engine.scheduler();
        if (scheduler != null && kind != Kind.KERNEL) {
            scheduler.ended(operation);
        }
    }

    private boolean isOver(StreamOperation operation, long position) {
        boolean isOwed = isCancelled && operation.object instanceof CachedRequest;
        OperationFailure first = failure;
        if (first != null && operation.type != OperationType.RELEASE && !isOwed) {
            if (log != null) {
                log.skip(operation, id(first.position()) + ", " + first.operation() + ", has failed");
            }
            if (operation.object instanceof StreamGraph graph) {
                graph.skip();
            }
            return true;
        }
        if (log != null && operation.type.runsCode()) {
            log.runs(position, operation);
        }
        try {
            return operation.type.step().poll(operation, this);
        } catch (UpstreamFailure e) {
            fail(new OperationFailure(position, operation + ", after " + e.text(), e.first()));
        } catch (Throwable e) { // also an error of a host function must not end the hook
            fail(new OperationFailure(position, operation.toString(), e));
        }
        return true;
    }

    private void fail(OperationFailure first) {
        if (failure == null) {
            failure = first;
            notifyFailure(first.cause());
            if (first.cause() instanceof PeFailedException) {
                engine.failures().noteTold();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.stream.StreamException;
import coterie.stream.StreamOption;
import coterie.stream.WorkStream;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A stream of the driver with its lane: how operations of the host are enqueued between those of the device, and
/// what happens when one fails.
final class StreamCore {
    /// Commands of the driver that may follow an operation of the lane that is not over. The driver has room for
    /// some 1,000, and blocks a caller in an enqueue without room; the lane may need this very thread.
    private static final int ROOM = 512;

    /// Operations of the lane whose commands are counted, a power of two.
    private static final int COUNTED = 512;

    final DeviceContext context;
    final String name;
    final long handle;
    final WorkStream lane;
    final ReentrantLock lock = new ReentrantLock();

    private final LaneWords words;
    private final BooleanSupplier hasRoom = new Room();
    private final BooleanSupplier isOver = new Completion();

    // The lock guards these for writers; a thread that waits for room reads them without it.
    private volatile long issued;
    private volatile long commands;
    private final long[] commandsAt = new long[COUNTED];

    private volatile boolean hasFailed;
    private volatile @Nullable Throwable broken;
    private volatile boolean isClosed;
    private boolean isCapturing;

    StreamCore(Cuda cuda, String name, int priority) {
        this.context = cuda.context();
        this.name = name;
        String operation = "createStream";
        this.handle = context.created(
                operation,
                result -> context.driver.call(
                        DriverFunction.STREAM_CREATE_WITH_PRIORITY,
                        result,
                        DriverConstant.CU_STREAM_NON_BLOCKING.value(),
                        priority));
        boolean isDone = false;
        try {
            this.words = new LaneWords(context, cuda.words().acquire(operation), handle);
            this.lane = cuda.runtime().createStream(name, priority, StreamOption.NON_BLOCKING);
            isDone = true;
        } finally {
            if (!isDone) {
                context.driver.call(DriverFunction.STREAM_DESTROY, handle);
            }
        }
        lane.onFailure(_ -> {
            hasFailed = true;
            words.poison();
        });
    }

    /// That few enough commands follow the lane's operation.
    private final class Room implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            long done = words.done();
            long last = issued;
            return done >= last || commands - commandsAt[(int) (done + 1) & COUNTED - 1] < ROOM;
        }

        @Override
        public String toString() {
            return "room for commands of stream \"" + name + "\"";
        }
    }

    /// That the driver has done all that the stream has.
    private final class Completion implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return context.isOver("synchronize", context.driver.call(DriverFunction.STREAM_QUERY, handle));
        }

        @Override
        public String toString() {
            return "end of the work of stream \"" + name + "\"";
        }
    }

    String prefix(String operation) {
        return operation + " on stream \"" + name + "\", PE " + context.world.pe() + ": ";
    }

    /// Begins a call: throws if the stream is closed or has failed, or the device is lost.
    void check(String operation) {
        if (isClosed) {
            throw new IllegalStateException(prefix(operation) + "the stream is closed");
        }
        context.enter(operation);
        if (hasFailed) {
            lane.query(); // throws with the first cause
        }
        Throwable cause = broken;
        if (cause != null) {
            throw new IllegalStateException(
                    prefix(operation) + "an earlier operation could not be enqueued in full, so that the stream has no"
                            + " order any more; make another one: " + cause.getMessage(),
                    cause);
        }
    }

    /// Begins to enqueue a command of the driver. The caller calls [#unlock] in a `finally`.
    void lock(String operation) {
        check(operation);
        if (!hasRoom.getAsBoolean()) {
            context.world.progressUntil(hasRoom);
        }
        lock.lock();
    }

    /// Begins as [#lock] does, when all that the stream has is over. A stream that captures is idle: the copy
    /// becomes a part of the graph.
    void lockIdle(String operation) {
        while (true) {
            check(operation);
            lock.lock();
            boolean isIdle = false;
            try {
                isIdle = isCapturing() || isOver.getAsBoolean();
            } finally {
                if (!isIdle) {
                    lock.unlock();
                }
            }
            if (isIdle) {
                return;
            }
            await();
        }
    }

    void unlock() {
        lock.unlock();
    }

    /// Enqueues a command of the driver.
    void enqueue(String operation, DriverFunction function, long a, long b, long c, long d) {
        lock(operation);
        try {
            enqueued(operation, context.driver.call(function, a, b, c, d));
        } finally {
            unlock();
        }
    }

    /// Checks the result of a command that a caller has enqueued with the lock.
    @SuppressWarnings("NonAtomicVolatileUpdate") // the lock guards it
    void enqueued(String operation, int result) {
        context.check(operation, result);
        commands = commands + 1;
    }

    /// Begins operations of the lane, which run when the device comes to this place; the caller enqueues them to
    /// the lane, and calls [#end] in a `finally`.
    void begin(String operation) {
        lock(operation);
        boolean isDone = false;
        try {
            refuseCapture(operation);
            long number = issued + 1;
            commandsAt[(int) number & COUNTED - 1] = commands;
            enqueued(
                    operation,
                    context.driver.call(
                            DriverFunction.STREAM_WRITE_VALUE,
                            handle,
                            words.startPointer(),
                            number,
                            DriverConstant.CU_STREAM_WRITE_VALUE_DEFAULT.value()));
            issued = number;
            lane.executeUntil(words.hasStarted);
            isDone = true;
        } finally {
            if (!isDone) {
                lock.unlock();
            }
        }
    }

    /// Lets the device go on after the operations of the lane.
    void end(String operation) {
        try {
            lane.execute(words.finish);
            enqueued(
                    operation,
                    context.driver.call(
                            DriverFunction.STREAM_WAIT_VALUE,
                            handle,
                            words.donePointer(),
                            issued,
                            DriverConstant.CU_STREAM_WAIT_VALUE_GEQ.value()));
        } catch (CudaException e) {
            broken = e; // the device does not wait for the lane
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /// Returns whether the stream is part of a capture; without the lock.
    boolean isCaptured() {
        if (context.captures.get() == 0) {
            return false;
        }
        lock.lock();
        try {
            return isCapturing();
        } finally {
            lock.unlock();
        }
    }

    /// Throws if the stream is part of a capture. The caller has the lock, or no other thread captures.
    void refuseCapture(String operation) {
        if (isCapturing()) {
            throw context.refusal(
                    operation,
                    DriverConstant.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED.value(),
                    "stream \"" + name + "\" captures, and a graph of the driver can't have operations that the host"
                            + " does; enqueue it outside the capture");
        }
    }

    /// Returns whether the stream is part of a capture. The caller has the lock.
    boolean isCapturing() {
        context.check(
                "capture", context.driver.call(DriverFunction.STREAM_IS_CAPTURING, handle, words.answerAddress()));
        return words.answer() != DriverConstant.CU_STREAM_CAPTURE_STATUS_NONE.value();
    }

    /// The lane is complete shortly after the device has passed its last operation.
    boolean query() {
        check("query");
        return isOver.getAsBoolean() && lane.query();
    }

    void synchronize() {
        check("synchronize");
        if (context.captures.get() > 0) {
            lock.lock();
            try {
                refuseCapture("synchronize");
            } finally {
                lock.unlock();
            }
        }
        await();
    }

    /// Waits for the work that the stream has.
    private void await() {
        StreamException failure = null;
        try {
            lane.synchronize(); // first, as a wait that a diagnosis sees
        } catch (StreamException e) {
            failure = e; // after the work of the device
        }
        context.world.progressUntil(isOver);
        if (failure != null) {
            throw failure;
        }
    }

    boolean isClosed() {
        return isClosed;
    }

    /// Ends the handle; what is pending still runs.
    void close() {
        isClosed = true;
        lane.close();
    }

    /// Returns whether nothing of the stream runs any more; also if the device is lost.
    boolean isOver() {
        if (context.isLost()) {
            return true;
        }
        return context.driver.call(DriverFunction.STREAM_QUERY, handle) != DeviceContext.NOT_READY;
    }

    void awaitOver() {
        if (!isOver()) {
            context.world.progressUntil(this::isOver);
        }
    }

    /// Gives back what the stream had. Its work is over.
    void release(Cuda cuda) {
        if (context.canRelease()) {
            context.driver.call(DriverFunction.STREAM_DESTROY, handle);
            cuda.words().release(words.line);
        }
    }

    void beginCapture(int mode) {
        lock("beginCapture");
        try {
            context.check("beginCapture", context.driver.call(DriverFunction.STREAM_BEGIN_CAPTURE, handle, mode));
            isCapturing = true;
            context.captures.incrementAndGet();
        } finally {
            unlock();
        }
    }

    long endCapture() {
        lock("endCapture");
        try {
            return context.created("endCapture", result -> {
                int ended = context.driver.call(DriverFunction.STREAM_END_CAPTURE, handle, result);
                if (isCapturing) {
                    isCapturing = false;
                    context.captures.decrementAndGet();
                }
                return ended;
            });
        } finally {
            unlock();
        }
    }
}

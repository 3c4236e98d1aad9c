// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/// What a law of [DriverContract] works with: a context of a driver's first device, a registered page of the host,
/// and the objects of the driver that the law makes, which end with it.
final class DriverBench {
    static final int SUCCESS = DriverConstant.CUDA_SUCCESS.value();

    /// A multiple of the pages of all machines.
    static final int PAGE_BYTES = 1 << 16;

    private static final VarHandle WORD = JAVA_LONG.varHandle();
    private static final long HOLD = 0;

    final LibCuda driver;
    final Arena arena = Arena.ofShared();

    /// Where the driver writes results.
    final MemorySegment results = arena.allocate(64, 8);

    final MemorySegment page = arena.allocate(PAGE_BYTES, PAGE_BYTES);

    /// The device's address of the page.
    final long pagePointer;

    private final Deque<Runnable> ends = new ArrayDeque<>();
    private final long context;
    private long holds;
    private long graph;

    DriverBench(LibCuda driver) {
        this.driver = driver;
        check(driver.call(DriverFunction.INIT, 0));
        check(driver.call(DriverFunction.DEVICE_GET, result(), 0));
        int device = numberAt(0);
        check(driver.call(DriverFunction.DEVICE_PRIMARY_CTX_RETAIN, result(), device));
        context = results.get(JAVA_LONG, 0);
        ends.push(() -> check(driver.call(DriverFunction.DEVICE_PRIMARY_CTX_RELEASE, device)));
        enter();
        ends.push(() -> check(driver.call(DriverFunction.CTX_SET_CURRENT, 0)));
        check(register(page));
        ends.push(() -> check(unregister(page)));
        check(driver.call(DriverFunction.MEM_HOST_GET_DEVICE_POINTER, result(), page.address(), 0));
        pagePointer = results.get(JAVA_LONG, 0);
    }

    /// Makes the context that of the calling thread.
    void enter() {
        check(driver.call(DriverFunction.CTX_SET_CURRENT, context));
    }

    /// Lets all streams go on, and ends what the law has made.
    void close() {
        holds = Long.MAX_VALUE;
        letGo();
        ends.forEach(Runnable::run);
        arena.close();
    }

    void check(int result) {
        assertThat(result).as(() -> driver.name(result)).isEqualTo(SUCCESS);
    }

    long result() {
        return results.address();
    }

    int numberAt(long offset) {
        return results.get(JAVA_INT, offset);
    }

    int number(DriverFunction function) {
        check(driver.call(function, result()));
        return numberAt(0);
    }

    private long made(int result, DriverFunction end) {
        check(result);
        long handle = results.get(JAVA_LONG, 0);
        ends.push(() -> check(driver.call(end, handle)));
        return handle;
    }

    /// Runs calls in a thread that has no context yet.
    void inThread(Runnable calls) throws InterruptedException {
        Thread.ofPlatform().start(calls).join();
    }

    @SuppressWarnings("ThreadPriorityCheck") // a device may need the processor
    void await(String what, BooleanSupplier isTrue) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!isTrue.getAsBoolean()) {
            assertThat(System.nanoTime()).as("%s has not come in time", what).isLessThan(deadline);
            Thread.yield();
        }
    }

    // ----------------------------------------------------------------------------------------------------- memory

    long allocate(long bytes) {
        return made(driver.call(DriverFunction.MEM_ALLOC, result(), bytes), DriverFunction.MEM_FREE);
    }

    int register(MemorySegment pages) {
        int flags = DriverConstant.CU_MEMHOSTREGISTER_PORTABLE.value()
                | DriverConstant.CU_MEMHOSTREGISTER_DEVICEMAP.value();
        return driver.call(DriverFunction.MEM_HOST_REGISTER, pages.address(), pages.byteSize(), flags);
    }

    int unregister(MemorySegment pages) {
        return driver.call(DriverFunction.MEM_HOST_UNREGISTER, pages.address());
    }

    /// Returns a word of the registered page.
    long word(long offset) {
        return (long) WORD.getVolatile(page, offset);
    }

    void word(long offset, long value) {
        WORD.setVolatile(page, offset, value);
    }

    void toDevice(long target, MemorySegment source, long stream) {
        check(driver.call(DriverFunction.MEMCPY_TO_DEVICE, target, source.address(), source.byteSize(), stream));
    }

    void toHost(MemorySegment target, long source, long stream) {
        check(driver.call(DriverFunction.MEMCPY_TO_HOST, target.address(), source, target.byteSize(), stream));
    }

    void copy(long target, long source, long bytes, long stream) {
        check(driver.call(DriverFunction.MEMCPY, target, source, bytes, stream));
    }

    void fill(long target, int value, long bytes, long stream) {
        check(driver.call(DriverFunction.MEMSET, target, value, bytes, stream));
    }

    /// Returns bytes of the device after the work of a stream.
    byte[] seen(long memory, long bytes, long stream) {
        MemorySegment seen = arena.allocate(bytes);
        toHost(seen, memory, stream);
        synchronize(stream);
        return bytes(seen);
    }

    static byte[] bytes(MemorySegment segment) {
        return segment.toArray(JAVA_BYTE);
    }

    // ---------------------------------------------------------------------------------------------------- streams

    /// Makes a stream that ends with the law.
    long stream() {
        long stream = newStream();
        ends.push(() -> {
            if (captureStatus(stream) != DriverConstant.CU_STREAM_CAPTURE_STATUS_NONE.value()) {
                endCapture(stream);
            }
            synchronize(stream);
            check(driver.call(DriverFunction.STREAM_DESTROY, stream));
        });
        return stream;
    }

    long newStream() {
        int flags = DriverConstant.CU_STREAM_NON_BLOCKING.value();
        check(driver.call(DriverFunction.STREAM_CREATE_WITH_PRIORITY, result(), flags, 0));
        return results.get(JAVA_LONG, 0);
    }

    int query(long stream) {
        return driver.call(DriverFunction.STREAM_QUERY, stream);
    }

    void synchronize(long stream) {
        await("the work of a stream", () -> {
            int result = query(stream);
            if (result != DriverConstant.CUDA_ERROR_NOT_READY.value()) {
                check(result);
            }
            return result == SUCCESS;
        });
    }

    /// Lets a stream wait until [#letGo].
    void hold(long stream) {
        check(driver.call(
                DriverFunction.STREAM_WAIT_VALUE,
                stream,
                pagePointer + HOLD,
                ++holds,
                DriverConstant.CU_STREAM_WAIT_VALUE_GEQ.value()));
    }

    /// Ends the waits so far.
    void letGo() {
        word(HOLD, holds);
    }

    /// Lets a stream write a word of the registered page.
    void write(long stream, long offset, long value) {
        check(driver.call(
                DriverFunction.STREAM_WRITE_VALUE,
                stream,
                pagePointer + offset,
                value,
                DriverConstant.CU_STREAM_WRITE_VALUE_DEFAULT.value()));
    }

    // ---------------------------------------------------------------------------------- events, captures, modules

    /// Makes an event that ends with the law.
    long event(DriverConstant flags) {
        return made(driver.call(DriverFunction.EVENT_CREATE, result(), flags.value()), DriverFunction.EVENT_DESTROY);
    }

    long newEvent(DriverConstant flags) {
        check(driver.call(DriverFunction.EVENT_CREATE, result(), flags.value()));
        return results.get(JAVA_LONG, 0);
    }

    void record(long event, long stream) {
        check(driver.call(DriverFunction.EVENT_RECORD, event, stream));
    }

    void waitEvent(long stream, long event) {
        check(driver.call(DriverFunction.STREAM_WAIT_EVENT, stream, event, 0));
    }

    int elapsed(long start, long end) {
        return driver.call(DriverFunction.EVENT_ELAPSED_TIME, result(), start, end);
    }

    int captureStatus(long stream) {
        check(driver.call(DriverFunction.STREAM_IS_CAPTURING, stream, result()));
        return numberAt(0);
    }

    int beginCapture(long stream, int mode) {
        return driver.call(DriverFunction.STREAM_BEGIN_CAPTURE, stream, mode);
    }

    int endCapture(long stream) {
        int result = driver.call(DriverFunction.STREAM_END_CAPTURE, stream, result());
        if (result == SUCCESS) {
            graph = made(result, DriverFunction.GRAPH_DESTROY);
        }
        return result;
    }

    /// Makes the graph of the last capture ready for launches.
    long instantiate() {
        return made(
                driver.call(DriverFunction.GRAPH_INSTANTIATE, result(), graph, 0), DriverFunction.GRAPH_EXEC_DESTROY);
    }

    int load(String text) {
        return driver.call(
                DriverFunction.MODULE_LOAD_DATA,
                result(),
                arena.allocateFrom(text).address(),
                0,
                0,
                0);
    }

    int function(long module, String kernel) {
        return driver.call(
                DriverFunction.MODULE_GET_FUNCTION,
                result(),
                module,
                arena.allocateFrom(kernel).address());
    }
}

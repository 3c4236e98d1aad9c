// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import static coterie.cuda.driver.DriverBench.SUCCESS;
import static coterie.cuda.driver.DriverBench.bytes;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What this module relies on of the functions of `libcuda`, as NVIDIA's documentation of the driver has it: the
/// laws of each driver that tests run on. A law asks for a result by name where the documentation names it for that
/// case; where it only says that a call is wrong, each result but success is right.
abstract class DriverContract {
    private static final int NOT_READY = DriverConstant.CUDA_ERROR_NOT_READY.value();
    private static final int INVALID_VALUE = DriverConstant.CUDA_ERROR_INVALID_VALUE.value();

    // Results that the module itself need not know.
    private static final int INVALID_DEVICE = 101;
    private static final int INVALID_CONTEXT = 201;
    private static final int INVALID_HANDLE = 400;
    private static final int NOT_FOUND = 500;
    private static final int NOT_REGISTERED = 713;
    private static final int INVALIDATED = 901;
    private static final int CAPTURED_EVENT = 907;
    private static final int WRONG_THREAD = 908;

    private static final int GEQ = DriverConstant.CU_STREAM_WAIT_VALUE_GEQ.value();
    private static final int EQ = DriverConstant.CU_STREAM_WAIT_VALUE_EQ.value();
    private static final int AND = DriverConstant.CU_STREAM_WAIT_VALUE_AND.value();
    private static final int NOR = DriverConstant.CU_STREAM_WAIT_VALUE_NOR.value();
    private static final int THREAD_LOCAL = DriverConstant.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL.value();

    /// A kernel without parameters, for each device that the module takes.
    private static final String NOTHING = """
            .version 7.0
            .target sm_70
            .address_size 64
            .visible .entry nothing()
            {
                ret;
            }
            """;

    private DriverBench bench;

    /// Returns the driver that has to keep the laws.
    abstract LibCuda driver();

    @BeforeEach
    void open() {
        bench = new DriverBench(driver());
    }

    @AfterEach
    void close() {
        if (bench != null) { // a driver that is not there skips the test
            bench.close();
        }
    }

    @Test
    @DisplayName("the driver is of CUDA 12 or later, and there is a device")
    void version() {
        assertThat(bench.number(DriverFunction.DRIVER_GET_VERSION)).isGreaterThanOrEqualTo(12_000);
        assertThat(bench.number(DriverFunction.DEVICE_GET_COUNT)).isPositive();
    }

    @Test
    @DisplayName("a device beyond their number is an invalid device")
    void noSuchDevice() {
        long count = bench.number(DriverFunction.DEVICE_GET_COUNT);
        assertThat(bench.driver.call(DriverFunction.DEVICE_GET, bench.result(), count))
                .isEqualTo(INVALID_DEVICE);
    }

    @Test
    @DisplayName("a thread without a context allocates nothing; with the context of another thread it does")
    void contexts() throws InterruptedException {
        int[] results = new int[2];
        bench.inThread(() -> {
            results[0] = bench.driver.call(DriverFunction.MEM_ALLOC, bench.result(), 64);
            bench.enter();
            results[1] = bench.driver.call(DriverFunction.MEM_GET_INFO, bench.result(), bench.result() + Long.BYTES);
        });
        assertThat(results).containsExactly(INVALID_CONTEXT, SUCCESS);
    }

    @Test
    @DisplayName("a result has its name of the header and a text; a number that is no result has neither")
    void names() {
        assertThat(bench.driver.name(2)).isEqualTo("CUDA_ERROR_OUT_OF_MEMORY");
        assertThat(bench.driver.explanation(2)).isNotBlank();
        for (DriverFunction each :
                new DriverFunction[] {DriverFunction.GET_ERROR_NAME, DriverFunction.GET_ERROR_STRING}) {
            bench.results.set(JAVA_LONG, 0, 7);
            assertThat(bench.driver.call(each, 123_456, bench.result())).isEqualTo(INVALID_VALUE);
            assertThat(bench.results.get(JAVA_LONG, 0)).as("address of the text").isZero();
        }
    }

    @Test
    @DisplayName("allocations have addresses that are multiples of 256, and no byte in common")
    void allocations() {
        long first = bench.allocate(1000);
        long second = bench.allocate(1000);
        assertThat(first % 256).isZero();
        assertThat(second % 256).isZero();
        assertThat(Math.abs(first - second)).isGreaterThanOrEqualTo(1000);
    }

    @Test
    @DisplayName("an allocation of no bytes is an invalid value")
    void emptyAllocation() {
        assertThat(bench.driver.call(DriverFunction.MEM_ALLOC, bench.result(), 0))
                .isEqualTo(INVALID_VALUE);
    }

    @Test
    @DisplayName("more bytes than the device has are out of memory, and a later allocation gets its bytes")
    void outOfMemory() {
        bench.check(bench.driver.call(DriverFunction.MEM_GET_INFO, bench.result(), bench.result() + Long.BYTES));
        long free = bench.results.get(JAVA_LONG, 0);
        long all = bench.results.get(JAVA_LONG, Long.BYTES);
        assertThat(free).isPositive().isLessThanOrEqualTo(all);
        assertThat(bench.driver.call(DriverFunction.MEM_ALLOC, bench.result(), all + (1L << 30)))
                .isEqualTo(DriverConstant.CUDA_ERROR_OUT_OF_MEMORY.value());
        assertThat(bench.allocate(64)).isPositive();
    }

    @Test
    @DisplayName("memory is freed once, and by its first address")
    void frees() {
        bench.check(bench.driver.call(DriverFunction.MEM_ALLOC, bench.result(), 4096));
        long memory = bench.results.get(JAVA_LONG, 0);
        assertThat(bench.driver.call(DriverFunction.MEM_FREE, memory + 256)).isNotEqualTo(SUCCESS);
        assertThat(bench.driver.call(DriverFunction.MEM_FREE, memory)).isEqualTo(SUCCESS);
        assertThat(bench.driver.call(DriverFunction.MEM_FREE, memory)).isNotEqualTo(SUCCESS);
    }

    @Test
    @DisplayName("bytes go from pageable memory to the device, on the device, and back")
    void copies() {
        long stream = bench.stream();
        long memory = bench.allocate(20_000);
        MemorySegment mine = bench.arena.allocate(10_000);
        MemorySegment seen = bench.arena.allocate(10_000);
        for (int i = 0; i < 10_000; i++) {
            mine.set(JAVA_BYTE, i, (byte) (i * 7));
        }
        bench.toDevice(memory, mine, stream);
        bench.copy(memory + 10_000, memory, 10_000, stream);
        bench.toHost(seen, memory + 10_000, stream);
        bench.synchronise(stream);
        assertThat(seen.mismatch(mine)).isEqualTo(-1);
    }

    @Test
    @DisplayName("a fill writes its bytes, and none around them")
    void fill() {
        long stream = bench.stream();
        long memory = bench.allocate(64);
        bench.fill(memory, 1, 64, stream);
        bench.fill(memory + 5, 0xfe, 7, stream);
        byte[] seen = bench.seen(memory, 64, stream);
        for (int i = 0; i < 64; i++) {
            assertThat(seen[i]).as("byte %d", i).isEqualTo((byte) (i >= 5 && i < 12 ? 0xfe : 1));
        }
    }

    @Test
    @DisplayName("registered pages have an address of the device, by which streams read and write them")
    void registered() {
        long stream = bench.stream();
        long memory = bench.allocate(64);
        bench.page.asSlice(1024, 64).fill((byte) 9);
        bench.copy(memory, bench.pagePointer + 1024, 64, stream);
        bench.copy(bench.pagePointer + 2048, memory, 64, stream);
        bench.synchronise(stream);
        assertThat(bytes(bench.page.asSlice(2048, 64))).containsOnly(9);
    }

    @Test
    @DisplayName("pages are registered once, and again when they have been unregistered")
    void registrations() {
        MemorySegment pages = bench.arena.allocate(2L * DriverBench.PAGE_BYTES, DriverBench.PAGE_BYTES);
        assertThat(bench.register(pages)).isEqualTo(SUCCESS);
        assertThat(bench.register(pages)).isEqualTo(DriverConstant.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED.value());
        assertThat(bench.unregister(pages)).isEqualTo(SUCCESS);
        assertThat(bench.unregister(pages)).isEqualTo(NOT_REGISTERED);
        assertThat(bench.register(pages)).isEqualTo(SUCCESS);
        assertThat(bench.unregister(pages)).isEqualTo(SUCCESS);
    }

    @Test
    @DisplayName("the greatest priority of streams is the smallest number")
    void priorities() {
        bench.check(bench.driver.call(
                DriverFunction.CTX_GET_STREAM_PRIORITY_RANGE, bench.result(), bench.result() + Integer.BYTES));
        assertThat(bench.numberAt(Integer.BYTES)).isLessThanOrEqualTo(bench.numberAt(0));
    }

    @Test
    @DisplayName("the work of a stream is done in the order of its calls")
    void order() {
        long stream = bench.stream();
        long memory = bench.allocate(101);
        for (int i = 1; i <= 100; i++) {
            bench.fill(memory, i, 1, stream);
            bench.copy(memory + i, memory, 1, stream);
        }
        byte[] seen = bench.seen(memory, 101, stream);
        for (int i = 1; i <= 100; i++) {
            assertThat(seen[i]).isEqualTo((byte) i);
        }
    }

    @Test
    @DisplayName("a stream is not ready until its work is over")
    void queries() {
        long stream = bench.stream();
        assertThat(bench.query(stream)).as("without work").isEqualTo(SUCCESS);
        bench.hold(stream);
        assertThat(bench.query(stream)).as("with a wait").isEqualTo(NOT_READY);
        bench.letGo();
        bench.synchronise(stream);
        assertThat(bench.query(stream)).isEqualTo(SUCCESS);
    }

    @Test
    @DisplayName("a stream does its work while another one waits")
    void concurrency() {
        long held = bench.stream();
        long free = bench.stream();
        bench.hold(held);
        bench.write(free, 1024, 5);
        bench.synchronise(free);
        assertThat(bench.word(1024)).isEqualTo(5);
        assertThat(bench.query(held)).isEqualTo(NOT_READY);
    }

    @Test
    @DisplayName("a stream is destroyed at once, and its work still runs")
    void destruction() {
        long stream = bench.newStream();
        bench.hold(stream);
        bench.write(stream, 1024, 5);
        assertThat(bench.driver.call(DriverFunction.STREAM_DESTROY, stream)).isEqualTo(SUCCESS);
        assertThat(bench.word(1024)).isZero();
        bench.letGo();
        bench.await("the work of the stream", () -> bench.word(1024) == 5);
    }

    @Test
    @DisplayName("the host that sees a word of a stream sees the work before it, too")
    void writtenWords() {
        long stream = bench.stream();
        long memory = bench.allocate(64);
        for (int round = 1; round <= 100; round++) {
            int now = round;
            bench.fill(memory, round, 64, stream);
            bench.copy(bench.pagePointer + 1024, memory, 64, stream);
            bench.write(stream, 2048, round);
            bench.await("the word", () -> bench.word(2048) == now);
            assertThat(bytes(bench.page.asSlice(1024, 64))).containsOnly(round);
        }
    }

    @Test
    @DisplayName("GEQ waits until the signed difference of word and value is not negative")
    void greater() {
        waits(GEQ, 5, 4, 5);
        waits(GEQ, 5, -1, 6);
        waits(GEQ, -1, -2, 0);
        waits(GEQ, Long.MAX_VALUE, Long.MAX_VALUE - 1, Long.MIN_VALUE);
    }

    @Test
    @DisplayName("EQ waits until the word is the value, in all 64 bits")
    void equal() {
        waits(EQ, 5, 6, 5);
        waits(EQ, 1L << 40, 0, 1L << 40);
    }

    @Test
    @DisplayName("AND waits until word and value have a bit in common")
    void common() {
        waits(AND, 6, 9, 4);
        waits(AND, 1L << 40, ~(1L << 40), 1L << 40);
    }

    @Test
    @DisplayName("NOR waits until word and value together lack a bit")
    void lacking() {
        waits(NOR, 0xff, ~0xffL, ~0x1ffL);
        waits(NOR, 0, -1, Long.MAX_VALUE);
    }

    /// Checks that a stream waits while a word is one number, and goes on when it is another.
    private void waits(int condition, long value, long first, long second) {
        long held = bench.stream();
        long other = bench.stream();
        bench.word(512, first);
        bench.word(1024, 0);
        bench.check(
                bench.driver.call(DriverFunction.STREAM_WAIT_VALUE, held, bench.pagePointer + 512, value, condition));
        bench.write(held, 1024, 1);
        try {
            for (int i = 1; i <= 20; i++) { // time in which the stream could go on
                bench.write(other, 1536, i);
                bench.synchronise(other);
            }
            assertThat(bench.word(1024)).as("the wait of %d for %d is over", first, value).isZero();
        } finally {
            bench.word(512, second);
        }
        bench.await("a wait of " + second + " for " + value, () -> bench.word(1024) == 1);
    }

    @Test
    @DisplayName("an event without a record is over, and no stream waits for it")
    void freshEvent() {
        long stream = bench.stream();
        long event = bench.event(DriverConstant.CU_EVENT_DEFAULT);
        assertThat(bench.driver.call(DriverFunction.EVENT_QUERY, event)).isEqualTo(SUCCESS);
        bench.waitEvent(stream, event);
        bench.synchronise(stream);
    }

    @Test
    @DisplayName("an event is over with the work that its stream had at the record, and not with later work")
    void records() {
        long stream = bench.stream();
        long event = bench.event(DriverConstant.CU_EVENT_DISABLE_TIMING);
        bench.hold(stream);
        bench.record(event, stream);
        assertThat(bench.driver.call(DriverFunction.EVENT_QUERY, event)).isEqualTo(NOT_READY);
        bench.letGo();
        bench.hold(stream);
        bench.await("the event", () -> bench.driver.call(DriverFunction.EVENT_QUERY, event) == SUCCESS);
        assertThat(bench.query(stream)).isEqualTo(NOT_READY);
    }

    @Test
    @DisplayName("a stream waits for the record that an event has at the call, and for no later one")
    void latestRecord() {
        long first = bench.stream();
        long second = bench.stream();
        long third = bench.stream();
        long event = bench.event(DriverConstant.CU_EVENT_DISABLE_TIMING);
        bench.write(first, 1024, 3);
        bench.record(event, first);
        bench.waitEvent(second, event);
        bench.hold(third);
        bench.record(event, third);
        bench.synchronise(second);
        assertThat(bench.word(1024)).isEqualTo(3);
        bench.waitEvent(second, event);
        bench.write(second, 1024, 4);
        assertThat(bench.query(second)).isEqualTo(NOT_READY);
        assertThat(bench.word(1024)).isEqualTo(3);
        bench.letGo();
        bench.synchronise(second);
        assertThat(bench.word(1024)).isEqualTo(4);
    }

    @Test
    @DisplayName("an event is destroyed before it is over, and the streams that wait for it still do")
    void destroyedEvent() {
        long first = bench.stream();
        long second = bench.stream();
        long event = bench.newEvent(DriverConstant.CU_EVENT_DISABLE_TIMING);
        bench.hold(first);
        bench.record(event, first);
        bench.waitEvent(second, event);
        assertThat(bench.driver.call(DriverFunction.EVENT_DESTROY, event)).isEqualTo(SUCCESS);
        assertThat(bench.query(second)).isEqualTo(NOT_READY);
        bench.letGo();
        bench.synchronise(second);
    }

    @Test
    @DisplayName("the time between two records is not negative, and not known before they are over")
    void elapsed() {
        long stream = bench.stream();
        long start = bench.event(DriverConstant.CU_EVENT_DEFAULT);
        long end = bench.event(DriverConstant.CU_EVENT_DEFAULT);
        bench.record(start, stream);
        bench.hold(stream);
        bench.record(end, stream);
        assertThat(bench.elapsed(start, end)).isEqualTo(NOT_READY);
        bench.letGo();
        bench.synchronise(stream);
        assertThat(bench.elapsed(start, end)).isEqualTo(SUCCESS);
        assertThat(bench.results.get(JAVA_FLOAT, 0)).isNotNegative();
    }

    @Test
    @DisplayName("events without a record, or without time, are invalid handles for the time between them")
    void untimed() {
        long stream = bench.stream();
        long timed = bench.event(DriverConstant.CU_EVENT_DEFAULT);
        long fresh = bench.event(DriverConstant.CU_EVENT_DEFAULT);
        long untimed = bench.event(DriverConstant.CU_EVENT_DISABLE_TIMING);
        bench.record(timed, stream);
        bench.record(untimed, stream);
        bench.synchronise(stream);
        assertThat(bench.elapsed(timed, fresh)).isEqualTo(INVALID_HANDLE);
        assertThat(bench.elapsed(timed, untimed)).isEqualTo(INVALID_HANDLE);
    }

    @Test
    @DisplayName("a capture runs nothing; its graph runs the work at each launch, in the order of the calls")
    void captures() {
        long stream = bench.stream();
        long memory = bench.allocate(2);
        bench.fill(memory, 7, 2, stream);
        bench.synchronise(stream);
        assertThat(bench.captureStatus(stream)).isEqualTo(DriverConstant.CU_STREAM_CAPTURE_STATUS_NONE.value());
        assertThat(bench.beginCapture(stream, THREAD_LOCAL)).isEqualTo(SUCCESS);
        assertThat(bench.captureStatus(stream)).isEqualTo(DriverConstant.CU_STREAM_CAPTURE_STATUS_ACTIVE.value());
        bench.fill(memory, 1, 1, stream);
        bench.copy(memory + 1, memory, 1, stream);
        bench.fill(memory, 2, 1, stream);
        assertThat(bench.endCapture(stream)).isEqualTo(SUCCESS);
        assertThat(bench.captureStatus(stream)).isEqualTo(DriverConstant.CU_STREAM_CAPTURE_STATUS_NONE.value());
        long graph = bench.instantiate();
        assertThat(bench.seen(memory, 2, stream)).as("after the capture").containsExactly(7, 7);
        for (int launch = 1; launch <= 2; launch++) {
            bench.fill(memory, 7, 2, stream);
            bench.check(bench.driver.call(DriverFunction.GRAPH_LAUNCH, graph, stream));
            assertThat(bench.seen(memory, 2, stream)).as("launch %d", launch).containsExactly(2, 1);
        }
    }

    @Test
    @DisplayName("a stream that waits for an event of a capture is part of it until its end")
    void joined() {
        long first = bench.stream();
        long second = bench.stream();
        long memory = bench.allocate(2);
        long fork = bench.event(DriverConstant.CU_EVENT_DISABLE_TIMING);
        long join = bench.event(DriverConstant.CU_EVENT_DISABLE_TIMING);
        bench.fill(memory, 7, 2, first);
        bench.synchronise(first);
        assertThat(bench.beginCapture(first, THREAD_LOCAL)).isEqualTo(SUCCESS);
        bench.fill(memory, 1, 1, first);
        bench.record(fork, first);
        bench.waitEvent(second, fork);
        assertThat(bench.captureStatus(second)).isEqualTo(DriverConstant.CU_STREAM_CAPTURE_STATUS_ACTIVE.value());
        bench.copy(memory + 1, memory, 1, second);
        bench.record(join, second);
        bench.waitEvent(first, join);
        bench.fill(memory, 2, 1, first);
        assertThat(bench.endCapture(first)).isEqualTo(SUCCESS);
        assertThat(bench.captureStatus(second)).isEqualTo(DriverConstant.CU_STREAM_CAPTURE_STATUS_NONE.value());
        long graph = bench.instantiate();
        assertThat(bench.seen(memory, 2, second)).as("after the capture").containsExactly(7, 7);
        bench.check(bench.driver.call(DriverFunction.GRAPH_LAUNCH, graph, second));
        assertThat(bench.seen(memory, 2, second)).containsExactly(2, 1);
    }

    @Test
    @DisplayName("a query spoils the capture of its stream; after its end the stream works again")
    void spoilt() {
        long stream = bench.stream();
        long memory = bench.allocate(1);
        assertThat(bench.beginCapture(stream, THREAD_LOCAL)).isEqualTo(SUCCESS);
        bench.fill(memory, 1, 1, stream);
        assertThat(bench.query(stream)).isEqualTo(DriverConstant.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED.value());
        assertThat(bench.captureStatus(stream)).isEqualTo(DriverConstant.CU_STREAM_CAPTURE_STATUS_INVALIDATED.value());
        assertThat(bench.endCapture(stream)).isEqualTo(INVALIDATED);
        assertThat(bench.captureStatus(stream)).isEqualTo(DriverConstant.CU_STREAM_CAPTURE_STATUS_NONE.value());
        bench.fill(memory, 2, 1, stream);
        assertThat(bench.seen(memory, 1, stream)).containsExactly(2);
    }

    @Test
    @DisplayName("a capture begins once, ends once, and by the thread that has begun it")
    void captureOfAThread() throws InterruptedException {
        long stream = bench.stream();
        assertThat(bench.endCapture(stream)).as("the end of no capture").isNotEqualTo(SUCCESS);
        assertThat(bench.beginCapture(stream, THREAD_LOCAL)).isEqualTo(SUCCESS);
        int[] result = new int[1];
        bench.inThread(() -> {
            bench.enter();
            result[0] = bench.endCapture(stream);
        });
        assertThat(result[0]).isEqualTo(WRONG_THREAD);
        assertThat(bench.beginCapture(stream, THREAD_LOCAL)).as("a second begin").isNotEqualTo(SUCCESS);
        bench.endCapture(stream); // with the graph, unless a wrong call has spoilt it
        assertThat(bench.captureStatus(stream)).isEqualTo(DriverConstant.CU_STREAM_CAPTURE_STATUS_NONE.value());
    }

    @Test
    @DisplayName("an event with its record in a capture is not queried, and is again after another record")
    void capturedEvent() {
        long stream = bench.stream();
        long event = bench.event(DriverConstant.CU_EVENT_DISABLE_TIMING);
        assertThat(bench.beginCapture(stream, THREAD_LOCAL)).isEqualTo(SUCCESS);
        bench.record(event, stream);
        assertThat(bench.endCapture(stream)).isEqualTo(SUCCESS);
        assertThat(bench.driver.call(DriverFunction.EVENT_QUERY, event)).isEqualTo(CAPTURED_EVENT);
        bench.record(event, stream);
        bench.await("the event", () -> bench.driver.call(DriverFunction.EVENT_QUERY, event) == SUCCESS);
    }

    @Test
    @DisplayName("a module has the kernels of its text by name, and others are not found")
    void modules() {
        assertThat(bench.load(NOTHING)).isEqualTo(SUCCESS);
        long module = bench.results.get(JAVA_LONG, 0);
        assertThat(bench.function(module, "nothing")).isEqualTo(SUCCESS);
        assertThat(bench.function(module, "anything")).isEqualTo(NOT_FOUND);
        assertThat(bench.driver.call(DriverFunction.MODULE_UNLOAD, module)).isEqualTo(SUCCESS);
    }

    @Test
    @DisplayName("text that is no code makes no module")
    void noCode() {
        assertThat(bench.load("! no code")).isNotEqualTo(SUCCESS);
    }
}

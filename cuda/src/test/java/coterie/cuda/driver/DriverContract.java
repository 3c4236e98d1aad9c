// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.driver;

import static coterie.cuda.driver.DriverBench.SUCCESS;
import static coterie.cuda.driver.DriverBench.bytes;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What this module relies on of the functions of `libcuda`, as NVIDIA's documentation of the driver has it: the
/// laws of each driver that tests run on. A law asks for a result by name where the documentation names it for that
/// case; where it only says that a call is wrong, each result but success is right.
abstract class DriverContract extends StreamContract {
    private static final int INVALID_VALUE = DriverConstant.CUDA_ERROR_INVALID_VALUE.value();

    // Results that the module itself need not know.
    private static final int INVALID_DEVICE = 101;
    private static final int INVALID_CONTEXT = 201;
    private static final int NOT_FOUND = 500;
    private static final int NOT_REGISTERED = 713;
    private static final int INVALIDATED = 901;
    private static final int CAPTURED_EVENT = 907;
    private static final int WRONG_THREAD = 908;

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
            assertThat(bench.results.get(JAVA_LONG, 0))
                    .as("address of the text")
                    .isZero();
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
        bench.synchronize(stream);
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
        bench.synchronize(stream);
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
    @DisplayName("a capture runs nothing; its graph runs the work at each launch, in the order of the calls")
    void captures() {
        long stream = bench.stream();
        long memory = bench.allocate(2);
        bench.fill(memory, 7, 2, stream);
        bench.synchronize(stream);
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
        bench.synchronize(first);
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
        assertThat(bench.beginCapture(stream, THREAD_LOCAL))
                .as("a second begin")
                .isNotEqualTo(SUCCESS);
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

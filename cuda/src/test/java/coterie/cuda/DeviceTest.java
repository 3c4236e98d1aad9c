// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import coterie.Comparison;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.cuda.driver.DriverFunction;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.spi.FaceSupport;
import coterie.stream.CaptureMode;
import coterie.stream.Extent;
import coterie.stream.ValueCondition;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;

/// The cases of a real device. Without one each test is skipped, and says so.
@OnDevice
class DeviceTest {
    private static final Extent ONE = Extent.of(1);

    @SpmdTest(pes = 1, modes = SpmdMode.PROCESSES)
    @DisplayName("ST-G01 the driver, its devices and what they can do are printed")
    void probe(World world) {
        try (Cuda cuda = Device.open(world);
                Arena arena = Arena.ofConfined()) {
            String found = new CudaAccelerator().description(FaceSupport.of(world)::setting);
            System.out.println("device of the tests: " + found);
            assertThat(found)
                    .contains(
                            "driver of CUDA " + cuda.driverVersion(),
                            cuda.device().name());
            assertThat(cuda.device().multiprocessors()).isPositive();
            assertThat(cuda.freeBytes()).isPositive();
            DeviceMemory memory = cuda.allocate(world.team(), 2 << 20);
            int result = cuda.context()
                    .driver
                    .call(
                            DriverFunction.IPC_GET_MEM_HANDLE,
                            arena.allocate(64, 8).address(),
                            memory.devicePointer());
            System.out.println("handles of memory between processes: " + (result == 0 ? "yes" : "no, " + result));
            memory.close();
        }
    }

    @SpmdTest(
            pes = {1, 2, 4},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 120)
    @DisplayName("ST-G02 PEs on one device put and get both ways, 1 byte to 64 MiB")
    void copies(World world) {
        try (Cuda cuda = Device.open(world)) {
            int largest = 64 << 20;
            int piece = 16 << 20; // that an array has at most: each of four JVMs has two of them
            DeviceMemory memory = cuda.allocate(world.team(), largest);
            int right = (world.pe() + 1) % world.size();
            int left = (world.pe() + world.size() - 1) % world.size();
            for (int size : IntStream.concat(
                            IntStream.iterate(1, size -> size < largest, size -> size * 8 + 1), IntStream.of(largest))
                    .toArray()) {
                for (int at = 0; at < size; at += piece) {
                    byte[] mine = filled(Math.min(piece, size - at), world.pe() + size + at / piece);
                    memory.put(largest - size + at, MemorySegment.ofArray(mine), right);
                }
                world.team().barrier();
                for (int at = 0; at < size; at += piece) {
                    byte[] seen = new byte[Math.min(piece, size - at)];
                    memory.get(largest - size + at, MemorySegment.ofArray(seen), world.pe());
                    assertThat(Arrays.mismatch(seen, filled(seen.length, left + size + at / piece)))
                            .as("own bytes, of %d from byte %d", size, at)
                            .isEqualTo(-1);
                    memory.get(largest - size + at, MemorySegment.ofArray(seen), right);
                    assertThat(Arrays.mismatch(seen, filled(seen.length, world.pe() + size + at / piece)))
                            .as("bytes of PE %d, of %d from byte %d", right, size, at)
                            .isEqualTo(-1);
                }
                world.team().barrier();
            }
            memory.close();
        }
    }

    private static byte[] filled(int bytes, int value) {
        byte[] filled = new byte[bytes];
        Arrays.fill(filled, (byte) (value + 1));
        return filled;
    }

    @SpmdTest(
            pes = {1, 2, 4},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 60)
    @DisplayName("ST-G03 streams of PEs take turns 1,000 times by words of device memory")
    void words(World world) {
        try (Cuda cuda = Device.open(world)) {
            DeviceMemory memory = cuda.allocate(world.team(), 64);
            CudaStream stream = cuda.createStream();
            int right = (world.pe() + 1) % world.size();
            world.team().barrier(); // all have a stream: to make one may wait for those that wait
            for (int round = 1; round <= 1000; round++) {
                if (world.pe() == 0) {
                    stream.writeValue(memory, 0, round, right);
                    stream.waitValue(memory, 0, ValueCondition.GEQ, round);
                } else {
                    stream.waitValue(memory, 0, ValueCondition.GEQ, round);
                    stream.writeValue(memory, 0, round, right);
                }
                if (round % 100 == 0) {
                    stream.synchronize();
                }
            }
            long[] last = new long[1];
            memory.get(0, MemorySegment.ofArray(last), world.pe());
            assertThat(last).containsExactly(1000);
            memory.close();
        }
    }

    @SpmdTest(
            pes = {1, 2, 4},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 60)
    @DisplayName("ST-G04 a kernel writes registered memory of a peer, which the peer's JVM reads after the signal")
    void registered(World world) {
        SymmetricMemory block = world.allocate(1 << 16, 1 << 16);
        try (Cuda cuda = Device.open(world)) {
            RegisteredMemory memory = cuda.register(block);
            CudaModule module = Device.kernels(cuda);
            CudaKernel putSignal = module.kernel("put_signal");
            CudaStream stream = cuda.createStream();
            SignalWord arrived = block.signal(0);
            int right = (world.pe() + 1) % world.size();
            int left = (world.pe() + world.size() - 1) % world.size();
            world.team().barrier(); // all have the kernel
            for (int round = 1; round <= 200; round++) {
                long target = memory.devicePointer(right);
                stream.launch(
                        putSignal,
                        ONE,
                        Extent.of(128),
                        0,
                        target + 128,
                        1000L * round + world.pe(),
                        1000,
                        target,
                        (long) round);
                arrived.waitUntil(Comparison.GE, round);
                for (int i = 0; i < 1000; i++) {
                    assertThat(block.longs().get(16 + i)).isEqualTo(1000L * round + left + i);
                }
                stream.synchronize();
                world.team().barrier();
            }
            module.close();
            memory.close();
        }
        block.close();
    }

    @SpmdTest(
            pes = {1, 2, 4},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 60)
    @DisplayName("ST-G05 a compiled kernel puts to a peer's device and signals; the stream of the peer passes its wait")
    void kernels(World world) {
        SymmetricMemory block = world.allocate(1 << 16, 1 << 16);
        try (Cuda cuda = Device.open(world);
                Arena arena = Arena.ofConfined()) {
            DeviceMemory memory = cuda.allocate(world.team(), 8000);
            RegisteredMemory words = cuda.register(block);
            CudaModule module = Device.kernels(cuda);
            CudaKernel putSignal = module.kernel("put_signal");
            CudaStream stream = cuda.createStream();
            SignalWord arrived = block.signal(0);
            MemorySegment seen = arena.allocate(8000);
            int right = (world.pe() + 1) % world.size();
            int left = (world.pe() + world.size() - 1) % world.size();
            world.team().barrier(); // all have the kernel
            for (int round = 1; round <= 100; round++) {
                stream.launch(
                        putSignal,
                        ONE,
                        Extent.of(128),
                        0,
                        memory.devicePointer(right),
                        1000L * round + world.pe(),
                        1000,
                        words.devicePointer(right),
                        (long) round);
                stream.waitUntil(arrived, Comparison.GE, round);
                stream.get(memory, 0, seen, world.pe());
                stream.barrier(world.team());
                stream.synchronize();
                for (int i = 0; i < 1000; i++) {
                    assertThat(seen.getAtIndex(JAVA_LONG, i)).isEqualTo(1000L * round + left + i);
                }
                world.team().barrier();
            }
            SignalWord copied = block.signal(8);
            DeviceMemory copies = cuda.allocate(world.team(), 8000);
            for (int round = 1; round <= 100; round++) {
                long[] mine = LongStream.range(0, 1000).map(i -> i + world.pe()).toArray();
                mine[0] = round;
                if (round % 2 == 0) {
                    copies.putSignal(0, MemorySegment.ofArray(mine), copied.adding(1), right);
                } else {
                    memory.put(0, MemorySegment.ofArray(mine), world.pe());
                    stream.putSignal(copies, 0, memory, 0, 8000, copied.adding(1), right);
                }
                stream.waitUntil(copied, Comparison.GE, round);
                stream.get(copies, 0, seen, world.pe());
                stream.barrier(world.team());
                stream.synchronize();
                assertThat(seen.getAtIndex(JAVA_LONG, 0)).isEqualTo(round);
                assertThat(seen.getAtIndex(JAVA_LONG, 999)).isEqualTo(999L + left);
            }
            copies.close();
            assertThatThrownBy(() -> cuda.compile("wrong.cu", "extern \"C\" __global__ void f() { undefined(); }"))
                    .isInstanceOf(CudaCompilationException.class)
                    .hasMessageContaining("wrong.cu(1): error");
            module.close();
            words.close();
            memory.close();
        }
        block.close();
    }

    @SpmdTest(pes = 1, modes = SpmdMode.PROCESSES)
    @DisplayName("ST-G06 a cooperative launch larger than the device is refused, and the context stays usable")
    void tooLarge(World world) {
        try (Cuda cuda = Device.open(world)) {
            CudaModule module = Device.kernels(cuda);
            CudaStream stream = cuda.createStream();
            CudaKernel spin = module.kernel("spin");
            int fits = spin.residentBlocks(Extent.of(256), 0);
            assertThat(fits).isPositive();
            assertThatThrownBy(() -> stream.launchCooperative(spin, Extent.of(fits + 1), Extent.of(256), 0, 1L))
                    .isInstanceOfSatisfying(
                            CudaException.class, e -> assertThat(e.code()).isEqualTo(720))
                    .hasMessageContaining("at most " + fits + " blocks");
            stream.launchCooperative(spin, Extent.of(fits), Extent.of(256), 0, 1L);
            stream.synchronize();
            module.close();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.PROCESSES, timeoutSeconds = 90)
    @DisplayName("ST-G07 a wrong address loses the device: each later call has the same cause, and the JVM lives")
    void wrongAddress(World world) throws IOException, InterruptedException {
        try (Cuda cuda = Device.open(world)) {
            Device.kernels(cuda).close();
        }
        assertThat(child(DevicePrograms.WrongAddress.class, Map.of())).contains("sticky 700", "same cause", "alive");
    }

    @SpmdTest(pes = 1, modes = SpmdMode.PROCESSES, timeoutSeconds = 60)
    @DisplayName("ST-G08 a put of 8 MiB from pageable memory is complete on return: a stream reads no stale byte")
    void pageable(World world) {
        try (Cuda cuda = Device.open(world);
                Arena arena = Arena.ofConfined()) {
            int bytes = 8 << 20;
            DeviceMemory memory = cuda.allocate(world.team(), bytes);
            DeviceMemory copy = cuda.allocate(world.team(), bytes);
            CudaStream stream = cuda.createStream();
            MemorySegment source = arena.allocate(bytes);
            byte[] seen = new byte[bytes];
            for (int round = 1; round <= 200; round++) {
                source.fill((byte) round);
                memory.put(0, source, 0);
                stream.put(copy, 0, memory, 0, bytes, 0);
                stream.synchronize();
                copy.get(0, MemorySegment.ofArray(seen), 0);
                assertThat(MemorySegment.ofArray(seen).mismatch(source))
                        .as("round %s", round)
                        .isEqualTo(-1);
            }
            copy.close();
            memory.close();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.PROCESSES, timeoutSeconds = 90)
    @DisplayName(
            "ST-G09 a wait and its notification in two streams end in queues of any number, at the latest by the host")
    void queues(World world) throws IOException, InterruptedException {
        try (Cuda cuda = Device.open(world)) {
            Device.kernels(cuda).close();
        }
        for (String queues : List.of("1", "8")) {
            String text = child(DevicePrograms.WaitAndNotify.class, Map.of("CUDA_DEVICE_MAX_CONNECTIONS", queues));
            System.out.println("CUDA_DEVICE_MAX_CONNECTIONS=" + queues + ": " + text.strip());
            assertThat(text).containsAnyOf("concurrent", "serialised");
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.PROCESSES)
    @DisplayName("ST-G10 the time between two events is that of the device's clock, within a tenth")
    void elapsed(World world) {
        try (Cuda cuda = Device.open(world)) {
            CudaModule module = Device.kernels(cuda);
            CudaStream stream = cuda.createStream();
            CudaEvent start = cuda.createEvent();
            CudaEvent end = cuda.createEvent();
            for (long millis : new long[] {1, 10, 10}) { // the first is to load the kernel
                stream.record(start);
                stream.launch(module.kernel("spin"), ONE, ONE, 0, millis * 1_000_000);
                stream.record(end);
                stream.synchronize();
            }
            double elapsed = end.elapsedMillisSince(start);
            if (Device.isSoftware(cuda)) { // processors that others use, too
                assertThat(elapsed).isGreaterThan(9.9);
            } else {
                assertThat(elapsed).isCloseTo(10, within(1.0));
            }
            end.close();
            start.close();
            module.close();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.PROCESSES)
    @DisplayName("ST-G11 in a capture an operation of the host is an error by name; the graph of kernels runs")
    void capture(World world) {
        SymmetricMemory block = world.allocate(1 << 16, 1 << 16);
        try (Cuda cuda = Device.open(world)) {
            RegisteredMemory memory = cuda.register(block);
            CudaModule module = Device.kernels(cuda);
            CudaKernel notify = module.kernel("notify");
            CudaStream stream = cuda.createStream();
            stream.beginCapture(CaptureMode.THREAD_LOCAL);
            stream.launch(notify, ONE, ONE, 0, memory.devicePointer(), 7L);
            assertThatThrownBy(stream::quiet)
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED");
            CudaGraph graph = stream.endCapture();
            assertThat(block.longs().get(0)).isZero();
            stream.launch(graph);
            stream.barrier(world.team());
            stream.synchronize();
            assertThat(block.longs().get(0)).isEqualTo(7);
            graph.close();
            module.close();
            memory.close();
        }
        block.close();
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, timeoutSeconds = 120)
    @DisplayName("rounds of making, using and closing leave the device's free memory as it was")
    void leaks(World world) {
        try (Cuda outer = Device.open(world)) {
            long before = 0;
            for (int round = 0; round < KernelBench.rounds(1000); round++) {
                try (Cuda cuda = Cuda.open(world)) {
                    DeviceMemory memory = cuda.allocate(world.team(), 1 << 20);
                    CudaStream stream = cuda.createStream();
                    stream.fill(memory, 0, 1 << 20, (byte) round);
                    stream.quiet();
                    stream.synchronize();
                    byte[] one = new byte[1];
                    memory.get((1 << 20) - 1, MemorySegment.ofArray(one), world.pe());
                    assertThat(one[0]).isEqualTo((byte) round);
                    memory.close();
                }
                world.team().barrier();
                if (round == 100) {
                    before = outer.freeBytes();
                }
            }
            world.team().barrier();
            assertThat(outer.freeBytes()).isGreaterThanOrEqualTo(before - (8 << 20));
        }
    }

    /// Runs a program in a JVM of its own, since it harms the device's context or needs an environment.
    private static String child(Class<?> program, Map<String, String> environment)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName());
        builder.environment().keySet().removeIf(name -> name.startsWith("COTERIE_SEGMENT"));
        builder.environment().putAll(environment);
        Process process = builder.redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("end of the child").isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}

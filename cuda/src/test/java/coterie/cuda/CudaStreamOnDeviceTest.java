// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.stream.Extent;
import coterie.stream.ValueCondition;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;

/// The order of kernels, copies, words, events and operations of the host in streams of a device.
@OnDevice
class CudaStreamOnDeviceTest {
    private static final Extent ONE = Extent.of(1);
    private static final int WORDS = 1000;

    /// A log in registered memory: its first word counts those after it.
    private static final class Log {
        private final IntegerView words;
        private final long pointer;

        Log(SymmetricMemory block, RegisteredMemory memory) {
            this.words = block.longs();
            this.pointer = memory.devicePointer();
        }

        void byHost(long value) {
            words.set(0, words.get(0) + 1);
            words.set(words.get(0), value);
        }

        void byDevice(CudaStream stream, CudaModule module, long value) {
            stream.launch(module.kernel("note"), ONE, ONE, 0, pointer, value);
        }

        long[] values() {
            return LongStream.rangeClosed(1, words.get(0)).map(words::get).toArray();
        }
    }

    /// Runs a kernel alone, before kernels and streams of several PEs wait for each other: at the first launch the
    /// driver may wait for all of them.
    private static void first(World world, CudaStream stream, CudaModule module, RegisteredMemory memory) {
        stream.launch(module.kernel("note"), ONE, ONE, 0, memory, 0L);
        stream.launch(module.kernel("add"), ONE, ONE, 0, memory, -1L, 1); // the log is empty again
        stream.synchronize();
        world.team().barrier();
    }

    @OneToFourPes
    @DisplayName("kernels and operations of the host alternate in the order of their calls")
    void order(World world) {
        SymmetricMemory block = world.allocate(4096, 4096);
        try (Cuda cuda = Device.open(world)) {
            RegisteredMemory memory = cuda.register(block);
            CudaModule module = Device.kernels(cuda);
            CudaStream stream = cuda.createStream();
            Log log = new Log(block, memory);
            for (long i = 0; i < 100; i += 2) {
                long odd = i + 1;
                log.byDevice(stream, module, i);
                stream.execute(() -> log.byHost(odd));
            }
            stream.synchronize();
            assertThat(log.values()).isEqualTo(LongStream.range(0, 100).toArray());
            assertThat(stream.query()).isTrue();
            module.close();
            memory.close();
        }
        block.close();
    }

    @OneToFourPes
    @DisplayName("kernels use registered memory of this PE and of others, and words order them")
    void registered(World world) {
        SymmetricMemory block = world.allocate(4096, 4096);
        int right = (world.pe() + 1) % world.size();
        try (Cuda cuda = Device.open(world)) {
            RegisteredMemory memory = cuda.register(block);
            CudaModule module = Device.kernels(cuda);
            CudaStream stream = cuda.createStream();
            first(world, stream, module, memory);
            for (int round = 1; round <= 20; round++) {
                stream.launch(module.kernel("add"), ONE, ONE, 0, memory.devicePointer(right), 1L, 1);
                stream.writeValue(memory, 64, round, right);
                stream.waitValue(memory, 64, ValueCondition.GEQ, round);
            }
            stream.synchronize();
            assertThat(block.longs().get(0)).isEqualTo(20);
            world.team().barrier();
            stream.fill(memory, 128, 16, (byte) 1);
            stream.put(memory, 256, memory, 128, 8, right);
            stream.get(memory, 256, memory, 512, 8, world.pe());
            stream.synchronize();
            world.team().barrier();
            assertThat(block.longs().get(32)).isEqualTo(0x0101_0101_0101_0101L);
            module.close();
            memory.close();
        }
        block.close();
    }

    @OneToFourPes
    @DisplayName("an event orders streams, and the operations of the host in them")
    void events(World world) {
        SymmetricMemory block = world.allocate(4096, 4096);
        try (Cuda cuda = Device.open(world)) {
            RegisteredMemory memory = cuda.register(block);
            CudaModule module = Device.kernels(cuda);
            CudaStream one = cuda.createStream("first");
            CudaStream other = cuda.createStream("second");
            CudaEvent event = cuda.createEvent();
            CudaEvent end = cuda.createEvent();
            first(world, one, module, memory);
            Log log = new Log(block, memory);
            assertThat(event.query()).as("never recorded").isTrue();
            for (int round = 0; round < 20; round++) {
                one.barrier(world.team());
                log.byDevice(one, module, 2L * round);
                one.record(event);
                other.waitEvent(event);
                other.barrier(world.team()); // TeamOrder.CHECKED accepts it: the event orders the two
                log.byDevice(other, module, 2L * round + 1);
                other.record(end);
                one.waitEvent(end);
            }
            end.synchronize();
            assertThat(log.values()).isEqualTo(LongStream.range(0, 40).toArray());
            assertThat(end.elapsedMillisSince(event)).isNotNegative();
            one.synchronize();
            other.synchronize();
            event.close();
            end.close();
            module.close();
            memory.close();
        }
        block.close();
    }

    @OneToFourPes
    @DisplayName("kernels, copies between devices and signals run in the order of the stream")
    void streams(World world) {
        SymmetricMemory words = world.allocate(128);
        SignalWord arrived = words.signal(0);
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        long bytes = (long) WORDS * Long.BYTES;
        try (Cuda cuda = Device.open(world);
                Arena arena = Arena.ofConfined()) {
            DeviceMemory memory = cuda.allocate(world.team(), 2 * bytes);
            CudaStream stream = cuda.createStream("path");
            CudaModule module = Device.kernels(cuda);
            CudaKernel add = module.kernel("add");
            MemorySegment result = arena.allocate(JAVA_LONG, WORDS);
            for (int round = 1; round <= 20; round++) {
                stream.launch(add, Extent.of(4), Extent.of(256), 0, memory, 10L + world.pe(), WORDS);
                stream.putSignal(memory, bytes, memory, 0, bytes, arrived.adding(1), right);
                stream.waitUntil(arrived, Comparison.GE, round);
                stream.get(memory, bytes, result, world.pe());
                stream.barrier(world.team());
                stream.synchronize();
                assertThat(result.toArray(JAVA_LONG)).containsOnly(round * (10L + left));
            }
            stream.close();
            module.close();
            memory.close();
        }
        words.close();
    }
}

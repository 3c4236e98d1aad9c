// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.cuda.fake.FakeDriver;
import coterie.cuda.fake.FakeKernel;
import coterie.stream.Extent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// The path of a program: open, allocate, copy, streams with operations of the host, kernels, close.
class CudaPathTest {
    private static final int WORDS = 1000;

    /// Adds a number to each word.
    private static int add(FakeKernel.Launch launch) {
        MemorySegment words = launch.memory(0, WORDS * Long.BYTES);
        for (int i = 0; i < WORDS; i++) {
            words.setAtIndex(JAVA_LONG, i, words.getAtIndex(JAVA_LONG, i) + launch.word(1));
        }
        return 0;
    }

    private static FakeDriver driver() {
        return new FakeDriver().kernel("add", List.of(8, 8), CudaPathTest::add);
    }

    @OneToFourPes
    @DisplayName("a PE puts to the device of another and gets from it, native memory and arrays")
    void copies(World world) {
        try (CudaFixture fixture = new CudaFixture(world);
                Arena arena = Arena.ofConfined()) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 1 << 20);
            byte[] zeros = new byte[1 << 20];
            memory.get(0, MemorySegment.ofArray(zeros), world.pe());
            assertThat(zeros).as("new memory is zero").containsOnly(0);
            byte[] mine = new byte[1 << 20];
            for (int i = 0; i < mine.length; i++) {
                mine[i] = (byte) (i * 7 + world.pe());
            }
            world.team().barrier();
            memory.put(0, MemorySegment.ofArray(mine), fixture.right());
            world.team().barrier();
            MemorySegment seen = arena.allocate(1 << 20);
            memory.get(0, seen, fixture.right());
            assertThat(seen.mismatch(MemorySegment.ofArray(mine))).isEqualTo(-1);
            MemorySegment own = arena.allocate(5);
            memory.get(3, own, world.pe());
            assertThat(own.get(JAVA_BYTE, 0)).isEqualTo((byte) (21 + fixture.left()));
            memory.close();
        }
    }

    @OneToFourPes
    @DisplayName("kernels, copies between devices and signals run in the order of the stream")
    void streams(World world) {
        SymmetricMemory words = world.allocate(128);
        SignalWord arrived = words.signal(0);
        try (CudaFixture fixture = new CudaFixture(world, driver(), CudaOptions.DEFAULT);
                Arena arena = Arena.ofConfined()) {
            Cuda cuda = fixture.cuda;
            DeviceMemory memory = cuda.allocate(world.team(), 2L * WORDS * Long.BYTES);
            CudaStream stream = cuda.createStream("path");
            CudaModule module = cuda.load((byte) 'p');
            CudaKernel add = module.kernel("add");
            MemorySegment result = arena.allocate(JAVA_LONG, WORDS);
            for (int round = 1; round <= 20; round++) {
                stream.launch(add, Extent.of(4), Extent.of(256), 0, memory, 10L + world.pe());
                stream.putSignal(
                        memory,
                        (long) WORDS * Long.BYTES,
                        memory,
                        0,
                        (long) WORDS * Long.BYTES,
                        fixture.right(),
                        arrived.adding(1));
                stream.waitUntil(arrived, Comparison.GE, round);
                stream.get(memory, (long) WORDS * Long.BYTES, result, world.pe());
                stream.barrier(world.team());
                stream.synchronise();
                long expected = round * (10L + fixture.left());
                assertThat(result.toArray(JAVA_LONG)).containsOnly(expected);
            }
            stream.close();
            module.close();
            memory.close();
        }
        words.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

/// Floating-point atomics, flushes, strides and counted signals: to memory that the device maps, with atomics and
/// without, and by the ring to another node.
@OnDevice
class KernelPiecesOnDeviceTest {
    private static final int ROUNDS = KernelBench.rounds(40);
    private static final int THREADS = 128;

    /// The byte of the sums of `floating_adds`.
    private static final long SUMS = 24_576;

    /// The byte of the sums of `narrow_adds`: two of `half`, two of `bfloat16`.
    private static final long NARROW_SUMS = 24_592;

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 90)
    @DisplayName("atomics of float and double add numbers, set, swap and compare bits, and return the former number")
    void floating(World world) {
        KernelBench.each(world, KernelBench.PIECES, (bench, memory) -> bench.run("floating", memory));
    }

    private static void floatingAdds(KernelBench bench) {
        int count = ROUNDS;
        bench.run("floating_adds", 1, count);
        bench.world.team().barrier();
        if (bench.world.pe() == 0) {
            double sum = 1.5 / 2 * THREADS * count * bench.world.size();
            assertThat(bench.host.floats().get(SUMS / Float.BYTES)).isEqualTo((float) sum);
            assertThat(bench.host.doubles().get(SUMS / Double.BYTES + 1)).isEqualTo(sum);
        }
        bench.clear();
    }

    @SpmdTest(
            pes = {1, 3},
            timeoutSeconds = 90)
    @DisplayName("threads of all devices add to a float and a double: none is lost, whether by the device or the ring")
    void floatingAdds(World world) {
        KernelBench.use(world, KernelBench.PIECES, KernelPiecesOnDeviceTest::floatingAdds);
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 90)
    @DisplayName("an atomic add of 16 bits rounds the sum to the type, and leaves the number beside it")
    void narrow(World world) {
        KernelBench.each(world, KernelBench.PIECES, (bench, memory) -> bench.run("narrow", memory));
    }

    /// Sums of eighths that are exact: up to 32 of `bfloat16`, up to 256 of `half`.
    private static void narrowAdds(KernelBench bench) {
        int count = 256 / (THREADS * bench.world.size());
        bench.run("narrow_adds", 1, count);
        bench.world.team().barrier();
        if (bench.world.pe() == 0) {
            float sum = 0.125f * THREADS * count * bench.world.size();
            for (long element = NARROW_SUMS / 2; element < NARROW_SUMS / 2 + 2; element++) {
                assertThat(bench.host.halves().get(element)).isEqualTo(sum);
                assertThat(bench.host.bfloat16s().get(element + 2)).isEqualTo(sum);
            }
        }
        bench.clear();
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 90)
    @DisplayName("threads of all devices add to neighbours of 16 bits: none is lost, whether by the device or the ring")
    void narrowAdds(World world) {
        KernelBench.use(world, KernelBench.PIECES, KernelPiecesOnDeviceTest::narrowAdds);
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 90)
    @DisplayName("after a flush the sources of puts change without harm, and the bytes of gets are there")
    void flushes(World world) {
        KernelBench.each(
                world, KernelBench.PIECES, (bench, memory) -> bench.run("flushes", memory, bench.scratch(), ROUNDS));
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 90)
    @DisplayName("elements of 1 to 8 bytes go at strides, both ways and at each scope; what is between them stays")
    void strides(World world) {
        KernelBench.each(world, KernelBench.PIECES, (bench, memory) -> bench.run("strides", memory, bench.scratch()));
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 90)
    @DisplayName("a counted signal is the number of bytes that have arrived, from a thread, a warp or a block")
    void counts(World world) {
        KernelBench.each(
                world, KernelBench.PIECES, (bench, memory) -> bench.run("counts", memory, bench.scratch(), ROUNDS));
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 90)
    @DisplayName("all of it to a PE of another node, by the ring")
    void otherNode(World world) {
        KernelBench.use(world, KernelBench.PIECES, bench -> {
            bench.run("floating", 1);
            bench.clear();
            floatingAdds(bench);
            bench.run("narrow", 1);
            bench.clear();
            narrowAdds(bench);
            bench.run("flushes", 1, bench.scratch(), ROUNDS);
            bench.clear();
            bench.run("strides", 1, bench.scratch());
            bench.clear();
            bench.run("counts", 1, bench.scratch(), ROUNDS);
        });
    }
}

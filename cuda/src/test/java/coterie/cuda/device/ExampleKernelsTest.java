// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.cuda.device.HostDevice.Reach;
import coterie.junit.SpmdTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The kernels of the examples, of `bench/programs/gpu` and of the tests of devices: compiled for devices, and run
/// by threads of a CPU beside the same computation in Java.
class ExampleKernelsTest {
    private static final int CHOICES = 2;
    private static final int EXPERTS = 2;
    private static final int WIDTH = 16;
    private static final int SLOT = WIDTH + 1;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"halo.cu", "dispatch.cu", "costs.cu", "device_team.cu"})
    @DisplayName("nvcc compiles the kernels without a warning")
    void nvcc(String name) {
        Optional<CommandLineTool> nvcc = CommandLineTool.nvcc();
        assumeTrue(nvcc.isPresent(), "skipped: no nvcc");
        nvcc.orElseThrow()
                .compile(
                        "-arch=sm_80",
                        "-Werror",
                        "all-warnings",
                        "-ptx",
                        "-I",
                        CommandLineTool.headers(),
                        "-o",
                        folder.resolve("kernel.ptx").toString(),
                        source(name).toString());
    }

    private static Path source(String name) {
        return switch (name) {
            case "costs.cu" -> NativeKernels.MEASUREMENTS.resolve(name);
            case "device_team.cu" -> CommandLineTool.resource(name);
            default -> NativeKernels.EXAMPLES.resolve(name);
        };
    }

    @SpmdTest(
            pes = {1, 3},
            timeoutSeconds = 60)
    @DisplayName("halo: the plate has the bits that one thread computes")
    void halo(World world) {
        NativeKernels kernels = NativeKernels.open();
        int rows = 3;
        int width = 9;
        int blocks = 2;
        int steps = 60;
        int bands = blocks * world.size();
        double[][] expected = plate(bands * rows, width, steps);
        for (Reach reach : Reach.values()) {
            try (KernelFixture fixture = KernelFixture.open(world, reach)) {
                if (world.pe() == 0) {
                    for (int plate = 0; plate < 2; plate++) {
                        fixture.own(8L * width * plate * (rows + 2), 8L * width).fill((byte) 0);
                        for (int x = 1; x < width - 1; x++) {
                            fixture.own(8L * width * plate * (rows + 2), 8L * width)
                                    .setAtIndex(JAVA_DOUBLE, x, 100);
                        }
                    }
                }
                fixture.barrier();
                long team = fixture.team.address();
                assertThat(kernels.grid(
                                blocks,
                                2,
                                _ -> kernels.call("kernel_halo", team, KernelFixture.BLOCK, rows, width, steps)))
                        .isZero();
                for (int block = 0; block < blocks; block++) {
                    for (int row = 0; row < rows; row++) {
                        long at = 8L * width * ((2L * block + steps % 2) * (rows + 2) + row + 1);
                        double[] found = fixture.own(at, 8L * width).toArray(JAVA_DOUBLE);
                        assertThat(found)
                                .as("%s, row %d of band %d", reach, row, world.pe() * blocks + block)
                                .isEqualTo(expected[(world.pe() * blocks + block) * rows + row]);
                    }
                }
                fixture.checkNoError();
                fixture.barrier();
            }
        }
    }

    private static double[][] plate(int rows, int width, int steps) {
        double[][][] plates = new double[2][rows + 2][width];
        for (double[][] each : plates) {
            java.util.Arrays.fill(each[0], 1, width - 1, 100);
        }
        for (int step = 1; step <= steps; step++) {
            double[][] from = plates[(step - 1) % 2];
            for (int y = 1; y <= rows; y++) {
                for (int x = 1; x < width - 1; x++) {
                    plates[step % 2][y][x] = (from[y - 1][x] + from[y][x - 1] + from[y][x + 1] + from[y + 1][x]) / 4;
                }
            }
        }
        return List.of(plates[steps % 2]).subList(1, rows + 1).toArray(double[][]::new);
    }

    @SpmdTest(
            pes = {1, 3},
            timeoutSeconds = 60)
    @DisplayName("dispatch: the tokens have the bits that one thread computes")
    void dispatch(World world) {
        NativeKernels kernels = NativeKernels.open();
        int tokens = 8;
        int layers = 3;
        int pes = world.size();
        int places = tokens * CHOICES;
        int parts = EXPERTS * pes;
        for (Reach reach : Reach.values()) {
            HostDevice device = new HostDevice(world, reach);
            SymmetricMemory slots = world.allocate((2L * places + 2L * parts * tokens) * SLOT * Double.BYTES);
            SymmetricMemory counts = world.allocate((parts + 1L) * Long.BYTES);
            List<DeviceBlock> blocks = List.of(block(device, slots), block(device, counts));
            try (KernelTeam team = KernelTeam.create(world, world.team(), KernelFixture.OPTIONS, device, blocks);
                    Arena arena = Arena.ofShared()) {
                MemorySegment chosen = arena.allocate(JAVA_INT, places);
                MemorySegment seen = arena.allocate(JAVA_LONG, parts);
                double[][] mine = tokens(world.pe(), tokens);
                for (int place = 0; place < places; place++) {
                    slots.doubles().set((long) place * SLOT, place);
                    for (int i = 0; i < WIDTH; i++) {
                        slots.doubles().set((long) place * SLOT + 1 + i, mine[place / CHOICES][i]);
                    }
                }
                world.team().barrier();
                for (int layer = 0; layer < layers; layer++) {
                    int[] choices = choices(world.pe(), layer, places, parts);
                    MemorySegment.copy(choices, 0, chosen, JAVA_INT, 0, places);
                    int number = layer;
                    assertThat(kernels.block(
                                    3,
                                    _ -> kernels.call(
                                            "kernel_dispatch",
                                            team.address(),
                                            chosen.address(),
                                            seen.address(),
                                            tokens,
                                            number)))
                            .isZero();
                    for (int token = 0; token < tokens; token++) {
                        for (int i = 0; i < WIDTH; i++) {
                            mine[token][i] = 0.75 * expert(choices[token * CHOICES], mine[token][i])
                                    + 0.25 * expert(choices[token * CHOICES + 1], mine[token][i]);
                        }
                    }
                }
                for (int place = 0; place < places; place++) {
                    for (int i = 0; i < WIDTH; i++) {
                        assertThat(slots.doubles().get((long) place * SLOT + 1 + i))
                                .as("%s, token %d", reach, place / CHOICES)
                                .isEqualTo(mine[place / CHOICES][i]);
                    }
                }
                assertThat(team.error()).isEmpty();
                world.team().barrier();
            }
            counts.close();
            slots.close();
        }
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 60)
    @DisplayName("costs: the measured puts fill the registered block, and their signals count the rounds")
    void costs(World world) {
        NativeKernels kernels = NativeKernels.open();
        long bytes = 4096;
        int rounds = 20;
        int data = 128;
        for (Reach reach : Reach.values()) {
            try (KernelFixture fixture = KernelFixture.open(world, reach)) {
                long team = fixture.team.address();
                fixture.own(data + bytes, bytes).fill((byte) (world.pe() + 1));
                fixture.barrier();
                assertThat(kernels.block(2, _ -> kernels.call("kernel_pingpong", team, bytes, 1, rounds)))
                        .isZero();
                fixture.barrier();
                assertThat(fixture.own(0, 8).get(JAVA_LONG, 0))
                        .as("%s: signal", reach)
                        .isEqualTo(rounds);
                int peer = world.size() - 1 - world.pe();
                assertThat(fixture.own(data, bytes).toArray(JAVA_BYTE)).containsOnly((byte) (peer + 1));
                fixture.own(data, bytes).fill((byte) 0);
                fixture.barrier();
                assertThat(kernels.grid(2, 2, _ -> kernels.call("kernel_stream", team, bytes, rounds)))
                        .isZero();
                fixture.barrier();
                byte expected = (byte) (world.pe() == world.size() - 1 ? 1 : 0);
                assertThat(fixture.own(data, bytes).toArray(JAVA_BYTE)).containsOnly(expected);
                fixture.barrier();
            }
        }
    }

    @SpmdTest(
            pes = {1, 2, 3},
            timeoutSeconds = 60)
    @DisplayName("the kernels of the tests of devices do on a CPU what they shall do there")
    void deviceTeam(World world) {
        NativeKernels kernels = NativeKernels.open();
        int rounds = 30;
        for (Reach reach : Reach.values()) {
            try (KernelFixture fixture = KernelFixture.open(world, reach)) {
                long team = fixture.team.address();
                int block = KernelFixture.BLOCK;
                long own = fixture.own(1 << 19, 4096).address();
                long status = fixture.own(512, 4).address();
                IntUnaryOperator sends = _ -> kernels.call("kernel_sender", team, block, own, 8, 1, 1, rounds, status);
                IntUnaryOperator receives = _ -> kernels.call("kernel_receiver", team, block, 8, 0, rounds, status);
                List<IntUnaryOperator> all = List.of(
                        _ -> kernels.call("kernel_warps", team, block, own, rounds, status),
                        _ -> kernels.call("kernel_gins", team, block, rounds, status),
                        _ -> kernels.call("kernel_elements", team, block, own, status),
                        _ -> kernels.call("kernel_meet", team, block, rounds, status),
                        world.pe() == 0 ? sends : world.pe() == 1 ? receives : _ -> 0);
                for (IntUnaryOperator each : all.subList(0, world.size() == 1 ? 4 : 5)) {
                    fixture.barrier();
                    assertThat(kernels.block(2, each)).isZero();
                    assertThat(fixture.own(512, 4).get(JAVA_INT, 0))
                            .as("%s: program %d", reach, all.indexOf(each))
                            .isZero();
                }
                fixture.checkNoError();
                fixture.barrier();
            }
        }
    }

    private static DeviceBlock block(HostDevice device, SymmetricMemory memory) {
        return DeviceBlock.ofHost(memory, device.map(memory), device.hasHostAtomics());
    }

    private static double[][] tokens(int pe, int tokens) {
        Random random = new Random(pe);
        double[][] made = new double[tokens][WIDTH];
        for (double[] each : made) {
            java.util.Arrays.setAll(each, _ -> random.nextDouble());
        }
        return made;
    }

    /// The experts of a token differ, so that an expert gets each token of a PE at most once.
    private static int[] choices(int pe, int layer, int places, int experts) {
        Random random = new Random(31L * pe + layer);
        int[] chosen = new int[places];
        for (int place = 0; place < places; place += CHOICES) {
            chosen[place] = random.nextInt(experts);
            chosen[place + 1] = (chosen[place] + 1 + random.nextInt(experts - 1)) % experts;
        }
        return chosen;
    }

    private static double expert(int number, double x) {
        return x * (1 + number / 8.0) - 0.25;
    }
}

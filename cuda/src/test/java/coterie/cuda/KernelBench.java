// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.stream.Extent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/// What a test of kernels works with: a device, a block of registered memory, number 1 of a team, one of the device,
/// number 2, and kernels.
final class KernelBench {
    static final Extent ONE = Extent.of(1);
    static final Extent BLOCK = Extent.of(128);
    static final int SET = 1;
    static final int ADD = 2;

    /// The byte of registered memory where a kernel leaves its status.
    static final long STATUS = 512;

    /// The sources of kernels, in the folder of this class.
    static final String TEAM = "device_team.cu";

    static final String CHECKS = "kernel_checks.cu";
    static final String ARGUMENTS = "bad_arguments.cu";
    static final String PIECES = "kernel_pieces.cu";
    static final String WAITS = "kernel_waits.cu";
    static final String REDUCTIONS = "kernel_reductions.cu";
    static final String LSA = "kernel_lsa.cu";
    private static final String INCLUDED = "checks.cuh";

    final World world;
    final Cuda cuda;
    final SymmetricMemory host;
    final RegisteredMemory registered;

    /// Null where processes can't have handles of it.
    final @Nullable DeviceMemory device;

    final DeviceTeam team;
    final CudaModule module;
    final CudaStream stream;

    private KernelBench(World world, DeviceTeamOptions options, String source) {
        Device.needCompiler(world);
        this.world = world;
        this.cuda = Device.open(world);
        this.host = world.allocate(1 << 20, 1 << 16);
        this.registered = cuda.register(host);
        this.device = deviceMemory(cuda);
        this.team = device == null
                ? DeviceTeam.create(cuda, world.team(), options, registered)
                : DeviceTeam.create(cuda, world.team(), options, registered, device);
        this.module = CompiledKernels.load(cuda, source, text(source));
        this.stream = cuda.createStream("kernels");
        launchWithoutRounds(source);
        world.team().barrier();
    }

    /// Runs a test. One that throws does not wait for the other PEs to close the bench with it: they may wait for it,
    /// and the harness ends them when it has the exception.
    static void use(World world, DeviceTeamOptions options, String source, Consumer<KernelBench> test) {
        KernelBench bench = new KernelBench(world, options, source);
        try {
            test.accept(bench);
        } catch (Throwable e) {
            bench.team.abort();
            throw e;
        }
        bench.close();
    }

    static void use(World world, DeviceTeamOptions options, Consumer<KernelBench> test) {
        use(world, options, TEAM, test);
    }

    /// Waits end before the harness ends the test, so that the team can say what a kernel has waited for.
    static void use(World world, String source, Consumer<KernelBench> test) {
        use(world, DeviceTeamOptions.DEFAULT.withTimeout(Duration.ofSeconds(15)), source, test);
    }

    static void use(World world, Consumer<KernelBench> test) {
        use(world, TEAM, test);
    }

    private static @Nullable DeviceMemory deviceMemory(Cuda cuda) {
        try {
            return cuda.allocate(cuda.world().team(), 1 << 20);
        } catch (CudaException e) { // on all members alike
            if (!needsHandles(cuda.world())) {
                throw e;
            }
            System.out.println("kernels use registered memory alone: " + e.getMessage());
            return null;
        }
    }

    /// Returns whether PEs of this node are other processes: the same on all PEs of a test.
    private static boolean needsHandles(World world) {
        long mine = ProcessIdentity.current();
        return world.nodeTeam().size() > 1 && world.team().sum(mine) != mine * world.size();
    }

    /// Runs each kernel that waits for others alone: at the first launch of one the driver may wait for running
    /// kernels, among them those of a PE in the same process that wait for this one.
    private void launchWithoutRounds(String source) {
        if (source.equals(TEAM)) {
            run("sender", 1, scratch(), 64, SET, world.pe(), 0);
            run("receiver", 1, 64, world.pe(), 0);
            run("adds", 1, 0);
            run("meet", 1, 0);
            run("fences", 1, 0);
            run("warps", 1, scratch(), 0);
        } else if (source.equals(CHECKS)) {
            run("non_blocking", 1, scratch(), 0);
            run("fenced_adds", 1, 0);
            run("two_barriers", 1, 0);
            run("gin_block", 1, 0);
            run("gin_thread", 1, 0);
        } else if (source.equals(PIECES)) {
            run("flushes", 1, scratch(), 0);
            run("counts", 1, scratch(), 0);
        } else if (source.equals(WAITS)) {
            run("waits", 1, scratch(), 2, 0);
        } else if (source.equals(REDUCTIONS)) {
            run("reductions", 1, scratch(), -1);
        } else if (source.equals(LSA)) {
            run("teams", 1, 1, 0);
            run("exchanges", 1, 0);
        }
    }

    /// Returns how many rounds a kernel runs of those that it has on hardware: the percentage of the system
    /// property `coterie.cuda.rounds`, 100 without it. A software device has all of them in the soak tier.
    static int rounds(int all) {
        return Math.max(1, all * Integer.getInteger("coterie.cuda.rounds", 100) / 100);
    }

    /// Runs a check with the number of each memory for the data of kernels.
    static void each(World world, String source, ObjIntConsumer<KernelBench> check) {
        use(world, source, bench -> {
            for (int memory : bench.memories()) {
                check.accept(bench, memory);
                bench.clear();
            }
        });
    }

    /// Returns the numbers of memories for the data of kernels.
    int[] memories() {
        return device == null ? new int[] {1} : new int[] {1, 2};
    }

    /// Returns memory of the device, if there is some, that no kernel puts to.
    long scratch() {
        return (device == null ? registered : device).devicePointer() + (1 << 19);
    }

    /// Launches a kernel of one block.
    ///
    /// @param arguments between the team and the address of the status
    void launch(DeviceTeam kernels, String kernel, Object... arguments) {
        launch(kernels, ONE, kernel, arguments);
    }

    private void launch(DeviceTeam kernels, Extent grid, String kernel, Object... arguments) {
        host.longs().set(STATUS / Long.BYTES, 0);
        List<Object> all = new ArrayList<>(List.of(kernels.address()));
        all.addAll(List.of(arguments));
        all.add(registered.devicePointer() + STATUS);
        stream.launch(module.kernel(kernel), grid, BLOCK, 0, all.toArray());
    }

    /// Launches a kernel, and checks that all is well.
    void run(DeviceTeam kernels, String kernel, Object... arguments) {
        run(kernels, ONE, kernel, arguments);
    }

    private void run(DeviceTeam kernels, Extent grid, String kernel, Object... arguments) {
        launch(kernels, grid, kernel, arguments);
        stream.synchronize();
        kernels.check();
        assertThat(status()).isZero();
    }

    /// Launches a kernel of two blocks, and checks that all is well.
    void runTwoBlocks(String kernel, Object... arguments) {
        run(team, Extent.of(2), kernel, arguments);
    }

    /// Returns what the last kernel has left.
    int status() {
        return (int) host.ints().get(STATUS / Integer.BYTES);
    }

    void run(String kernel, Object... arguments) {
        run(team, kernel, arguments);
    }

    /// Clears the words that kernels have put, on all PEs.
    void clear() {
        world.team().barrier();
        host.segment().asSlice(0, 1 << 17).fill((byte) 0);
        if (device != null) {
            stream.fill(device, 0, 1 << 17, (byte) 0);
            stream.synchronize();
        }
        world.team().barrier();
    }

    private void close() {
        world.team().barrier();
        stream.close();
        module.close();
        team.close();
        if (device != null) {
            device.close();
        }
        registered.close();
        cuda.close();
        host.close();
    }

    /// Returns a source with what it includes of the tests', since the compiler of a program knows the headers alone.
    private static String text(String source) {
        String text = read(source);
        String include = "#include \"" + INCLUDED + "\"\n";
        int at = text.indexOf(include);
        if (at < 0) {
            return text;
        }
        long line = 2 + text.substring(0, at).lines().count(); // of what follows the include
        return text.substring(0, at) + read(INCLUDED) + "#line " + line + "\n" + text.substring(at + include.length());
    }

    private static String read(String source) {
        try (InputStream stream = KernelBench.class.getResourceAsStream(source)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

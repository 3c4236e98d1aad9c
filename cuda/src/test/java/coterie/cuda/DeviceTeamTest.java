// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.cuda.device.JavaProducer;
import coterie.cuda.device.JavaProducer.Descriptor;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.cuda.fake.FakeDriver;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;

/// Teams of kernels over a driver in Java, with threads in place of kernels, which use the ring.
class DeviceTeamTest {
    private static final int BYTES = 700_000;

    /// Puts device memory to block 1 of a PE, gets it back to device memory, and counts at a word of PE 0.
    private static void exchange(JavaProducer kernel, DeviceMemory memory, int pe) {
        long source = memory.devicePointer();
        kernel.await(kernel.post(Descriptor.put(64, source, BYTES, pe)));
        kernel.await(kernel.post(Descriptor.get(64, source + BYTES, BYTES, pe)));
        kernel.ask(Descriptor.atomic(3, 8, true, 0, 1, 0, 0));
    }

    private static void refused(JavaProducer kernel, DeviceMemory memory) {
        kernel.post(Descriptor.put(BYTES, memory.devicePointer(), 1 << 20, 0));
        while (!kernel.isAborted()) {
            Thread.onSpinWait();
        }
    }

    /// Runs what a kernel would do in a thread, while this one waits in the world.
    private static void run(CudaFixture fixture, DeviceTeam team, Consumer<JavaProducer> kernel) {
        CompletableFuture<Void> end = CompletableFuture.runAsync(
                () -> kernel.accept(new JavaProducer(team.address(), fixture.driver::memory)),
                task -> Thread.ofPlatform().daemon().start(task));
        fixture.world.progressUntil(end::isDone);
        end.join();
    }

    @OneToFourPes
    @DisplayName("kernels put and get device memory through the ring, and count at a word")
    void exchange(World world) {
        SymmetricMemory host = world.allocate(1 << 20, 65_536);
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceMemory device = fixture.cuda.allocate(world.team(), 2L * BYTES);
            RegisteredMemory registered = fixture.cuda.register(host);
            DeviceTeam team = DeviceTeam.create(fixture.cuda, world.team(), registered, device);
            CudaStream stream = fixture.cuda.createStream("kernels");
            stream.fill(device, 0, BYTES, (byte) (7 + world.pe()));
            stream.synchronize();
            run(fixture, team, kernel -> exchange(kernel, device, fixture.right()));
            world.team().barrier();
            byte[] back = new byte[2 * BYTES];
            device.get(0, java.lang.foreign.MemorySegment.ofArray(back), world.pe());
            assertThat(back).containsOnly(7 + world.pe());
            assertThat(host.segment().asSlice(64, BYTES).toArray(JAVA_BYTE)).containsOnly(7 + fixture.left());
            assertThat(host.longs().get(0, 0)).isEqualTo(world.size());
            assertThat(team.failure()).isEmpty();
            team.check();
            world.team().barrier();
            team.close();
            team.close();
            registered.close();
            device.close();
        }
        host.close();
    }

    @OneToFourPes
    @DisplayName("check throws the first error of the kernels, with the PE, the operation and the range")
    void errors(World world) {
        SymmetricMemory host = world.allocate(1 << 20, 65_536);
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceMemory device = fixture.cuda.allocate(world.team(), 2L * BYTES);
            RegisteredMemory registered = fixture.cuda.register(host);
            DeviceTeam team = DeviceTeam.create(fixture.cuda, world.team(), registered, device);
            run(fixture, team, kernel -> kernel.failWithPe(99));
            assertThatThrownBy(team::check)
                    .isInstanceOfSatisfying(
                            DeviceTeamException.class,
                            e -> assertThat(e.error()).isEqualTo(DeviceError.BAD_PE))
                    .hasMessageContaining("device team on PE " + world.pe() + ": put of a kernel")
                    .hasMessageContaining("PE 99 is outside [0, " + world.size() + ")");
            world.team().barrier();
            team.close();
            registered.close();
            device.close();
        }
        host.close();
    }

    @OneToFourPes
    @DisplayName("an operation of the ring that core refuses ends the kernels, and check has its exception")
    void refused(World world) {
        SymmetricMemory host = world.allocate(1 << 20, 65_536);
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceMemory device = fixture.cuda.allocate(world.team(), 2L << 20);
            RegisteredMemory registered = fixture.cuda.register(host);
            DeviceTeam team = DeviceTeam.create(fixture.cuda, world.team(), registered, device);
            run(fixture, team, kernel -> refused(kernel, device));
            assertThatThrownBy(team::check)
                    .isInstanceOfSatisfying(
                            DeviceTeamException.class,
                            e -> assertThat(e.error()).isEqualTo(DeviceError.ABORTED))
                    .hasCauseInstanceOf(IndexOutOfBoundsException.class);
            world.team().barrier();
            team.close();
            registered.close();
            device.close();
        }
        host.close();
    }

    @OneToFourPes
    @DisplayName("if one device refuses its memory, all members get an exception and nothing is left")
    void refusal(World world) {
        FakeDriver driver = new FakeDriver();
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            if (world.pe() == 0) {
                driver.fail(DriverFunction.MEM_ALLOC, DriverConstant.CUDA_ERROR_OUT_OF_MEMORY, 1);
            }
            assertThatThrownBy(() -> DeviceTeam.create(fixture.cuda, world.team()))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining(
                            world.pe() == 0 ? "CUDA_ERROR_OUT_OF_MEMORY" : "another member's device has failed");
            DeviceTeam team = DeviceTeam.create(fixture.cuda, world.team());
            team.abort();
            team.close();
        }
    }
}

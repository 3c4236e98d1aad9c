// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.ElementType;
import coterie.ExtendedReduction;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.cuda.fake.FakeDriver;
import coterie.junit.SpmdTest;
import coterie.stream.CaptureMode;
import coterie.stream.StreamException;
import org.junit.jupiter.api.DisplayName;

/// What a device collective refuses, and what its communicators leave: arguments, agreement, mismatches, leaks,
/// captures.
class DeviceCollectiveChecksTest {
    private static EngineParts parts(String mode) {
        return new EngineParts(
                mode,
                () -> {
                    throw new CoterieException("no NCCL in this test");
                },
                () -> {
                    throw new CoterieException("no kernels in this test");
                },
                4096);
    }

    @SpmdTest(pes = 2)
    @DisplayName("arguments out of range are refused with their values, before anything is enqueued")
    void arguments(World world) {
        try (CudaFixture fixture = new CudaFixture(world);
                CudaFixture other = new CudaFixture(world)) {
            DeviceCollectives c = fixture.cuda.collectives(world.team(), parts("host"));
            DeviceMemory m = fixture.cuda.allocate(world.team(), 256);
            DeviceMemory foreign = other.cuda.allocate(world.team(), 256);
            CudaStream s = fixture.cuda.createStream();
            String me = "on team \"world\", PE " + world.pe() + ": ";
            refused(() -> c.broadcast(s, ElementType.INT, m, 0, m, 16, -1, 0), me + "count -1 is outside [0, ");
            refused(() -> c.broadcast(s, ElementType.INT, m, 0, m, 16, Long.MAX_VALUE / 4, 0), "is outside [0, ");
            refused(() -> c.allToAll(s, ElementType.INT, m, 0, m, 0, 2), "overlap; they must be disjoint");
            refused(() -> c.broadcast(s, ElementType.INT, m, 0, m, 1, 2, 0), "or begin at the same element");
            refused(() -> c.allGather(s, ElementType.INT, m, 0, m, 16, 20), "member's block of the other");
            refused(() -> c.gather(s, ElementType.INT, m, 0, m, 3, 5, 0), "member's block of the other");
            refused(() -> c.scatter(s, ElementType.INT, m, 1, m, 0, 5, 0), "member's block of the other");
            refused(() -> c.broadcast(s, ElementType.INT, foreign, 0, m, 16, 1, 0), "target belongs to another Cuda");
            refused(
                    () -> c.broadcast(other.cuda.createStream("far"), ElementType.INT, m, 0, m, 16, 1, 0),
                    "stream \"far\" belongs to another Cuda");
            refused(
                    () -> c.allReduce(s, IntegerReduction.XOR, ElementType.FLOAT, m, 0, m, 16, 1),
                    me
                            + "XOR is no reduction of FLOAT on devices; allowed are SUM, PRODUCT, MIN, MAX, for integers AND,"
                            + " OR, XOR, and for floating-point numbers AVERAGE");
            refused(
                    () -> c.reduce(s, ExtendedReduction.AVERAGE, ElementType.INT, m, 0, m, 16, 1, 0),
                    me + "AVERAGE is no reduction of INT on devices");
            refused(
                    () -> c.allReduce(s, ExtendedReduction.MAX_LOCATION, ElementType.INT, m, 0, m, 16, 2),
                    me + "MAX_LOCATION is no reduction of INT on devices");
            assertThatThrownBy(() -> c.broadcast(s, ElementType.INT, m, 0, m, 16, 1, 2))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("root 2 is outside [0, 2)");
            assertThatThrownBy(() -> c.scatter(s, ElementType.INT, m, 0, m, 16, 25, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("scatter of device memory " + me)
                    .hasMessageContaining("50 elements at index 16 of the source leave its 64 elements of INT");
            assertThatThrownBy(() -> c.allGather(s, ElementType.INT, m, 48, m, 0, 10))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("20 elements at index 48 of the target leave its 64 elements of INT");
            assertThatThrownBy(() -> c.broadcast(s, ElementType.INT, m, 0, m, Long.MAX_VALUE, 1, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("of the source leave its 64 elements of INT");
            assertThatThrownBy(() -> c.broadcast(s, ElementType.INT, m, -1, m, 16, 1, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining(me + "1 elements at index -1 of the target leave its 64 elements of INT");
            c.allReduce(s, Reduction.SUM, ElementType.INT, m, 0, m, 16, 0);
            s.synchronize();
            Team self = world.team().splitByColor(world.pe(), 0);
            DeviceMemory own = fixture.cuda.allocate(self, 64);
            refused(() -> c.broadcast(s, ElementType.INT, own, 0, m, 16, 1, 0), "is no member");
            own.close();
            self.close();
            c.close();
            assertThatThrownBy(() -> c.barrier(s))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the collectives are closed");
            m.close();
            foreign.close();
        }
    }

    private static void refused(Runnable call, String message) {
        assertThat(catchThrowable(call::run))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @OneToFourPes
    @DisplayName("members agree: on the engine, on a wrong or a different setting, and on what one of them lacks")
    void agreement(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            int last = world.size() - 1;
            boolean isLast = world.pe() == last;
            assertThatThrownBy(() -> fixture.cuda.collectives(world.team(), parts(isLast ? "gpu" : "auto")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "collectives on PE " + last + ", device 0: COTERIE_CUDA_COLLECTIVES is \"gpu\";"
                                    + " allowed: auto, nccl, kernels, host");
            if (last > 0) {
                assertThatThrownBy(() -> fixture.cuda.collectives(world.team(), parts(isLast ? "host" : "kernels")))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("different values of COTERIE_CUDA_COLLECTIVES: [kernels,");
            }
            assertThatThrownBy(() -> fixture.cuda.collectives(world.team(), parts("nccl")))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("is nccl, which the members can't use: PE 0: no NCCL in this test");
            assertThatThrownBy(() -> fixture.cuda.collectives(world.team(), parts("kernels")))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("is kernels, which the members can't use: PE 0: no kernels in this test");
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts("auto"));
            assertThat(collectives.engine()).isEqualTo("host");
            assertThatThrownBy(fixture.cuda::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("collectives of team \"world\" by host");
            collectives.close();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("members that pass different counts to the host engine get the mismatch in their streams")
    void mismatch(World world) {
        FakeDriver driver = new FakeDriver();
        Cuda cuda = new CudaFixture(world, driver, CudaOptions.DEFAULT).cuda;
        DeviceCollectives collectives = cuda.collectives(world.team(), parts("host"));
        DeviceMemory memory = cuda.allocate(world.team(), 4096);
        CudaStream stream = cuda.createStream();
        collectives.allReduce(stream, Reduction.SUM, ElementType.LONG, memory, 0, memory, 0, 1 + world.pe());
        assertThatThrownBy(stream::synchronize)
                .isInstanceOf(StreamException.class)
                .hasRootCauseInstanceOf(CollectiveMismatchException.class);
        memory.close();
        assertThatThrownBy(collectives::close).isInstanceOf(StreamException.class);
        assertThatThrownBy(() -> collectives.barrier(stream)).isInstanceOf(IllegalStateException.class);
        cuda.close();
    }

    @SpmdTest(pes = 2)
    @DisplayName("a hundred collectives objects leave nothing behind")
    void leaks(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 64);
            CudaStream stream = fixture.cuda.createStream();
            long before = world.heapStatistics().usedBytes();
            for (int round = 0; round < 100; round++) {
                DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts("host"));
                collectives.allReduce(stream, Reduction.MAX, ElementType.LONG, memory, 0, memory, 0, 1);
                if (round % 2 == 0) {
                    collectives.destroy();
                } else {
                    stream.synchronize();
                    collectives.close();
                }
            }
            world.team().barrier();
            world.allocate(64).close(); // closes of teams of all members have come with it
            assertThat(world.heapStatistics().usedBytes()).isEqualTo(before);
            memory.close();
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("a captured stream refuses collectives of the host")
    void capture(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts("host"));
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 64);
            CudaStream stream = fixture.cuda.createStream();
            stream.beginCapture(CaptureMode.RELAXED);
            assertThatThrownBy(() ->
                            collectives.allReduce(stream, Reduction.MAX, ElementType.LONG, memory, 0, memory, 0, 1))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("enqueue it outside the capture");
            stream.endCapture().close();
            collectives.close();
            memory.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.ExtendedReduction;
import coterie.Reduction;
import coterie.World;
import coterie.collective.CollectiveType;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.fake.FakeDriver;
import coterie.cuda.fake.FakeNccl;
import coterie.cuda.nccl.LibNccl;
import coterie.cuda.nccl.NcclFunction;
import coterie.junit.SpmdTest;
import coterie.stream.CaptureMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// The calls of NCCL that collectives make, over a NCCL that notes them.
class NcclEngineTest {
    private static FakeDriver driver(World world) {
        return new FakeDriver().attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 16 + world.pe());
    }

    private static EngineParts parts(FakeNccl nccl, String mode) {
        return new EngineParts(
                mode,
                () -> LibNccl.over(nccl),
                () -> {
                    throw new CoterieException("no kernels in this test");
                },
                4096);
    }

    @OneToFourPes
    @DisplayName("members connect with one identity, and each collective is a call with NCCL's numbers")
    void calls(World world) {
        FakeNccl nccl = new FakeNccl();
        try (CudaFixture fixture = new CudaFixture(world, driver(world), CudaOptions.DEFAULT)) {
            DeviceCollectives c = fixture.cuda.collectives(world.team(), parts(nccl, "auto"));
            assertThat(c.engine()).isEqualTo("nccl");
            assertThat(c.reason()).contains("the first that all members can use", "no kernels, as PE 0");
            byte[] id = new byte[LibNccl.ID_BYTES];
            Arrays.fill(id, (byte) 42);
            assertThat(nccl.take())
                    .containsExactly("ncclCommInitRankConfig(" + world.size() + ", id " + Arrays.hashCode(id) + ", "
                            + world.pe() + ", {24, cafebeef, 21400, 0})");
            DeviceMemory m = fixture.cuda.allocate(world.team(), 4096);
            CudaStream s = fixture.cuda.createStream();
            long to = m.devicePointer();
            long from = m.devicePointer() + 2048;
            String end = ", " + FakeNccl.COMMUNICATOR + ", " + s.handle() + ")";
            int last = world.size() - 1;
            c.allReduce(s, Reduction.MAX, ElementType.DOUBLE, m, 0, m, 256, 7);
            c.reduce(s, Reduction.MIN, ElementType.UNSIGNED_LONG, m, 0, m, 256, 6, last);
            c.broadcast(s, ElementType.SHORT, m, 0, m, 1024, 5, last);
            c.allGather(s, ElementType.INT, m, 0, m, 512, 4);
            c.reduceScatter(s, Reduction.PRODUCT, ElementType.BYTE, m, 0, m, 2048, 3);
            assertThat(nccl.take())
                    .containsExactly(
                            "ncclAllReduce(" + from + ", " + to + ", 7, 8, 2" + end,
                            "ncclReduce(" + from + ", " + to + ", 6, 5, 3, " + last + end,
                            "ncclBroadcast(" + from + ", " + to + ", 10, 1, " + last + end,
                            "ncclAllGather(" + from + ", " + to + ", 16, 1" + end,
                            "ncclReduceScatter(" + from + ", " + to + ", 3, 0, 1" + end);
            c.allReduce(s, ExtendedReduction.AVERAGE, ElementType.HALF, m, 0, m, 1024, 7);
            c.reduce(s, ExtendedReduction.AVERAGE, ElementType.DOUBLE, m, 0, m, 256, 6, last);
            c.reduceScatter(s, ExtendedReduction.AVERAGE, ElementType.BFLOAT16, m, 0, m, 1024, 3);
            assertThat(nccl.take())
                    .containsExactly(
                            "ncclAllReduce(" + from + ", " + to + ", 7, 6, 4" + end,
                            "ncclReduce(" + from + ", " + to + ", 6, 8, 4, " + last + end,
                            "ncclReduceScatter(" + from + ", " + to + ", 3, 9, 4" + end);
            c.allToAll(s, ElementType.LONG, m, 0, m, 256, 2);
            List<String> exchange = nccl.take();
            assertThat(exchange)
                    .hasSize(2 + 2 * world.size())
                    .startsWith("ncclGroupStart()")
                    .endsWith("ncclGroupEnd()");
            assertThat(exchange.get(1 + 2 * last))
                    .isEqualTo("ncclSend(" + (from + 16L * last) + ", 16, 1, " + last + end);
            assertThat(exchange.get(2 + 2 * last))
                    .isEqualTo("ncclRecv(" + (to + 16L * last) + ", 16, 1, " + last + end);
            rooted(c, s, m, nccl, end);
            c.destroy();
            assertThat(nccl.take())
                    .containsExactly(
                            "ncclCommFinalize(" + FakeNccl.COMMUNICATOR + ")",
                            "ncclCommDestroy(" + FakeNccl.COMMUNICATOR + ")");
            m.close();
        }
    }

    private static void rooted(DeviceCollectives c, CudaStream s, DeviceMemory m, FakeNccl nccl, String end) {
        int last = m.team().size() - 1;
        int me = m.team().member();
        long at = m.devicePointer();
        List<String> gathered = new ArrayList<>(List.of("ncclGroupStart()"));
        List<String> scattered = new ArrayList<>(gathered);
        for (int member = 0; member <= last; member++) {
            if (member == last) {
                gathered.add("ncclSend(" + (at + 2048) + ", 24, 1, " + last + end);
                if (me == last) {
                    scattered.add("ncclSend(" + (at + 2048 + 24L * member) + ", 24, 1, " + member + end);
                }
                scattered.add("ncclRecv(" + at + ", 24, 1, " + last + end);
            } else if (me == last) {
                scattered.add("ncclSend(" + (at + 2048 + 24L * member) + ", 24, 1, " + member + end);
            }
            if (me == last) {
                gathered.add("ncclRecv(" + (at + 24L * member) + ", 24, 1, " + member + end);
            }
        }
        gathered.add("ncclGroupEnd()");
        scattered.add("ncclGroupEnd()");
        c.gather(s, ElementType.LONG, m, 0, m, 256, 3, last);
        assertThat(nccl.take()).isEqualTo(gathered);
        c.scatter(s, ElementType.LONG, m, 0, m, 256, 3, last);
        assertThat(nccl.take()).isEqualTo(scattered);
        c.gather(s, ElementType.LONG, m, 0, m, 3L * me, 3, me);
        assertThat(nccl.take()).doesNotContain("ncclSend(" + (at + 24L * me) + ", 24, 1, " + me + end);
        c.scatter(s, ElementType.LONG, m, 3L * me, m, 0, 3, me);
        assertThat(nccl.take()).doesNotContain("ncclRecv(" + (at + 24L * me) + ", 24, 1, " + me + end);
    }

    @OneToFourPes
    @DisplayName("sends and receives are one group of NCCL, in their order, without those of no elements")
    void exchanges(World world) {
        FakeNccl nccl = new FakeNccl();
        try (CudaFixture fixture = new CudaFixture(world, driver(world), CudaOptions.DEFAULT)) {
            DeviceCollectives c = fixture.cuda.collectives(world.team(), parts(nccl, "nccl"));
            DeviceMemory m = fixture.cuda.allocate(world.team(), 4096);
            CudaStream s = fixture.cuda.createStream();
            nccl.take();
            long at = m.devicePointer();
            String end = ", " + FakeNccl.COMMUNICATOR + ", " + s.handle() + ")";
            int size = world.size();
            long[] counts = new long[size];
            long[] targets = new long[size];
            long[] sources = new long[size];
            List<String> calls = new ArrayList<>(List.of("ncclGroupStart()"));
            for (int peer = 0; peer < size; peer++) {
                targets[peer] = 10L * peer;
                sources[peer] = 256 + 5L * peer;
                if ((world.pe() + peer) % 2 == 1) {
                    counts[peer] = 3;
                    calls.add("ncclSend(" + (at + 8 * sources[peer]) + ", 24, 1, " + peer + end);
                    calls.add("ncclRecv(" + (at + 8 * targets[peer]) + ", 24, 1, " + peer + end);
                }
            }
            calls.add("ncclGroupEnd()");
            c.allToAllV(s, ElementType.LONG, m, counts, targets, m, counts, sources);
            assertThat(nccl.take()).isEqualTo(calls);
            int right = (world.pe() + 1) % size;
            int left = (world.pe() + size - 1) % size;
            c.group(() -> {
                c.receive(s, ElementType.INT, m, 0, 4, left);
                c.send(s, ElementType.INT, m, 8, 4, right);
            });
            List<String> ring = List.of(
                    "ncclGroupStart()",
                    "ncclRecv(" + at + ", 16, 1, " + left + end,
                    "ncclSend(" + (at + 32) + ", 16, 1, " + right + end,
                    "ncclGroupEnd()");
            assertThat(nccl.take()).isEqualTo(ring);
            assertThatThrownBy(() -> c.group(() -> {
                        c.receive(s, ElementType.INT, m, 0, 4, left);
                        throw new IllegalStateException("the program's");
                    }))
                    .hasMessage("the program's");
            assertThat(nccl.take()).isEmpty();
            s.beginCapture(CaptureMode.RELAXED);
            c.group(() -> {
                c.receive(s, ElementType.INT, m, 0, 4, left);
                c.send(s, ElementType.INT, m, 8, 4, right);
            });
            s.endCapture().close();
            assertThat(nccl.take()).isEqualTo(ring);
            s.synchronize(); // so that the close leaves nothing
            c.close();
            m.close();
        }
    }

    @OneToFourPes
    @DisplayName("what NCCL can't reduce goes through the host, with the right result")
    void fallback(World world) {
        FakeNccl nccl = new FakeNccl();
        try (CudaFixture fixture = new CudaFixture(world, driver(world), CudaOptions.DEFAULT)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(nccl, "nccl"));
            assertThat(collectives.reason()).isEqualTo("COTERIE_CUDA_COLLECTIVES is nccl");
            nccl.take();
            try (CollectiveCheck check = new CollectiveCheck(fixture.cuda, world.team(), collectives, false)) {
                check.run(CollectiveType.ALL_REDUCE, DeviceReduction.XOR, ElementType.LONG, 100, 0);
                check.run(CollectiveType.ALL_REDUCE, DeviceReduction.SUM, ElementType.SHORT, 100, 0);
                check.run(CollectiveType.REDUCE_SCATTER, DeviceReduction.MAX, ElementType.UNSIGNED_SHORT, 10, 0);
                assertThat(nccl.take()).isEmpty();
                collectives.close();
            }
        }
    }

    @SpmdTest(pes = {2, 4})
    @DisplayName("PEs that share a device don't use NCCL, and the reason names them")
    void shared(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            FakeNccl nccl = new FakeNccl();
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(nccl, "auto"));
            assertThat(collectives.engine()).isEqualTo("host");
            assertThat(collectives.reason()).contains("no NCCL, as PE 0 and PE 1 share a device");
            assertThat(nccl.take()).isEmpty();
            collectives.close();
            assertThatThrownBy(() -> fixture.cuda.collectives(world.team(), parts(nccl, "nccl")))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContainingAll("is nccl, which the members can't use", "PE 0 and PE 1 share a device");
        }
    }

    @SpmdTest(pes = {1, 3})
    @DisplayName("if NCCL makes no identity, all members go on without it, and the reason says so")
    void noIdentity(World world) {
        FakeNccl nccl = new FakeNccl().fail(NcclFunction.GET_UNIQUE_ID, 2);
        try (CudaFixture fixture = new CudaFixture(world, driver(world), CudaOptions.DEFAULT)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(nccl, "auto"));
            assertThat(collectives.engine()).isEqualTo("host");
            assertThat(collectives.reason())
                    .contains(
                            "no NCCL, as PE 0: NCCL makes no identity: ncclSystemError (2), fake text of 2",
                            "no kernels, as PE 0: no kernels in this test");
            collectives.close();
            assertThatThrownBy(() -> fixture.cuda.collectives(world.team(), parts(nccl, "nccl")))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContainingAll("is nccl, which the members can't use", "NCCL makes no identity");
        }
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("if one member can't connect, the others stop waiting, and all members go on without NCCL")
    void connect(World world) {
        int last = world.size() - 1;
        FakeNccl nccl = new FakeNccl().polls(Integer.MAX_VALUE);
        if (world.pe() == last) {
            nccl.fail(NcclFunction.COMM_INIT_RANK_CONFIG, 2);
        }
        try (CudaFixture fixture = new CudaFixture(world, driver(world), CudaOptions.DEFAULT)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(nccl, "auto"));
            assertThat(collectives.engine()).isEqualTo("host");
            assertThat(collectives.reason()).contains("no NCCL, as PE 0: ");
            assertThat(nccl.take()).last().isEqualTo("ncclCommAbort(" + FakeNccl.COMMUNICATOR + ")");
            try (CollectiveCheck check = new CollectiveCheck(fixture.cuda, world.team(), collectives, false)) {
                check.run(CollectiveType.ALL_GATHER, null, ElementType.LONG, 10, 0);
                collectives.close();
            }
            assertThatThrownBy(() -> fixture.cuda.collectives(world.team(), parts(nccl, "nccl")))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContainingAll("is nccl, which the members can't use", "PE 0");
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("an error of NCCL names the operation, and ends the communicator")
    void errors(World world) {
        FakeNccl nccl = new FakeNccl();
        try (CudaFixture fixture = new CudaFixture(world, driver(world), CudaOptions.DEFAULT)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(nccl, "nccl"));
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 64);
            CudaStream stream = fixture.cuda.createStream();
            nccl.take();
            nccl.failAsync(6);
            assertThatThrownBy(() ->
                            collectives.allReduce(stream, Reduction.SUM, ElementType.INT, memory, 0, memory, 0, 1))
                    .isInstanceOf(CoterieException.class)
                    .hasMessage("allReduce of device memory on team \"world\", PE " + world.pe()
                            + ": NCCL 2.30.7 has failed: ncclRemoteError (6), fake text of 6");
            assertThat(nccl.take()).last().isEqualTo("ncclCommAbort(" + FakeNccl.COMMUNICATOR + ")");
            assertThatThrownBy(() -> collectives.broadcast(stream, ElementType.INT, memory, 0, memory, 0, 1, 0))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContainingAll("the communicator has ended: NCCL 2.30.7", "close the collectives");
            assertThat(nccl.take()).isEmpty();
            collectives.close();
            memory.close();
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("a stream that captures takes calls of NCCL")
    void capture(World world) {
        FakeNccl nccl = new FakeNccl();
        try (CudaFixture fixture = new CudaFixture(world, driver(world), CudaOptions.DEFAULT)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(nccl, "nccl"));
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 64);
            CudaStream stream = fixture.cuda.createStream();
            nccl.take();
            stream.beginCapture(CaptureMode.RELAXED);
            collectives.broadcast(stream, ElementType.INT, memory, 0, memory, 0, 1, 0);
            stream.endCapture().close();
            assertThat(nccl.take()).hasSize(1);
            collectives.close();
            memory.close();
        }
    }
}

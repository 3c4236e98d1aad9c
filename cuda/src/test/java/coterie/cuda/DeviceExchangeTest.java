// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.ElementType;
import coterie.Reduction;
import coterie.World;
import coterie.cuda.fake.FakeDriver;
import coterie.junit.SpmdTest;
import coterie.stream.CaptureMode;
import coterie.stream.StreamException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;

/// What members exchange in pairs: blocks of any lengths, sends and receives. The host does it, also where kernels do
/// the collectives; [NcclEngineTest] has the calls of NCCL.
class DeviceExchangeTest {
    /// Longs of a member's part.
    private static final int LONGS = 8192;

    private static EngineParts parts(String mode, Cuda cuda) {
        return new EngineParts(
                mode,
                () -> {
                    throw new CoterieException("no NCCL in this test");
                },
                () -> cuda.load((byte) 'k'),
                4096);
    }

    private static long[] contents(DeviceMemory memory) {
        long[] all = new long[LONGS];
        memory.get(0, MemorySegment.ofArray(all), memory.team().member());
        return all;
    }

    /// Elements that a member sends to another one: none, a few, and more than a piece has.
    private static long count(int from, int to) {
        return switch ((from * 3 + to) % 4) {
            case 0 -> 0;
            case 1 -> 5;
            case 2 -> 125;
            default -> 700;
        };
    }

    private static long element(int from, int to, long number) {
        return 1_000_000L * from + 10_000L * to + number + 1;
    }

    @OneToFourPes
    @DisplayName("allToAllV moves blocks of any lengths, in pieces, to any places, and leaves the gaps between them")
    void allToAllV(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            for (String mode : new String[] {"host", "kernels"}) {
                DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(mode, fixture.cuda));
                assertThat(collectives.engine()).isEqualTo(mode);
                checkBlocks(world, fixture.cuda, collectives);
                collectives.close();
            }
        }
    }

    /// Exchanges blocks of all lengths twice, and compares all of the memory.
    static void checkBlocks(World world, Cuda cuda, DeviceCollectives collectives) {
        int size = world.size();
        int me = world.pe();
        long[] expected = new long[LONGS];
        Arrays.fill(expected, -1);
        long[][] counts = new long[2][size];
        long[][] indices = new long[2][size];
        for (int peer = 0; peer < size; peer++) {
            int slot = size - 1 - peer;
            counts[0][peer] = count(peer, me);
            counts[1][peer] = count(me, peer);
            indices[0][peer] = 4096 + slot * 1000L;
            indices[1][peer] = slot * 1000L;
            for (int i = 0; i < counts[1][peer]; i++) {
                expected[slot * 1000 + i] = element(me, peer, i);
            }
        }
        try (DeviceMemory memory = cuda.allocate(world.team(), LONGS * (long) Long.BYTES);
                CudaStream stream = cuda.createStream()) {
            memory.put(0, MemorySegment.ofArray(expected), me);
            for (int round = 0; round < 2; round++) {
                collectives.allToAllV(
                        stream, ElementType.LONG, memory, counts[0], indices[0], memory, counts[1], indices[1]);
                collectives.barrier(stream);
            }
            stream.synchronize();
            for (int peer = 0; peer < size; peer++) {
                for (int i = 0; i < counts[0][peer]; i++) {
                    expected[(int) indices[0][peer] + i] = element(peer, me, i);
                }
            }
            assertThat(contents(memory)).as("by %s", collectives).isEqualTo(expected);
        }
    }

    @OneToFourPes
    @DisplayName("a group sends around a ring, to the caller itself and in order; it may cross sends without a group")
    void group(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts("host", fixture.cuda));
            checkRing(world, fixture.cuda, collectives);
            collectives.close();
        }
    }

    /// Sends around a ring, and between two members in turns.
    static void checkRing(World world, Cuda cuda, DeviceCollectives collectives) {
        int size = world.size();
        int me = world.pe();
        int right = (me + 1) % size;
        int left = (me + size - 1) % size;
        long[] expected = new long[LONGS];
        for (int i = 0; i < 2000; i++) {
            expected[i] = element(me, right, i);
        }
        try (DeviceMemory memory = cuda.allocate(world.team(), LONGS * (long) Long.BYTES);
                CudaStream stream = cuda.createStream()) {
            memory.put(0, MemorySegment.ofArray(expected), me);
            collectives.group(() -> {
                collectives.send(stream, ElementType.LONG, memory, 0, 700, right);
                collectives.send(stream, ElementType.LONG, memory, 700, 3, right);
                collectives.receive(stream, ElementType.LONG, memory, 4000, 700, left);
                collectives.receive(stream, ElementType.LONG, memory, 5000, 3, left);
                collectives.send(stream, ElementType.LONG, memory, 100, 2, me);
                collectives.receive(stream, ElementType.LONG, memory, 6000, 2, me);
            });
            collectives.group(() -> {});
            if (me == 0 && size > 1) {
                collectives.send(stream, ElementType.INT, memory, 0, 1000, 1);
                collectives.receive(stream, ElementType.INT, memory, 14_000, 1000, 1);
            } else if (me == 1) {
                collectives.group(() -> {
                    collectives.send(stream, ElementType.INT, memory, 0, 1000, 0);
                    collectives.receive(stream, ElementType.INT, memory, 14_000, 1000, 0);
                });
            }
            stream.synchronize();
            for (int i = 0; i < 700; i++) {
                expected[4000 + i] = element(left, me, i);
                expected[5000 + i % 3] = element(left, me, 700 + i % 3);
                expected[6000 + i % 2] = element(me, right, 100 + i % 2);
            }
            for (int i = 0; size > 1 && me < 2 && i < 500; i++) {
                expected[7000 + i] = element(1 - me, (2 - me) % size, i);
            }
            assertThat(contents(memory)).as("by %s", collectives).isEqualTo(expected);
        }
    }

    @SpmdTest(pes = 3)
    @DisplayName("transfers of a group wait for none of the others, whatever order the peers have")
    void independent(World world) {
        int me = world.pe();
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts("host", fixture.cuda));
            DeviceMemory memory = fixture.cuda.allocate(world.team(), LONGS * Long.BYTES);
            CudaStream stream = fixture.cuda.createStream();
            memory.put(0, MemorySegment.ofArray(new long[] {me + 1}), me);
            switch (me) {
                case 0 ->
                    collectives.group(
                            () -> { // PE 2 receives after it has what PE 1 sends after it has this
                                collectives.send(stream, ElementType.LONG, memory, 0, 1000, 2);
                                collectives.send(stream, ElementType.LONG, memory, 0, 1000, 1);
                            });
                case 1 -> {
                    collectives.receive(stream, ElementType.LONG, memory, 2000, 1000, 0);
                    collectives.send(stream, ElementType.LONG, memory, 2000, 1000, 2);
                }
                default -> {
                    collectives.receive(stream, ElementType.LONG, memory, 2000, 1000, 1);
                    collectives.receive(stream, ElementType.LONG, memory, 4000, 1000, 0);
                }
            }
            stream.synchronize();
            if (me > 0) {
                assertThat(contents(memory)[2000]).isEqualTo(1);
            }
            if (me == 2) {
                assertThat(contents(memory)[4000]).isEqualTo(1);
            }
            collectives.destroy();
            memory.close();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("sizes that differ, and another collective than allToAllV, are a mismatch on both sides")
    void mismatches(World world) {
        int other = 1 - world.pe();
        Cuda cuda = new CudaFixture(world, new FakeDriver(), CudaOptions.DEFAULT).cuda;
        DeviceMemory memory = cuda.allocate(world.team(), LONGS * Long.BYTES);
        DeviceCollectives pairs = cuda.collectives(world.team(), parts("host", cuda));
        CudaStream one = cuda.createStream();
        pairs.group(() -> {
            if (world.pe() == 0) {
                pairs.send(one, ElementType.LONG, memory, 0, 1000, 1);
            } else {
                pairs.receive(one, ElementType.LONG, memory, 0, 999, 0);
            }
            pairs.receive(one, ElementType.INT, memory, 8000, 1, other); // which the other one never sends
        });
        assertThatThrownBy(one::synchronize)
                .isInstanceOf(StreamException.class)
                .rootCause()
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("PE 0 sends 8000 bytes to PE 1, which receives 7992");
        assertThatThrownBy(pairs::close).isInstanceOf(StreamException.class);

        DeviceCollectives all = cuda.collectives(world.team(), parts("host", cuda));
        CudaStream two = cuda.createStream();
        long[] counts = {1, 1};
        long[] indices = {0, 1};
        if (world.pe() == 0) {
            all.allToAllV(two, ElementType.LONG, memory, counts, new long[] {8, 9}, memory, counts, indices);
        } else {
            all.allReduce(two, Reduction.SUM, ElementType.LONG, memory, 0, memory, 0, 1);
        }
        assertThatThrownBy(two::synchronize)
                .isInstanceOf(StreamException.class)
                .hasRootCauseInstanceOf(CollectiveMismatchException.class);
        assertThatThrownBy(all::close).isInstanceOf(StreamException.class);
        memory.close();
        cuda.close();
    }

    @SpmdTest(pes = 2)
    @DisplayName("arguments of exchanges are checked before anything is enqueued, and a group has transfers alone")
    void arguments(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceCollectives c = fixture.cuda.collectives(world.team(), parts("host", fixture.cuda));
            DeviceMemory m = fixture.cuda.allocate(world.team(), 256);
            CudaStream s = fixture.cuda.createStream();
            CudaStream more = fixture.cuda.createStream("more");
            String me = " of device memory on team \"world\", PE " + world.pe() + ": ";
            int self = world.pe();
            refused(
                    IndexOutOfBoundsException.class,
                    () -> c.send(s, ElementType.INT, m, 0, 1, 2),
                    "send" + me + "peer 2 is outside [0, 2)");
            refused(
                    IndexOutOfBoundsException.class,
                    () -> c.receive(s, ElementType.INT, m, 60, 5, 1),
                    "receive" + me + "5 elements at index 60 of the target leave its 64 elements of INT");
            refused(
                    IllegalArgumentException.class,
                    () -> c.send(s, ElementType.INT, m, 0, -1, 1),
                    "count -1 is outside");
            refused(
                    IllegalArgumentException.class,
                    () -> c.send(s, ElementType.INT, m, 0, 1, self),
                    "send" + me + "this PE sends [4] bytes to itself and receives []; both must be the same");
            refused(
                    IllegalArgumentException.class,
                    () -> c.group(() -> {
                        c.send(s, ElementType.INT, m, 0, 4, 1 - self);
                        c.receive(s, ElementType.INT, m, 3, 4, 1 - self);
                    }),
                    "group" + me + "16 bytes of the target from PE " + (1 - self) + " overlap other bytes");
            refused(
                    IllegalArgumentException.class,
                    () -> c.group(() -> {
                        c.send(s, ElementType.INT, m, 0, 4, 1 - self);
                        c.receive(more, ElementType.INT, m, 8, 4, 1 - self);
                    }),
                    "and not also \"more\"");
            String alone = "a group has send and receive alone";
            refused(IllegalStateException.class, () -> c.group(() -> c.barrier(s)), "barrier" + me + alone);
            refused(IllegalStateException.class, () -> c.group(() -> c.group(() -> {})), "group" + me + alone);
            refused(
                    IllegalStateException.class,
                    () -> c.group(() -> c.broadcast(s, ElementType.INT, m, 0, m, 0, 1, 0)),
                    "broadcast" + me + alone);
            long[] two = {1, 1};
            refused(
                    IllegalArgumentException.class,
                    () -> c.allToAllV(s, ElementType.INT, m, two, new long[] {0}, m, two, new long[] {8, 9}),
                    "allToAllV" + me + "targetIndices has 1 elements; required: 2, one for each member");
            refused(
                    IllegalArgumentException.class,
                    () -> c.allToAllV(s, ElementType.INT, m, two, new long[] {0, 0}, m, two, new long[] {8, 9}),
                    "overlap other bytes of the call");
            refused(
                    IndexOutOfBoundsException.class,
                    () -> c.allToAllV(s, ElementType.INT, m, two, new long[] {0, 1}, m, two, new long[] {8, 64}),
                    "1 elements at index 64 of the source leave its 64 elements of INT");
            s.beginCapture(CaptureMode.RELAXED);
            assertThatThrownBy(() -> c.send(s, ElementType.INT, m, 0, 1, 1 - self))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("enqueue it outside the capture");
            s.endCapture().close();
            s.synchronize();
            c.close();
            refused(IllegalStateException.class, () -> c.group(() -> {}), "group" + me + "the collectives are closed");
            m.close();
        }
    }

    private static void refused(Class<? extends RuntimeException> type, Runnable call, String message) {
        assertThat(catchThrowable(call::run)).isInstanceOf(type).hasMessageContaining(message);
    }
}

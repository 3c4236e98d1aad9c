// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.ElementType;
import coterie.ElementView;
import coterie.ExtendedReduction;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.spi.ReductionKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;

/// Broadcasts of a group, and reductions over memory that it loads and stores.
class KernelReductionTest {
    /// What one thread reduces at a time, and so a count of which several threads have parts.
    private static final int SHARE = 4096;

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a broadcast gives all threads of the group the value of one, whichever it is")
    void broadcasts(World world) {
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            AtomicInteger wrong = new AtomicInteger();
            WorkStream stream = runtime.createStream();
            stream.launch(Extent.of(2), Extent.of(5), thread -> {
                for (KernelGroup group : List.of(thread, thread.tile(2), thread.block(), thread.grid())) {
                    for (int rank = 0; rank < group.size(); rank++) {
                        wrong.addAndGet(group.broadcast(7L * group.rank(), rank) == 7L * rank ? 0 : 1);
                        wrong.addAndGet(group.broadcast(group.rank() + 0.5, rank) == rank + 0.5 ? 0 : 1);
                    }
                }
            });
            stream.synchronize();
            assertThat(wrong.get()).isZero();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("a broadcast of a rank that the group has not, or whose thread has returned, fails the kernel")
    void noSuchRank(World world) {
        for (int rank : new int[] {-1, 4, 2}) {
            try (StreamRuntime runtime = StreamRuntime.open(world)) {
                WorkStream stream = runtime.createStream();
                stream.launch(Extent.of(1), Extent.of(4), thread -> {
                    thread.block().broadcast(1, 2);
                    if (rank != 2 || thread.number() != 2) {
                        thread.block().broadcast(9, rank);
                    }
                });
                assertThatThrownBy(stream::synchronize)
                        .isInstanceOf(StreamException.class)
                        .cause()
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("broadcast on stream")
                        .hasMessageContaining("rank " + rank + " of a group of 4; allowed are those in [0, 4)");
            }
        }
    }

    private static List<ReductionOperator<?>> reductions(ElementType type) {
        List<ReductionOperator<?>> all = new ArrayList<>();
        for (ReductionKind kind : ReductionKind.values()) {
            if (kind.suits(type)) {
                all.add(kind.operator());
            }
        }
        return all;
    }

    /// The compiler keeps the reductions of bits to views of integers, which all types are here that have them.
    @SuppressWarnings("unchecked")
    private static void allReduce(
            Team team, ReductionOperator<?> reduction, ElementView target, ElementView source, long count) {
        team.allReduce((ReductionOperator<? super ElementView>) reduction, target, 0, source, 0, count);
    }

    /// Numbers of all bits; FLOAT and DOUBLE without a NaN, whose payload the processor chooses.
    private static void fill(ElementType type, MemorySegment segment, Random random) {
        for (long i = 0; i < segment.byteSize() / Long.BYTES; i++) {
            long bits = switch (type) {
                case DOUBLE -> Double.doubleToRawLongBits(random.nextGaussian() * Math.pow(10, random.nextInt(20)));
                case FLOAT ->
                    ((long) Float.floatToRawIntBits((float) random.nextGaussian()) << Integer.SIZE)
                            | (Float.floatToRawIntBits((float) random.nextGaussian() * 1e6f) & 0xFFFF_FFFFL);
                default -> random.nextLong();
            };
            segment.setAtIndex(ValueLayout.JAVA_LONG, i, bits);
        }
    }

    private static MemorySegment[] parts(SymmetricMemory memory, int pes) {
        MemorySegment[] all = new MemorySegment[pes];
        for (int pe = 0; pe < pes; pe++) {
            all[pe] = memory.segment(pe).orElseThrow();
        }
        return all;
    }

    @SpmdTest(
            pes = {1, 2, 3, 5},
            modes = SpmdMode.THREADS)
    @DisplayName("a reduction over the memory of all PEs has the bits of an allreduce, for each type and operator")
    void bitsOfAllReduce(World world) {
        long bytes = 8L * 40;
        try (SymmetricMemory source = world.allocate(bytes);
                SymmetricMemory reduced = world.allocate(bytes);
                SymmetricMemory expected = world.allocate(bytes);
                StreamRuntime runtime = StreamRuntime.open(world);
                WorkStream stream = runtime.createStream()) {
            MemorySegment[] sources = parts(source, world.size());
            MemorySegment[] targets = {reduced.segment()};
            for (ElementType type : ElementType.values()) {
                long count = bytes / type.byteSize();
                fill(type, source.segment(), new Random(31L * world.pe() + 7));
                for (ReductionOperator<?> reduction : reductions(type)) {
                    allReduce(world.team(), reduction, expected.elements(type), source.elements(type), count);
                    stream.launch(
                            Extent.of(1),
                            Extent.of(3),
                            thread -> thread.block().reduceCopy(reduction, type, targets, sources, count));
                    stream.synchronize();
                    assertThat(reduced.segment().mismatch(expected.segment()))
                            .as("%s of %s", reduction, type)
                            .isEqualTo(-1);
                }
                world.team().barrier();
            }
        }
    }

    @SpmdTest(
            pes = {1, 2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("an allreduce in a kernel, in place: each PE reduces its share of the sources and stores it at all")
    void allReduceInKernel(World world) {
        int n = world.size();
        int blocks = 2;
        int count = 3 * SHARE + 5;
        try (SymmetricMemory memory = world.allocate(8L * count * blocks * n);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            MemorySegment[][] shares = new MemorySegment[blocks][n];
            for (int block = 0; block < blocks; block++) {
                for (int pe = 0; pe < n; pe++) {
                    shares[block][pe] = memory.segment(pe)
                            .orElseThrow()
                            .asSlice(8L * count * (world.pe() * blocks + block), 8L * count);
                }
            }
            WorkStream stream = runtime.createStream();
            for (int round = 1; round <= 3; round++) {
                for (int i = 0; i < count * blocks * n; i++) {
                    memory.longs().set(i, (long) round * i + world.pe());
                }
                stream.barrier(world.team());
                stream.launch(Extent.of(blocks), Extent.of(4), thread -> {
                    MemorySegment[] share = shares[thread.blockIndex().x()];
                    thread.block().reduceCopy(Reduction.SUM, ElementType.LONG, share, share, count);
                });
                stream.barrier(world.team());
                stream.synchronize();
                long others = (long) n * (n - 1) / 2;
                for (int i = 0; i < count * blocks * n; i++) {
                    assertThat(memory.longs().get(i)).isEqualTo((long) n * round * i + others);
                }
                world.team().barrier();
            }
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("threads share each of many calls, also those that others have left; one source is copied")
    void shares(World world) {
        int count = 5 * SHARE + 1;
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            long[] sums = new long[count];
            long[] copies = new long[count + 1];
            long[] others = new long[count];
            MemorySegment ones = MemorySegment.ofArray(new long[count]).fill((byte) 1);
            MemorySegment sum = MemorySegment.ofArray(sums);
            MemorySegment[] both = {sum, ones};
            MemorySegment[] target = {sum};
            MemorySegment[] two = {MemorySegment.ofArray(copies), MemorySegment.ofArray(others)};
            WorkStream stream = runtime.createStream();
            stream.launch(Extent.of(1), Extent.of(4), thread -> {
                for (int call = 0; call < 4 - thread.number(); call++) {
                    thread.block().reduceCopy(Reduction.SUM, ElementType.LONG, target, both, count);
                }
                if (thread.number() == 0) {
                    thread.reduceCopy(Reduction.MIN, ElementType.LONG, two, target, count);
                    thread.reduceCopy(Reduction.SUM, ElementType.LONG, target, both, 0);
                }
            });
            stream.synchronize();
            long one = 0x0101_0101_0101_0101L;
            assertThat(sums).containsOnly(4 * one);
            assertThat(others).isEqualTo(sums);
            assertThat(copies).startsWith(sums).endsWith(0);
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("sums of 16-bit numbers are added as floats, and rounded once; a copy keeps the bits of a NaN")
    void roundedOnce(World world) {
        try (StreamRuntime runtime = StreamRuntime.open(world);
                WorkStream stream = runtime.createStream()) {
            short big = (short) 0x4380; // 256 as bfloat16, to which 1 adds nothing
            short one = (short) 0x3F80;
            short nan = (short) 0x7FA1;
            MemorySegment[] sources = {
                MemorySegment.ofArray(new short[] {big, nan}),
                MemorySegment.ofArray(new short[] {one, one}),
                MemorySegment.ofArray(new short[] {one, one})
            };
            short[] target = new short[2];
            short[] copy = new short[2];
            stream.launch(Extent.of(1), Extent.of(1), thread -> {
                MemorySegment[] targets = {MemorySegment.ofArray(target)};
                thread.reduceCopy(Reduction.SUM, ElementType.BFLOAT16, targets, sources, 2);
                MemorySegment[] first = {sources[0]};
                MemorySegment[] copies = {MemorySegment.ofArray(copy)};
                thread.reduceCopy(Reduction.SUM, ElementType.BFLOAT16, copies, first, 2);
            });
            stream.synchronize();
            assertThat(target).containsExactly((short) 0x4381, (short) 0x7FC0); // 258
            assertThat(copy).containsExactly(big, nan);
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("each argument that is wrong is refused with its place, before anything is stored")
    void arguments(World world) {
        MemorySegment right = MemorySegment.ofArray(new long[] {1, 2});
        MemorySegment[] rights = {right};
        long[] stored = new long[2];
        MemorySegment[] targets = {MemorySegment.ofArray(stored)};
        Arena ended = Arena.ofShared();
        MemorySegment dead = ended.allocate(16);
        ended.close();
        Map<Kernel, String> calls = new LinkedHashMap<>();
        ElementType type = ElementType.LONG;
        try (Arena mine = Arena.ofConfined()) {
            MemorySegment confined = mine.allocate(16);
            MemorySegment[] none = {};
            calls.put(t -> t.reduceCopy(Reduction.SUM, type, targets, none, 2), "no sources");
            calls.put(t -> t.reduceCopy(Reduction.SUM, type, none, rights, 2), "no targets");
            calls.put(
                    t -> t.reduceCopy(Reduction.SUM, type, targets, rights, 3),
                    "24 bytes of targets[0]; allowed are [0, 16]");
            calls.put(t -> t.reduceCopy(Reduction.SUM, type, targets, rights, -1), "count -1; allowed are [0, ");
            calls.put(t -> t.reduceCopy(Reduction.SUM, type, targets, rights, 1L << 60), "count " + (1L << 60));
            calls.put(
                    t -> t.reduceCopy(Reduction.SUM, type, targets, new MemorySegment[] {right, right.asSlice(8)}, 2),
                    "16 bytes of sources[1]; allowed are [0, 8]");
            calls.put(
                    t -> t.reduceCopy(
                            Reduction.SUM, type, new MemorySegment[] {targets[0], right.asReadOnly()}, rights, 2),
                    "targets[1] is read-only");
            calls.put(
                    t -> t.reduceCopy(Reduction.SUM, type, new MemorySegment[] {targets[0], confined}, rights, 2),
                    "targets[1] is of another thread");
            calls.put(
                    t -> t.reduceCopy(Reduction.SUM, type, targets, new MemorySegment[] {right, dead}, 2),
                    "the arena of sources[1] is closed");
            calls.put(
                    t -> t.reduceCopy(Reduction.SUM, type, targets, new MemorySegment[] {right, null}, 2),
                    "sources[1] is null");
            MemorySegment[] twice = {right, right};
            calls.put(
                    t -> t.reduceCopy(IntegerReduction.AND, ElementType.DOUBLE, targets, twice, 2),
                    "AND of DOUBLE; allowed are SUM");
            calls.put(
                    t -> t.reduceCopy(ExtendedReduction.AVERAGE, ElementType.DOUBLE, targets, rights, 2),
                    "AVERAGE of DOUBLE");
            calls.put(t -> t.reduceCopy(IntegerReduction.LOGICAL_AND, type, targets, rights, 2), "LOGICAL_AND of LONG");
            calls.forEach((call, message) -> {
                try (StreamRuntime runtime = StreamRuntime.open(world)) {
                    WorkStream stream = runtime.createStream();
                    stream.launch(Extent.of(1), Extent.of(1), call);
                    assertThatThrownBy(stream::synchronize)
                            .isInstanceOf(StreamException.class)
                            .cause()
                            .hasMessageContaining("reduceCopy on stream")
                            .hasMessageContaining("PE 0")
                            .hasMessageContaining(message);
                }
            });
        }
        assertThat(stored).containsExactly(0, 0);
    }
}

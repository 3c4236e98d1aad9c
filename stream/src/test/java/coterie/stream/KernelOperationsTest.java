// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.DoubleView;
import coterie.FloatView;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.WaitSet;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;

/// What threads of a kernel can do, beside what [KernelTest] has: numbers with a point, strides, sets of words.
class KernelOperationsTest {

    /// The groups of one thread, and of a block.
    private static KernelGroup group(KernelThread thread) {
        return thread.blockSize().x() == 1 ? thread : thread.block();
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("groups put, get and update numbers with a point, and move strided blocks")
    void typedAndStrided(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        for (int threads : new int[] {1, 4}) {
            try (SymmetricMemory memory = world.allocate(8L * 64);
                    StreamRuntime runtime = StreamRuntime.open(world)) {
                DoubleView doubles = memory.doubles();
                FloatView floats = memory.floats();
                LongView longs = memory.longs();
                AtomicInteger wrong = new AtomicInteger();
                WorkStream stream = runtime.createStream();
                MemorySegment source = MemorySegment.ofArray(new long[] {1, 2, 3, 4});
                long[] fetched = new long[4];
                stream.launch(Extent.of(1), Extent.of(threads), thread -> {
                    KernelGroup group = group(thread);
                    group.put(doubles, 0, 1.5 + world.pe(), right);
                    group.put(floats, 2, 2.5f, right);
                    group.quiet();
                    wrong.addAndGet(group.get(doubles, 0, right) == 1.5 + world.pe() ? 0 : 1);
                    wrong.addAndGet(group.get(floats, 2, right) == 2.5f ? 0 : 1);
                    wrong.addAndGet(group.fetchAtomic(AtomicOperation.ADD, doubles, 2, 0.25, right) == 0 ? 0 : 1);
                    wrong.addAndGet(group.fetchAtomic(AtomicOperation.SWAP, floats, 6, 3.5f, right) == 0 ? 0 : 1);
                    group.atomic(AtomicOperation.ADD, doubles, 2, 0.5, right);
                    group.atomic(AtomicOperation.SWAP, doubles, 4, 9.5, right);
                    group.atomic(AtomicOperation.ADD, floats, 6, 0.5f, right);
                    group.putStrided(longs, 16, 3, source, 0, 2, 1, 2, right);
                    group.quiet();
                    group.getStrided(longs, 16, 3, MemorySegment.ofArray(fetched), 0, 2, 1, 2, right);
                });
                stream.barrier(world.team());
                stream.synchronize();
                assertThat(wrong.get()).isZero();
                assertThat(doubles.get(0)).isEqualTo(1.5 + left);
                assertThat(doubles.get(2)).isEqualTo(0.75);
                assertThat(doubles.get(4)).isEqualTo(9.5);
                assertThat(floats.get(6)).isEqualTo(4f);
                assertThat(longs.get(16)).isEqualTo(1);
                assertThat(longs.get(19)).isEqualTo(3);
                assertThat(fetched).containsExactly(1, 0, 3, 0);
                assertThatThrownBy(() -> stream.atomic(AtomicOperation.XOR, doubles, 0, 1, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("XOR of a floating-point number");
            }
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("groups wait for all, any and some words with operands and marks, and test them")
    void sets(World world) {
        int other = 1 - world.pe();
        for (int threads : new int[] {1, 4}) {
            try (SymmetricMemory memory = world.allocate(8L * 64);
                    StreamRuntime runtime = StreamRuntime.open(world)) {
                LongView longs = memory.longs();
                AtomicInteger wrong = new AtomicInteger();
                WorkStream stream = runtime.createStream();
                BitSet skipped = new BitSet();
                skipped.set(1);
                stream.launch(Extent.of(1), Extent.of(threads), thread -> {
                    KernelGroup group = group(thread);
                    WaitSet set = group.waitSet(longs, 0, 4).withSkipped(skipped);
                    int[] found = new int[4];
                    if (world.pe() == 0) {
                        wrong.addAndGet(set.testAny(Comparison.EQ, 5) == -1 ? 0 : 1);
                        wrong.addAndGet(set.testAll(Comparison.EQ, 0) ? 0 : 1);
                        wrong.addAndGet(group.test(longs, 3, Comparison.EQ, 5) ? 1 : 0);
                        group.put(longs, 8, 1, other);
                    } else {
                        group.waitUntil(longs, 8, Comparison.EQ, 1);
                        group.put(longs, 2, 5, other);
                    }
                    if (world.pe() == 0) {
                        wrong.addAndGet(set.waitAny(Comparison.EQ, 5) == 2 ? 0 : 1);
                        wrong.addAndGet(set.waitSome(Comparison.EQ, 5, found) == 1 && found[0] == 2 ? 0 : 1);
                        wrong.addAndGet(set.testSome(Comparison.EQ, new long[] {0, 0, 5, 9}, found) == 2 ? 0 : 1);
                        group.put(longs, 8, 2, other);
                        set.waitAll(Comparison.EQ, new long[] {7, 99, 5, 9});
                        group.waitUntilAll(longs, 2, Comparison.EQ, new long[] {5, 9});
                        WaitSet timed = set.withTimeout(Duration.ofMillis(1));
                        timed.waitAll(Comparison.GE, new long[] {7, 99, 5, 9});
                        try {
                            timed.waitAny(Comparison.EQ, 1234);
                            wrong.incrementAndGet();
                        } catch (WaitTimeoutException e) {
                            wrong.addAndGet(e.getMessage().contains("set of 4 words") ? 0 : 1);
                        }
                        wrong.addAndGet(group.waitSet(longs, 0, 0).waitAny(Comparison.EQ, 0) == -1 ? 0 : 1);
                        wrong.addAndGet(group.fetch(memory.signal(3)) == 9 ? 0 : 1);
                    } else {
                        group.waitUntil(longs, 8, Comparison.EQ, 2);
                        group.put(longs, 0, 7, other);
                        group.put(longs, 3, 9, other);
                    }
                });
                stream.synchronize();
                assertThat(wrong.get()).isZero();
                world.team().barrier();
            }
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName(
            "groups have the operations of streams that write and wait for values, and those with results in segments")
    void operationsOfStreams(World world) {
        int right = (world.pe() + 1) % world.size();
        for (int threads : new int[] {1, 4}) {
            try (SymmetricMemory memory = world.allocate(8L * 8);
                    StreamRuntime runtime = StreamRuntime.open(world)) {
                LongView longs = memory.longs();
                WorkStream stream = runtime.createStream();
                long[] results = new long[2];
                MemorySegment segment = MemorySegment.ofArray(results);
                BitSet skipped = new BitSet();
                skipped.set(0);
                stream.launch(Extent.of(1), Extent.of(threads), thread -> {
                    KernelGroup group = group(thread);
                    group.writeValue(longs, 0, 5, right);
                    group.waitValue(longs, 0, ValueCondition.EQ, 5);
                    group.waitUntilAll(longs, 0, 3, Comparison.EQ, 0, skipped);
                    group.fetchAtomic(AtomicOperation.ADD, longs, 4, 3, segment, 0, right);
                    group.compareAndExchange(longs, 4, 3, 8, segment, 1, right);
                });
                stream.barrier(world.team());
                stream.synchronize();
                assertThat(results).containsExactly(0, 3);
                assertThat(longs.get(4)).isEqualTo(8);
            }
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("an argument that is null fails the kernel of a group, also if one thread alone passes it and goes on")
    void nullInGroup(World world) {
        try (SymmetricMemory memory = world.allocate(8L * 8);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            WorkStream stream = runtime.createStream();
            stream.launch(Extent.of(1), Extent.of(4), thread -> {
                try {
                    MemorySegment source = thread.number() == 2 ? null : MemorySegment.ofArray(new long[1]);
                    thread.block().put(longs, 0, source, 0, 1, 0);
                } catch (NullPointerException e) {
                    assertThat(e).hasMessageContaining("put on stream").hasMessageContaining("source is null");
                }
            });
            assertThatThrownBy(stream::synchronize)
                    .isInstanceOf(StreamException.class)
                    .cause()
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageContaining("source is null");
        }
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a stream's wait for all skips marked words, with one operand or with one for each")
    void statusOfStreams(World world) {
        try (SymmetricMemory memory = world.allocate(8L * 8);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            BitSet skipped = new BitSet();
            skipped.set(0);
            skipped.set(2);
            WorkStream stream = runtime.createStream();
            stream.waitUntilAll(longs, 0, 4, Comparison.EQ, 3, skipped);
            stream.waitUntilAll(longs, 0, Comparison.EQ, new long[] {9, 3, 9, 4}, skipped);
            stream.waitUntilAll(longs, 0, 1, Comparison.EQ, 77, skipped); // no word is left
            longs.set(1, 3);
            world.progress();
            assertThat(stream.pending()).isEqualTo(3);
            longs.set(3, 3);
            while (stream.pending() == 3) {
                world.progress();
            }
            assertThat(stream.pending()).isEqualTo(2);
            longs.set(3, 4);
            stream.synchronize();
            assertThatThrownBy(() -> stream.waitUntilAll(longs, 0, -1, Comparison.EQ, 3, skipped))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}

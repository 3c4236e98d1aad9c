// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;

/// Kernels: grids of threads that call the library.
class KernelTest {
    private static final DeviceLimits SMALL = new DeviceLimits(16, 8, 4);

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("each thread of a grid runs once, with its own numbers; blocks that find no room come later")
    void numbers(World world) {
        try (StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, SMALL)) {
            WorkStream stream = runtime.createStream();
            Extent grid = new Extent(3, 2, 2);
            Extent block = new Extent(2, 3, 1);
            ConcurrentHashMap<String, Integer> seen = new ConcurrentHashMap<>();
            AtomicInteger running = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            stream.launch(grid, block, thread -> {
                most.accumulateAndGet(running.incrementAndGet(), Math::max);
                thread.block().sync();
                seen.merge(thread.blockIndex() + " " + thread.threadIndex(), 1, Integer::sum);
                assertThat(thread.gridSize()).isEqualTo(grid);
                assertThat(thread.blockSize()).isEqualTo(block);
                assertThat(thread.block().rank()).isEqualTo(thread.number());
                assertThat(thread.warp().size()).isEqualTo(thread.number() < 4 ? 4 : 2);
                assertThat(thread.tile(5).rank()).isEqualTo(thread.number() % 5);
                thread.block().sync();
                running.decrementAndGet();
            });
            stream.synchronize();
            assertThat(seen)
                    .hasSize(72)
                    .allSatisfy((_, times) -> assertThat(times).isEqualTo(1));
            assertThat(seen).containsKey("(2, 1, 1) (1, 2, 0)");
            assertThat(most.get()).isBetween(6, 12);
        }
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("threads put, get, signal and wait at thread scope; the kernel is an operation of its stream")
    void threadScope(World world) {
        int n = world.size();
        int right = (world.pe() + 1) % n;
        int left = (world.pe() + n - 1) % n;
        int threads = 8;
        try (SymmetricMemory memory = world.allocate(8L * 64);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            SignalWord[] arrived = new SignalWord[threads];
            for (int t = 0; t < threads; t++) {
                arrived[t] = memory.signal(32 + t);
            }
            AtomicLong wrong = new AtomicLong();
            WorkStream stream = runtime.createStream();
            stream.execute(() -> longs.set(24, 7));
            stream.launch(Extent.of(2), Extent.of(threads / 2), thread -> {
                int me = thread.grid().rank();
                MemorySegment mine = MemorySegment.ofArray(new long[] {100L * world.pe() + me});
                thread.putSignal(longs, me, mine, 0, 1, arrived[me].adding(1), right);
                thread.waitUntil(arrived[me], Comparison.GE, 1);
                wrong.addAndGet(longs.get(me) == 100L * left + me && longs.get(24) == 7 ? 0 : 1);
                long former = thread.fetchAtomic(AtomicOperation.ADD, longs, 16, 1, right);
                wrong.addAndGet(former < 0 || former >= threads ? 1 : 0);
                wrong.addAndGet(thread.get(longs, me, right) == 100L * world.pe() + me ? 0 : 1);
                thread.put(longs, 40 + me, me, right);
                thread.quiet();
            });
            stream.barrier(world.team());
            stream.synchronize();
            assertThat(wrong.get()).isZero();
            assertThat(longs.get(16)).isEqualTo(threads);
            assertThat(longs.get(47)).isEqualTo(7);
        }
    }

    @SpmdTest(
            pes = {2, 4},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a block calls an operation once, and all its threads see the result; collectives at block scope")
    void blockScope(World world) {
        int n = world.size();
        Team team = world.team();
        int right = (world.pe() + 1) % n;
        try (SymmetricMemory memory = world.allocate(8L * 64);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            Collective sum =
                    Collective.allReduce(Reduction.SUM).source(longs, 0, 4).target(longs, 8, 4);
            AtomicLong wrong = new AtomicLong();
            WorkStream stream = runtime.createStream();
            stream.collectiveLaunch(team, Extent.of(2), Extent.of(4), thread -> {
                KernelGroupOps.fill(thread, longs);
                thread.grid().sync();
                if (thread.blockIndex().x() == 0) {
                    for (int round = 1; round <= 20; round++) {
                        thread.block().collective(team, sum);
                        wrong.addAndGet(longs.get(8 + thread.number()) == n * (thread.number() + 1L) ? 0 : 1);
                        long former = thread.block().fetchAtomic(AtomicOperation.ADD, longs, 16, 1, right);
                        wrong.addAndGet(former == round - 1 ? 0 : 1);
                        thread.block().barrier(team);
                    }
                }
                thread.grid().sync();
                wrong.addAndGet(longs.get(16) == 20 ? 0 : 1);
            });
            stream.synchronize();
            assertThat(wrong.get()).isZero();
        }
    }

    /// What a kernel's threads do to memory of their own PE.
    private static final class KernelGroupOps {
        private KernelGroupOps() {}

        static void fill(KernelThread thread, IntegerView longs) {
            if (thread.blockIndex().x() == 0) {
                longs.set(thread.number(), thread.number() + 1L);
            }
        }
    }

    @SpmdTest(
            pes = {1, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName(
            "ST-S26, ST-S27: a collective launch fits on all members, or throws the same on all and starts nothing")
    void collectiveLaunch(World world) {
        int last = world.size() - 1;
        DeviceLimits limits = world.pe() == last ? SMALL : SMALL.withResidentThreads(32);
        Team team = world.team();
        try (StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, limits)) {
            WorkStream stream = runtime.createStream();
            AtomicInteger started = new AtomicInteger();
            Kernel kernel = thread -> {
                thread.grid().sync();
                started.incrementAndGet();
            };
            assertThat(runtime.collectiveLaunchBlocks(Extent.of(8))).isEqualTo(world.pe() == last ? 2 : 4);
            assertThat(runtime.collectiveLaunchBlocks(Extent.of(33))).isZero();

            StreamException large = catchThrowableOfType(
                    StreamException.class, () -> stream.collectiveLaunch(team, Extent.of(3), Extent.of(8), kernel));
            assertThat(large.error()).isEqualTo(StreamError.LAUNCH_TOO_LARGE);
            assertThat(large)
                    .hasMessageContaining(
                            "PE " + last + " asks for 3 blocks of 8 threads, and its device has room for 2");

            Extent partial = world.pe() == last ? new Extent(0, 1, 1) : Extent.of(1);
            StreamException invalid = catchThrowableOfType(
                    StreamException.class, () -> stream.collectiveLaunch(team, partial, Extent.of(8), kernel));
            assertThat(invalid.error()).isEqualTo(StreamError.INVALID_LAUNCH);
            assertThat(invalid).hasMessageContaining("PE " + last + " asks for 0 blocks");

            stream.synchronize();
            assertThat(started.get()).isZero();
            stream.collectiveLaunch(team, new Extent(0, 0, 0), Extent.of(8), kernel);
            stream.synchronize();
            assertThat(started.get()).isEqualTo(world.pe() == last ? 16 : 32);
        }
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a thread that throws fails the kernel and its stream; the others leave barriers and waits")
    void throwing(World world) {
        try (SymmetricMemory memory = world.allocate(8L * 64);
                StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, SMALL)) {
            SignalWord never = memory.signal(0);
            WorkStream stream = runtime.createStream();
            AtomicInteger ended = new AtomicInteger();
            stream.launch(Extent.of(2), Extent.of(4), thread -> {
                try {
                    switch (thread.number()) {
                        case 0 -> throw new IllegalStateException("meant to fail");
                        case 1 -> thread.waitUntil(never, Comparison.GE, 1);
                        default -> thread.block().sync();
                    }
                } finally {
                    ended.incrementAndGet();
                }
            });
            assertThatThrownBy(stream::synchronize)
                    .isInstanceOf(StreamException.class)
                    .hasMessageContaining("kernel")
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("meant to fail");
            WorkStream other = runtime.createStream();
            other.launch(Extent.of(1), Extent.of(8), thread -> thread.block().sync());
            other.launch(Extent.of(1), Extent.of(8), thread -> thread.block().put(memory.longs(), 8, 5, 0));
            other.executeUntil(() -> ended.get() == 8); // all threads have left, in both blocks
            other.synchronize();
            assertThat(memory.longs().get(8)).isEqualTo(5);
            assertThatThrownBy(() -> other.launch(Extent.of(1), Extent.of(9), thread -> {}))
                    .isInstanceOfSatisfying(
                            StreamException.class, e -> assertThat(e.error()).isEqualTo(StreamError.LAUNCH_TOO_LARGE));
            assertThatThrownBy(() -> other.launch(Extent.of(0), Extent.of(8), thread -> {}))
                    .isInstanceOfSatisfying(
                            StreamException.class, e -> assertThat(e.error()).isEqualTo(StreamError.INVALID_LAUNCH));
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("two groups of threads must not call collectives of one team at the same time")
    void concurrent(World world) {
        Team team = world.team();
        try (SymmetricMemory memory = world.allocate(8L * 64);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            SignalWord other = memory.signal(0);
            WorkStream stream = runtime.createStream();
            stream.launch(Extent.of(2), Extent.of(1), thread -> {
                if (world.pe() == 0) {
                    if (thread.blockIndex().x() == 1) {
                        thread.waitUntil(memory.longs(), 1, Comparison.EQ, 1);
                    } else {
                        memory.longs().setRelease(1, 1, 0);
                    }
                    thread.barrier(team); // of two blocks, while PE 1 does not come
                }
            });
            if (world.pe() == 0) {
                assertThatThrownBy(stream::synchronize)
                        .cause()
                        .isInstanceOfSatisfying(
                                StreamException.class,
                                e -> assertThat(e.error()).isEqualTo(StreamError.TEAM_CONCURRENT));
                other.set(1, 1);
            } else {
                stream.synchronize();
                other.waitUntil(Comparison.GE, 1);
                stream.barrier(team); // what PE 0's first block waits for
                stream.synchronize();
            }
        }
    }

    /// Throws what the compiler does not know of.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a checked exception that a kernel throws fails its stream with this cause")
    void checkedException(World world) {
        IOException cause = new IOException("meant to fail");
        try (StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, SMALL)) {
            WorkStream stream = runtime.createStream();
            stream.launch(Extent.of(1), Extent.of(4), thread -> {
                if (thread.number() == 1) {
                    KernelTest.<RuntimeException>sneak(cause);
                }
                thread.block().sync();
            });
            assertThatThrownBy(stream::synchronize)
                    .isInstanceOf(StreamException.class)
                    .hasRootCause(cause);
        }
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("operations of kernels take no turns of hardware queues: streams have the queues of their order")
    void queuesOfStreams(World world) {
        try (StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, SMALL.withQueues(2))) {
            WorkStream first = runtime.createStream();
            first.launch(Extent.of(1), Extent.of(1), KernelThread::quiet);
            first.synchronize();
            WorkStream second = runtime.createStream();
            WorkStream third = runtime.createStream();
            assertThat(List.of(first.lane.queue, second.lane.queue, third.lane.queue))
                    .containsExactly(0, 1, 0);
        }
    }
}

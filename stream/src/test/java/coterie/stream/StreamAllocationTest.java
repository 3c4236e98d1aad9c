// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.junit.SpmdTest;
import coterie.testing.AllocationAssertions;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;

/// Counts what the thread of each PE allocates while it enqueues and runs operations.
class StreamAllocationTest {
    private static final int BATCH = 64;

    /// More views than a program has in one stream, and as many signal words.
    private static final int VIEWS = 100;

    @SpmdTest(pes = 2, timeoutSeconds = 600)
    @DisplayName("ST-S42: operations in a stream, and their records, allocate nothing once the queue has grown")
    void cleanStreams(World world) {
        int peer = 1 - world.pe();
        Team team = world.team();
        try (SymmetricMemory memory = world.allocate(8 * 64);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            SignalWord signal = memory.signal(32);
            SignalUpdate update = signal.adding(1);
            MemorySegment local = MemorySegment.ofArray(new long[64]);
            WorkStream stream = runtime.createStream();
            WorkStream other = runtime.createStream();
            StreamEvent event = runtime.createEvent();
            Runnable nothing = () -> {};
            Collective sum =
                    Collective.allReduce(Reduction.SUM).source(longs, 40, 1).target(longs, 41, 1);
            assertClean(world, stream, () -> {
                stream.execute(nothing);
                stream.put(longs, 0, local, 0, 8, peer);
                stream.putNbi(longs, 8, local, 0, 8, peer);
                stream.putStrided(longs, 16, 2, local, 0, 1, 1, 4, peer);
                stream.put(longs, 33, 7, peer);
                stream.putSignal(longs, 0, local, 0, 8, update, peer);
                stream.signal(update, peer);
                stream.get(longs, 0, local, 0, 8, peer);
                stream.atomic(AtomicOperation.ADD, longs, 34, 1, peer);
                stream.fetchAtomic(AtomicOperation.ADD, longs, 34, 1, local, 9, peer);
                stream.writeValue(longs, 35, 1, peer);
                stream.fence();
                stream.quiet();
                stream.waitUntil(signal, Comparison.GE, 0);
                stream.waitUntil(longs, 36, Comparison.EQ, 0);
                stream.waitUntilAll(longs, 36, 4, Comparison.EQ, 0);
                stream.waitValue(longs, 36, ValueCondition.GEQ, 0);
                stream.record(event);
                other.waitEvent(event);
                other.record(event);
                stream.waitEvent(event);
            });
            assertClean(world, stream, () -> {
                stream.barrier(team);
                stream.sync(team);
                stream.collective(team, sum);
            });
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 600)
    @DisplayName("ST-S42: operations by turns on many views and signal words allocate nothing")
    void manyViews(World world) {
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(8 * VIEWS);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            IntegerView[] views = new IntegerView[VIEWS];
            SignalWord[] signals = new SignalWord[VIEWS];
            for (int i = 0; i < VIEWS; i++) {
                views[i] = memory.longs();
                signals[i] = memory.signal(i);
            }
            WorkStream stream = runtime.createStream();
            assertClean(world, stream, () -> {
                for (int i = 0; i < VIEWS; i++) {
                    stream.put(views[i], i, 7, peer);
                    stream.waitUntil(signals[i], Comparison.GE, 0);
                }
            });
        }
    }

    private static void assertClean(World world, WorkStream stream, Runnable operations) {
        AllocationAssertions.assertClean(
                "operations in a stream", mine -> world.team().allReduce(Reduction.MAX, mine), () -> {
                    for (int i = 0; i < BATCH; i++) {
                        operations.run();
                    }
                    boolean isOver = false;
                    while (!isOver) {
                        isOver = stream.query();
                    }
                });
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;

/// Flushes of streams and groups, and signals that count the bytes which have come.
class StreamFlushTest {
    /// More than a network copies at once.
    private static final int COUNT = 512;

    private static final int BLOCKS = 40;

    private static void fill(MemorySegment segment, long value) {
        for (int i = 0; i < segment.byteSize() / Long.BYTES; i++) {
            segment.setAtIndex(ValueLayout.JAVA_LONG, i, value);
        }
    }

    @SpmdTest(
            pes = {1, 2, 3},
            seeds = 5,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("after a flush the sources of earlier puts that did not wait may change: targets get what was there")
    void sources(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8L * COUNT * BLOCKS);
                SymmetricMemory flags = world.allocate(8);
                StreamRuntime runtime = StreamRuntime.open(world);
                Arena arena = Arena.ofShared()) {
            MemorySegment source = arena.allocate(8L * COUNT * BLOCKS, 8);
            LongView longs = memory.longs();
            WorkStream stream = runtime.createStream();
            SignalWord arrived = flags.signal(0);
            stream.flush(); // of nothing
            for (int round = 1; round <= 3; round++) {
                int value = round;
                stream.execute(() -> fill(source, value));
                for (int block = 0; block < BLOCKS; block++) {
                    long at = (long) block * COUNT;
                    stream.putSignalNbi(longs, at, source, at, COUNT, arrived.adding(1), right);
                }
                stream.flush();
                stream.execute(() -> fill(source, -1));
                stream.waitUntil(arrived, Comparison.GE, (long) round * BLOCKS);
                stream.execute(() -> {
                    for (int i = 0; i < COUNT * BLOCKS; i++) {
                        assertThat(longs.get(i)).isEqualTo(value);
                    }
                });
                stream.barrier(world.team());
            }
            stream.synchronize();
        }
    }

    @SpmdTest(
            pes = {1, 2},
            seeds = 5,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("after a flush the targets of all earlier gets that did not wait have their elements")
    void gets(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8L * COUNT);
                StreamRuntime runtime = StreamRuntime.open(world);
                Arena arena = Arena.ofShared()) {
            MemorySegment target = arena.allocate(8L * COUNT * BLOCKS, 8);
            LongView longs = memory.longs();
            fill(memory.segment(), 100 + world.pe());
            world.team().barrier();
            WorkStream stream = runtime.createStream();
            for (int block = 0; block < BLOCKS; block++) {
                stream.getNbi(longs, 0, target, (long) block * COUNT, COUNT, right);
            }
            stream.flush();
            stream.execute(() -> {
                for (int i = 0; i < COUNT * BLOCKS; i++) {
                    assertThat(target.getAtIndex(ValueLayout.JAVA_LONG, i)).isEqualTo(100 + right);
                }
            });
            stream.barrier(world.team());
            stream.synchronize();
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a group of a kernel flushes, and then writes its source anew")
    void groups(World world) {
        int right = (world.pe() + 1) % world.size();
        for (int threads : new int[] {1, 4}) {
            try (SymmetricMemory memory = world.allocate(8L * COUNT);
                    SymmetricMemory flags = world.allocate(8);
                    StreamRuntime runtime = StreamRuntime.open(world);
                    Arena arena = Arena.ofShared()) {
                MemorySegment source = arena.allocate(8L * COUNT, 8);
                LongView longs = memory.longs();
                SignalWord arrived = flags.signal(0);
                AtomicInteger wrong = new AtomicInteger();
                WorkStream stream = runtime.createStream();
                stream.launch(Extent.of(1), Extent.of(threads), thread -> {
                    KernelGroup group = threads == 1 ? thread : thread.block();
                    group.invokeOne(() -> fill(source, 5));
                    group.putSignalNbi(longs, 0, source, 0, COUNT, arrived.adding(8L * COUNT), right);
                    group.flush();
                    group.invokeOne(() -> fill(source, 6));
                    group.waitUntil(arrived, Comparison.GE, 8L * COUNT);
                    for (int i = 0; i < COUNT; i++) {
                        wrong.addAndGet(longs.get(i) == 5 ? 0 : 1);
                    }
                });
                stream.barrier(world.team());
                stream.synchronize();
                assertThat(wrong.get()).isZero();
            }
        }
    }

    @SpmdTest(
            pes = {2, 3},
            seeds = 5,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a signal to which each put adds its bytes counts what has come: at the sum all bytes are there")
    void countedBytes(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * COUNT * n * 3);
                SymmetricMemory flags = world.allocate(8);
                StreamRuntime runtime = StreamRuntime.open(world);
                Arena arena = Arena.ofShared()) {
            SignalWord counted = flags.signal(0);
            MemorySegment source = arena.allocate(8L * COUNT, 8);
            fill(source, 1 + world.pe());
            LongView longs = memory.longs();
            WorkStream stream = runtime.createStream();
            int[] lengths = {1, COUNT / 3, COUNT};
            long bytes = 0;
            for (int i = 0; i < lengths.length; i++) {
                long size = 8L * lengths[i];
                bytes += n * size;
                for (int pe = 0; pe < n; pe++) {
                    long at = (long) (world.pe() * lengths.length + i) * COUNT;
                    stream.putSignalNbi(longs, at, source, 0, lengths[i], counted.adding(size), pe);
                }
            }
            long all = bytes;
            stream.waitUntil(counted, Comparison.GE, all);
            stream.execute(() -> {
                assertThat(counted.fetch()).isEqualTo(all);
                for (int pe = 0; pe < n; pe++) {
                    for (int i = 0; i < lengths.length; i++) {
                        long last = (long) (pe * lengths.length + i) * COUNT + lengths[i] - 1;
                        assertThat(longs.get(last)).isEqualTo(1 + pe);
                    }
                }
                counted.set(0); // the reset: the next round begins after the barrier
            });
            stream.barrier(world.team());
            stream.synchronize();
            assertThat(counted.fetch()).isZero();
        }
    }
}

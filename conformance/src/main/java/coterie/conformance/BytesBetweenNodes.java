// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;

/// Cases of a conduit between nodes whose bytes travel by the loopback interface. A module that has one runs them with
/// its conduit, and without loads and stores between PEs.
public abstract class BytesBetweenNodes {
    private static final int LONGS = 1 << 19;

    @SpmdTest(
            pes = 3,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("PEs exchange words in one world after another")
    protected void isUsed() {
        for (int round = 0; round < 3; round++) {
            try (World world = World.join()) {
                assertThat(world.sharedTeam().size()).isEqualTo(1);
                assertThat(world.nodeTeam().size()).isEqualTo(3);
                try (SymmetricMemory memory = world.allocate(8)) {
                    assertThat(memory.longs().get(0)).as("new memory is zero").isZero();
                    world.team().barrier();
                    memory.longs().add(0, 1, (world.pe() + 1) % 3);
                    world.team().barrier();
                    assertThat(memory.longs().get(0)).isEqualTo(1);
                }
            }
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES)
    @DisplayName(
            "bytes of a put go through the network: its interface counts them, and no PE has mapped another's heap")
    protected void bytesTravel(World world) throws IOException {
        try (SymmetricMemory memory = world.allocate((long) LONGS * Long.BYTES)) {
            long before = bytesReceivedByLoopback();
            world.team().barrier();
            memory.longs().put(0, MemorySegment.ofArray(new long[LONGS]), 0, LONGS, 1 - world.pe());
            world.team().barrier();
            assertThat(bytesReceivedByLoopback() - before).isGreaterThan((long) LONGS * Long.BYTES);
            try (var mappings = Files.lines(Path.of("/proc/self/maps"))) {
                assertThat(mappings.filter(line -> line.contains("coterie-conduit-")))
                        .as("SYNC and heap of this PE")
                        .hasSize(2);
            }
        }
    }

    private static long bytesReceivedByLoopback() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/net/dev")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("lo:"))
                .mapToLong(line -> Long.parseLong(line.substring(3).strip().replaceFirst(" .*", "")))
                .findFirst()
                .orElseThrow();
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("puts and gets of megabytes arrive whole, from arrays and from native memory")
    protected void longTransfers(World world) {
        try (SymmetricMemory memory = world.allocate(2L * LONGS * Long.BYTES);
                Arena arena = Arena.ofConfined()) {
            LongView longs = memory.longs();
            int peer = 1 - world.pe();
            long[] source = new long[LONGS];
            Arrays.setAll(source, i -> 31L * i + world.pe());
            longs.put(0, MemorySegment.ofArray(source), 0, LONGS, peer);
            MemorySegment outside = arena.allocateFrom(JAVA_LONG, source);
            longs.put(LONGS, outside, 0, LONGS, peer);
            world.team().barrier();
            long[] back = new long[LONGS];
            longs.get(0, MemorySegment.ofArray(back), 0, LONGS, peer);
            assertThat(back).isEqualTo(source);
            outside.fill((byte) 0);
            longs.get(LONGS, outside, 0, LONGS, peer);
            assertThat(outside.toArray(JAVA_LONG)).isEqualTo(source);
            for (int i = 0; i < LONGS; i++) {
                assertThat(longs.get(i)).isEqualTo(31L * i + peer);
                assertThat(longs.get(LONGS + i)).isEqualTo(31L * i + peer);
            }
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a reader that sees the signal of a put sees its bytes, whatever their number")
    protected void putSignals(World world) {
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate((long) LONGS * Long.BYTES);
                SymmetricMemory words = world.allocate(8)) {
            long round = 0;
            for (int count : new int[] {0, 1, 255, 256, 257, 20_000, LONGS}) {
                round++;
                long[] source = new long[count];
                Arrays.fill(source, round);
                memory.longs()
                        .putSignal(
                                0,
                                MemorySegment.ofArray(source),
                                0,
                                count,
                                words.signal(0).adding(1),
                                peer);
                words.signal(0).waitUntil(coterie.Comparison.GE, round);
                for (int i = 0; i < count; i++) {
                    assertThat(memory.longs().get(i)).isEqualTo(round);
                }
                world.team().barrier();
            }
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES)
    @DisplayName("a PE that computes without a call of the runtime serves its peer")
    protected void computingTargetsServe(World world) {
        try (SymmetricMemory memory = world.allocate(16)) {
            world.team().barrier();
            if (world.pe() == 0) {
                for (int i = 0; i < 100; i++) {
                    assertThat(memory.longs().getAndAdd(0, 1, 1)).isEqualTo(i);
                }
                memory.longs().put(1, 1, 1);
                world.context().quiet();
            } else {
                MemorySegment own = memory.segment();
                while ((long) JAVA_LONG.varHandle().getAcquire(own, 8L) == 0) {
                    Thread.onSpinWait();
                }
                assertThat(own.get(JAVA_LONG, 0)).isEqualTo(100);
            }
            world.team().barrier();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;

/// What fence and quiet promise.
class OrderConformanceTest {
    @EverySize
    @DisplayName("SH-R9 putNbi, quiet, flag: a PE that sees the flag sees the data, and the source may be overwritten")
    void quietCompletesPutNbi(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory data = world.allocate(8_000);
                SymmetricMemory flag = world.allocate(Long.BYTES)) {
            long[] source = new long[1_000];
            for (int round = 1; round <= 20; round++) {
                Arrays.fill(source, 1_000L * world.pe() + round);
                data.longs().putNbi(0, MemorySegment.ofArray(source), 0, 1_000, right);
                world.context().quiet();
                Arrays.fill(source, -1);
                flag.longs().put(0, round, right);
                flag.longs().waitUntil(0, Comparison.EQ, round);
                assertThat(Longs.of(data)).containsOnly(1_000L * left + round);
                world.team().barrier();
            }
        }
    }

    @SpmdTest
    @DisplayName("SH-R10 put, fence, flag: a PE that sees the flag sees the data, in thousands of rounds")
    void fenceOrdersDataBeforeFlag(World world) {
        try (SymmetricMemory data = world.allocate(64);
                SymmetricMemory flag = world.allocate(Long.BYTES)) {
            long[] payload = new long[8];
            int rounds = Rounds.of(10_000);
            for (long round = 1; round <= rounds; round++) {
                if (world.pe() == 0) {
                    Arrays.fill(payload, round);
                    data.longs().put(0, MemorySegment.ofArray(payload), 0, 8, 1);
                    world.context().fence();
                    flag.longs().put(0, round, 1);
                    flag.longs().waitUntil(0, Comparison.EQ, round);
                } else {
                    flag.longs().waitUntil(0, Comparison.EQ, round);
                    for (int i = 0; i < 8; i++) {
                        long seen = Longs.get(data, i);
                        if (seen != round) {
                            throw new AssertionError("round " + round + ", word " + i + ": " + seen);
                        }
                    }
                    flag.longs().put(0, round, 0);
                }
            }
        }
    }

    @SpmdTest
    @DisplayName("SH-R21 of two PEs that set the other's word, quiet and look at their own, one sees it set")
    void ofTwoThatLookOneSees(World world) {
        int other = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(Long.BYTES)) {
            LongView word = memory.longs();
            int rounds = Rounds.of(1_000);
            for (long round = 1; round <= rounds; round++) {
                word.setRelease(0, round, other);
                world.context().quiet();
                long seen = word.getAcquire(0, world.pe());
                assertThat(world.team().sum(seen == round ? 1 : 0)).isBetween(1L, 2L);
            }
        }
    }

    @EverySize
    @DisplayName("SH-R12 getNbi, of ranges and of rows: after a quiet the data are there, a fence before it or not")
    void quietCompletesGetNbi(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8_000)) {
            for (int round = 0; round < 20; round++) {
                memory.segment().copyFrom(Longs.counting(world.pe() + 1_000L * round, 1_000));
                world.team().barrier();
                long[] got = new long[1_000];
                memory.longs().getNbi(0, MemorySegment.ofArray(got), 0, 1_000, right);
                if (round % 2 == 0) {
                    world.context().fence();
                }
                world.context().quiet();
                assertThat(got)
                        .isEqualTo(Longs.counting(right + 1_000L * round, 1_000).toArray(JAVA_LONG));
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName(
            "SH-R20 stores through another PE's segment are ordered by a fence and completed by a quiet, as puts are")
    void storesThroughASegmentAreOrdered(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory memory = world.allocate(16);
                SymmetricMemory flag = world.allocate(8)) {
            assertThat(memory.segment(world.pe())).as("my own").isPresent();
            Optional<MemorySegment> theirs = memory.segment(right);
            LongView flags = flag.longs();
            for (int round = 1; round <= 100; round++) {
                long number = 10_000L * world.pe() + round;
                theirs.ifPresent(segment -> segment.setAtIndex(JAVA_LONG, 1, number));
                if (theirs.isEmpty()) {
                    memory.longs().put(1, number, right);
                }
                if (round % 2 == 0) {
                    world.context().fence();
                } else {
                    world.context().quiet();
                }
                flags.put(0, round, right);
                flags.waitUntil(0, Comparison.EQ, round);
                assertThat(Longs.get(memory, 1)).isEqualTo(10_000L * left + round);
                world.team().barrier();
            }
        }
    }
}

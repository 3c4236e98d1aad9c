// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import coterie.Comparison;
import coterie.Context;
import coterie.Doubles;
import coterie.Floats;
import coterie.Integers;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.DisplayName;

@DisplayName("hot paths allocate nothing")
class AllocationTest {
    private static final long OPERATIONS = 100_000;

    /// Until compiled code needs no boxes and no views any more, some rounds allocate; it must end before this one.
    private static final int ROUNDS = 100;

    private static final int CLEAN_ROUNDS = 3;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// One operation many times: a call of [#run] may allocate what it likes once, but not for each operation.
    @FunctionalInterface
    private interface Repeated {
        void run(long operations);
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("put and get of any size class")
    void copies(World world) {
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(1 << 17)) {
            Integers view = memory.bytes();
            MemorySegment mine = MemorySegment.ofArray(new long[1 << 13]);
            for (long bytes : new long[] {8, 64, 4096, 1 << 16}) {
                assertClean(world, "put of " + bytes, n -> {
                    for (long i = 0; i < n * 8 / bytes; i++) {
                        view.put(0, mine, 0, bytes, peer);
                    }
                });
                assertClean(world, "get of " + bytes, n -> {
                    for (long i = 0; i < n * 8 / bytes; i++) {
                        view.get(1 << 16, mine, 0, bytes, peer);
                    }
                });
            }
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("single elements, fetch-add, fence and quiet")
    void words(World world) {
        Context context = world.context();
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(256)) {
            Integers longs = memory.longs();
            Integers ints = memory.ints();
            Doubles doubles = memory.doubles();
            Floats floats = memory.floats();
            assertClean(world, "single elements", n -> {
                for (long i = 0; i < n; i++) {
                    longs.put(0, longs.get(0, peer) + 1, peer);
                    doubles.put(1, doubles.get(1, peer) + 1, peer);
                    ints.put(4, ints.get(4, peer) + 1, peer);
                    floats.put(5, floats.get(5, peer) + 1, peer);
                }
            });
            assertClean(world, "fetch-add, fence, quiet", n -> {
                for (long i = 0; i < n; i++) {
                    longs.fetchAdd(16, 1, peer);
                    context.fence();
                    context.quiet();
                }
            });
            assertClean(world, "a wait that is satisfied", n -> {
                for (long i = 0; i < n; i++) {
                    longs.waitUntil(16, Comparison.GE, 0);
                }
            });
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("barrier and scalar sums")
    void collectives(World world) {
        Team team = world.team();
        assertClean(world, "barrier", n -> {
            for (long i = 0; i < n; i++) {
                team.barrier();
            }
        });
        assertClean(world, "sum of longs", n -> {
            for (long i = 0; i < n; i++) {
                team.sum(i);
            }
        });
        assertClean(world, "sum of doubles", n -> {
            for (long i = 0; i < n; i++) {
                team.sum((double) i);
            }
        });
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("waiting for another PE's flag")
    void pingPong(World world) {
        int peer = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(Long.BYTES)) {
            Integers flag = memory.longs();
            long[] turn = {0};
            assertClean(world, "flag ping-pong", n -> {
                for (long i = 0; i < n; i++) {
                    turn[0]++;
                    if (world.pe() == 0) {
                        flag.put(0, turn[0], peer);
                    }
                    flag.waitUntil(0, Comparison.GE, turn[0]);
                    if (world.pe() == 1) {
                        flag.put(0, turn[0], peer);
                    }
                }
            });
        }
    }

    /// All PEs run the same rounds: they go on until none has allocated anything for some rounds in a row.
    private void assertClean(World world, String what, Repeated operation) {
        long allocated = 0;
        int clean = 0;
        for (int round = 0; round < ROUNDS && clean < CLEAN_ROUNDS; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            operation.run(OPERATIONS);
            long mine = threads.getCurrentThreadAllocatedBytes() - before;
            allocated = world.team().sum(mine);
            clean = allocated == 0 ? clean + 1 : 0;
        }
        assertThat(allocated)
                .as("bytes that %d times \"%s\" allocate on both PEs, warm", OPERATIONS, what)
                .isZero();
        assertThat(clean)
                .as("rounds of \"%s\" in a row without allocation", what)
                .isEqualTo(CLEAN_ROUNDS);
    }
}

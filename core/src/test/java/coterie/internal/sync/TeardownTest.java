// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.internal.p2p.ScratchMemory;
import coterie.internal.team.TeamSyncs;
import coterie.internal.world.LocalJob;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("collectives with bounce buffers")
class TeardownTest {
    /// Longs of a call, the last of them the most that any member copies to its buffer for a sum.
    private static final int[] COUNTS = {8, 7, 128, 512, 64, 511, 512};

    private static final int SOURCE = 2000;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    @DisplayName("a buffer that a short call has acquired has room for long ones, whatever lies after it")
    void neighbours(int pes) {
        try (LocalJob job = new LocalJob(pes)) {
            job.run(world -> {
                LongView longs = world.allocate(8L * 2 * SOURCE).longs();
                for (int round = 0; round < 3; round++) {
                    Team staging = world.team().duplicate();
                    checkSum(world, staging, longs, COUNTS[0]);
                    try (Team behind = world.team().duplicate()) {
                        for (int count : COUNTS) {
                            checkBroadcast(world, behind, longs, count);
                            checkSum(world, behind, longs, 8);
                            checkSum(world, staging, longs, count);
                            checkGather(world, staging, longs, Math.min(count, SOURCE / pes));
                            assertThat(behind.sum(1L)).isEqualTo(pes);
                        }
                    }
                    staging.close();
                }
            });
        }
    }

    @Test
    @DisplayName("if a member has no memory for a buffer, all members use another algorithm, and no member retries")
    void refused() {
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                LongView longs = world.allocate(8L * 2 * SOURCE).longs();
                Team team = world.team().duplicate();
                if (world.pe() == 1) {
                    takeAll(TeamSyncs.resources(world).lines());
                }
                long first = roundsOfSum(world, team, longs);
                assertThat(roundsOfSum(world, team, longs)).isEqualTo(first - 1);
                assertThat(roundsOfSum(world, team, longs)).isEqualTo(first - 1);
                team.close();
            });
        }
    }

    private static void takeAll(ScratchMemory lines) {
        for (long bytes = 1L << 30; bytes >= 64; bytes /= 2) {
            while (lines.acquire(bytes) >= 0) {}
        }
    }

    private static long roundsOfSum(World world, Team team, IntegerView longs) {
        SyncRound syncRound = TeamSyncs.of(world, team).syncRound();
        long before = syncRound.sequence();
        checkSum(world, team, longs, 64);
        return syncRound.sequence() - before;
    }

    @ParameterizedTest
    @ValueSource(ints = {16_384, 32_768, 32_769, 50_000})
    @DisplayName("large sums of two, in place too, are right to the last element")
    void pieces(int count) {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                LongView longs = world.allocate(8L * 2 * count).longs();
                for (int target : new int[] {0, count}) {
                    for (int i = 0; i < count; i++) {
                        longs.set(count + i, value(world.pe(), i));
                    }
                    world.team().allReduce(Reduction.SUM, longs, target, longs, count, count);
                    for (int i = 0; i < count; i++) {
                        assertThat(longs.get(target + i)).isEqualTo(sum(2, i));
                    }
                    world.team().barrier();
                }
            });
        }
    }

    private static void checkSum(World world, Team team, IntegerView longs, int count) {
        fill(world, longs, count);
        team.allReduce(Reduction.SUM, longs, 0, longs, SOURCE, count);
        for (int i = 0; i < count; i++) {
            assertThat(longs.get(i)).isEqualTo(sum(world.size(), i));
        }
    }

    private static void checkGather(World world, Team team, IntegerView longs, int count) {
        fill(world, longs, count);
        team.allGather(longs, 0, longs, SOURCE, count);
        for (int i = 0; i < count * world.size(); i++) {
            assertThat(longs.get(i)).isEqualTo(value(i / count, i % count));
        }
    }

    private static void checkBroadcast(World world, Team team, IntegerView longs, int count) {
        fill(world, longs, count);
        team.broadcast(longs, 0, longs, SOURCE, count, 1);
        assertThat(longs.get(count - 1)).isEqualTo(value(1, count - 1));
    }

    private static void fill(World world, IntegerView longs, int count) {
        for (int i = 0; i < count; i++) {
            longs.set(SOURCE + i, value(world.pe(), i));
        }
    }

    private static long sum(int pes, int index) {
        return LongStream.range(0, pes).map(pe -> value((int) pe, index)).sum();
    }

    private static long value(int pe, int index) {
        return 1_000_000L * (pe + 1) + index;
    }
}

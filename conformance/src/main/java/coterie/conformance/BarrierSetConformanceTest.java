// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.BarrierSet;
import coterie.CollectiveMismatchException;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.SymmetricMemoryException;
import coterie.Team;
import coterie.TeamRevokedException;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdTest;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;

/// Barriers that match by keys.
class BarrierSetConformanceTest {
    private static final int KEYS = 3;

    @EverySize
    @DisplayName("barriers of several keys are under way at once, in another order on each PE, beside collectives")
    void severalAtOnce(World world) {
        Team team = world.team();
        BarrierSet barriers = team.createBarriers(KEYS);
        assertThat(barriers.keys()).isEqualTo(KEYS);
        assertThat(barriers.team()).isSameAs(team);
        for (int round = 0; round < 20; round++) {
            for (int i = 0; i < KEYS; i++) {
                barriers.arrive((world.pe() + round + i) % KEYS);
            }
            assertThat(team.sum(1L)).isEqualTo(world.size());
            barriers.await(round % KEYS);
            while (!barriers.test((round + 1) % KEYS)) {
                assertThat(world.isAccessible(0)).isTrue();
            }
            barriers.await((round + 2) % KEYS, Duration.ofMinutes(1));
        }
        barriers.close();
        barriers.close();
        assertThat(world.heapStatistics().usedBytes()).isZero();
    }

    @SpmdTest(pes = {2, 3, 4})
    @DisplayName("after a phase a member sees what the others have put to it before they arrived")
    void ordersPuts(World world) {
        Team team = world.team().splitByColor(world.pe() % 2, -world.pe());
        BarrierSet barriers = team.createBarriers(2);
        SymmetricMemory memory = team.allocate(8L * team.size() * 2);
        LongView longs = memory.longs();
        for (int round = 1; round <= 50; round++) {
            int half = round % 2 * team.size();
            for (int member = 0; member < team.size(); member++) {
                longs.put(half + team.member(), round, member);
            }
            barriers.arrive(round % 2);
            barriers.await(round % 2);
            for (int member = 0; member < team.size(); member++) {
                assertThat(longs.get(half + member)).isEqualTo(round);
            }
        }
        team.close(); // frees both
        assertThatThrownBy(() -> barriers.arrive(0)).isInstanceOf(IllegalStateException.class);
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("no phase completes before every member has arrived, and a missing one is named")
    void waitsForAll(World world) {
        BarrierSet barriers = world.team().createBarriers(1);
        if (world.pe() != 1) {
            barriers.arrive(0);
            assertThat(barriers.test(0)).isFalse();
            assertThatThrownBy(() -> barriers.await(0, Duration.ofMillis(20)))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("key 0");
            assertThatThrownBy(() -> barriers.arrive(0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("PE 1 has not arrived");
            assertThatThrownBy(barriers::close).isInstanceOf(IllegalStateException.class);
        }
        world.team().barrier();
        if (world.pe() == 1) {
            assertThat(barriers.test(0)).isTrue();
            barriers.arrive(0);
        }
        barriers.await(0);
        barriers.close();
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName(
            "a close waits for no other PE; a phase in which a member that has closed them has not arrived throws, and the"
                    + " one in which it has is complete")
    void closes(World world) {
        for (int round = 0; round < 3; round++) {
            Team team = world.team().duplicate();
            BarrierSet barriers = team.createBarriers(KEYS);
            barriers.arrive(1);
            barriers.await(1);
            barriers.arrive(2);
            int closer = round % world.size();
            if (world.pe() == closer) {
                barriers.await(2);
                barriers.close();
                assertThatThrownBy(() -> barriers.arrive(0)).isInstanceOf(IllegalStateException.class);
                if (round == 1) {
                    team.close();
                }
            } else {
                barriers.await(2);
                for (int key = 0; key < KEYS; key++) {
                    int missed = key;
                    barriers.arrive(missed);
                    assertThatThrownBy(() -> barriers.await(missed))
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContaining("PE " + closer + " has closed the barriers or the team");
                    assertThatThrownBy(() -> {
                                while (!barriers.test(missed)) {
                                    assertThat(world.isAccessible(0)).isTrue();
                                }
                            })
                            .isInstanceOf(CollectiveMismatchException.class);
                }
                barriers.close();
            }
            team.close();
            world.team().barrier();
        }
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("wrong keys and different numbers of keys are refused")
    void refusals(World world) {
        Team team = world.team().duplicate();
        assertThatThrownBy(() -> team.createBarriers(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 keys");
        BarrierSet barriers = team.createBarriers(2);
        for (int key : new int[] {-1, 2}) {
            assertThatThrownBy(() -> barriers.arrive(key))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("key " + key + " is outside [0, 2)");
        }
        assertThatThrownBy(() -> barriers.await(0, null)).isInstanceOf(NullPointerException.class);
        if (world.size() > 1) {
            assertThatThrownBy(() -> team.createBarriers(1 + world.pe() * 100))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContainingAll("createBarriers", "bytes of all keys", "128 on", "12928 on");
        }
        assertThatThrownBy(() -> team.createBarriers(Integer.MAX_VALUE))
                .isInstanceOf(SymmetricMemoryException.class)
                .hasMessageContaining("createBarriers on ");
        barriers.close();
        team.close();
    }

    @SpmdTest(pes = {2, 4})
    @DisplayName("a revocation of the team ends phases that are not complete")
    void revoked(World world) {
        Team team = world.team().duplicate();
        BarrierSet barriers = team.createBarriers(1);
        team.syncLiving(); // so that all have the set
        if (world.pe() == 0) {
            team.revoke();
        } else {
            assertThatThrownBy(() -> {
                        barriers.arrive(0); // may know of the revocation already
                        barriers.await(0);
                    })
                    .isInstanceOf(TeamRevokedException.class)
                    .hasMessageContaining("PE 0 has revoked the team");
            assertThatThrownBy(() -> team.createBarriers(1)).isInstanceOf(TeamRevokedException.class);
        }
        world.team().barrier();
        team.close();
    }
}

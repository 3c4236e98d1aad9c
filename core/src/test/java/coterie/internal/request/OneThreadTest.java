// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// One thread that has all parts of several PEs: any call of it that waited would wait for itself.
@ExtendWith(TestSettings.class)
class OneThreadTest {
    private record Seat(World world, List<Team> teams, SymmetricMemory memory) {}

    @ParameterizedTest
    @CsvSource({"1,true,99", "2,true,99", "3,true,99", "3,false,99", "4,true,2", "5,false,2"})
    @DisplayName("one thread prepares, posts and polls the first requests of three teams for all PEs, in any order")
    void drivesAllPes(int pes, boolean loadsAndStores, int treeAbove) {
        setLoadStore(loadsAndStores);
        TestSettings.set(Setting.TREE_SYNC_ABOVE, Integer.toString(treeAbove));
        Map<Integer, Seat> seats = new ConcurrentSkipListMap<>();
        CountDownLatch ready = new CountDownLatch(pes);
        CountDownLatch over = new CountDownLatch(1);
        Thread driver = Thread.ofPlatform().unstarted(() -> {
            try {
                ready.await();
                drive(seats);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                over.countDown();
            }
        });
        List<Throwable> thrown = new ArrayList<>();
        driver.setUncaughtExceptionHandler((_, why) -> thrown.add(why));
        driver.start();
        try (LocalJob job = new LocalJob(pes)) {
            job.run(world -> {
                List<Team> teams = List.of(
                        world.team(), world.team().duplicate(), world.team().splitByColor(world.pe() % 2, world.pe()));
                SymmetricMemory memory = world.allocate(8L * 2 * teams.size());
                seats.put(world.pe(), new Seat(world, teams, memory));
                ready.countDown();
                over.await();
                teams.subList(1, teams.size()).forEach(Team::close);
                memory.close();
            });
        }
        assertThat(thrown).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "if one member has no memory for a team's requests, all members get that, and the team's other collectives go on")
    void noMemory(boolean loadsAndStores) {
        setLoadStore(loadsAndStores);
        TestSettings.set(Setting.TEAM_SYNC_KIB, "16");
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                Team team = world.team();
                assertThatThrownBy(() -> {
                            while (world.pe() == 1) {
                                world.newTeamId(); // takes memory of PE 1
                            }
                            Request barrier = team.prepare(Collective.barrier());
                            barrier.post();
                            barrier.await();
                        })
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContaining(world.pe() == 1 ? "no memory for another id" : "PE 1 has no memory left");
                if (world.pe() == 1) {
                    assertThatThrownBy(() -> team.prepare(Collective.barrier()))
                            .isInstanceOf(CoterieException.class)
                            .hasMessageContaining("PE 1 has fewer than");
                }
                team.barrier();
            });
        }
    }

    private static void drive(Map<Integer, Seat> seats) {
        List<Request> posted = new ArrayList<>();
        seats.forEach((pe, seat) -> {
            for (int each = 0; each < 3; each++) {
                int turn = (each + pe) % 3;
                LongView longs = seat.memory.longs().slice(2L * turn, 2);
                longs.set(0, 1L << pe);
                Request sum = seat.teams
                        .get(turn)
                        .prepare(Collective.allReduce(Reduction.SUM)
                                .source(longs, 0, 1)
                                .target(longs, 1, 1));
                Request barrier = seat.teams.get(turn).prepare(Collective.barrier());
                sum.post();
                barrier.post();
                posted.add(sum);
                posted.add(barrier);
            }
        });
        while (!posted.stream().allMatch(Request::isComplete)) {
            seats.values().forEach(seat -> seat.world.progress());
        }
        seats.forEach((pe, seat) -> {
            for (int turn = 0; turn < 3; turn++) {
                long expected = 0;
                for (int member : seat.teams.get(turn).pes()) {
                    expected |= 1L << member;
                }
                assertThat(seat.memory.longs().get(2L * turn + 1)).isEqualTo(expected);
            }
        });
        posted.forEach(Request::close);
    }
}

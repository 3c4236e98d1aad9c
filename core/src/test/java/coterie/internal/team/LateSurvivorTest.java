// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamRevokedException;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// PE 1 fails or revokes the team, and PE 2 comes to the collective only after PE 0 has left it: if PE 0 waited
/// for PE 2, neither would go on.
@DisplayName(
        "a collective ends at once where a member has failed or revoked the team, whichever other members are late")
@ExtendWith(TestSettings.class)
class LateSurvivorTest {
    enum Call {
        BARRIER,
        SYNC,
        SUM,
        ALL_REDUCE,
        REDUCE_SCATTER,
        ALL_GATHER_V,
        ALL_TO_ALL,
        BROADCAST,
        BROADCAST_OF_THE_LATE,
        SPLIT,
        DUPLICATE,
        ALLOCATE,
        FREE,
        REALLOCATE,
        FIRST_REQUEST,
        POSTED,
        CLOSE_WORLD;

        void run(World world, Team team, SymmetricMemory block, @Nullable Request request) {
            LongView longs = block.longs();
            switch (this) {
                case BARRIER -> team.barrier();
                case SYNC -> team.sync();
                case SUM -> team.sum(1L);
                case ALL_REDUCE -> team.allReduce(Reduction.SUM, longs, 0, longs, 2000, 1000);
                case REDUCE_SCATTER -> team.reduceScatter(Reduction.SUM, longs, 0, longs, 2000, 300);
                case ALL_GATHER_V -> team.allGatherV(longs, 0, longs, 2000, 300);
                case ALL_TO_ALL -> team.allToAll(longs, 0, longs, 2000, 300);
                case BROADCAST -> team.broadcast(longs, 0, longs, 2000, 1000, 0);
                case BROADCAST_OF_THE_LATE -> team.broadcast(longs, 0, longs, 2000, 1000, 2);
                case SPLIT -> team.splitStrided(0, 1, 2);
                case DUPLICATE -> team.duplicate();
                case ALLOCATE -> world.allocate(64);
                case FREE -> block.free();
                case REALLOCATE -> block.reallocate(1 << 17);
                case FIRST_REQUEST -> {
                    try (Request first = team.prepare(Collective.barrier())) {
                        first.post();
                        first.await();
                    }
                }
                case POSTED -> {
                    Objects.requireNonNull(request).post();
                    request.await();
                }
                case CLOSE_WORLD -> world.close();
            }
        }

        /// Whether it is a collective of the world team, whatever team the test has.
        boolean isOfTheWorld() {
            return this == ALLOCATE || this == FREE || this == REALLOCATE || this == CLOSE_WORLD;
        }
    }

    enum Way {
        DIRECT,
        CONDUIT,
        TREE,
        PLANS;

        void set() {
            setLoadStore(this != CONDUIT);
            if (this == TREE) {
                TestSettings.set(Setting.TREE_SYNC_ABOVE, "2");
            } else if (this == PLANS) {
                TestSettings.set(Setting.TLS, "p2p");
                TestSettings.set(Setting.TL_P2P_TUNE, "barrier:@knomial:inf");
            }
        }
    }

    static Stream<Arguments> calls() {
        return Arrays.stream(Call.values())
                .flatMap(call -> Arrays.stream(Way.values()).map(way -> Arguments.of(call, way)));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void failed(Call call, Way way) {
        way.set();
        CountDownLatch told = new CountDownLatch(1);
        try (LocalJob job = new LocalJob(3)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team();
                SymmetricMemory block = world.allocate(1 << 16);
                try (Request request = call == Call.POSTED ? team.prepare(Collective.barrier()) : null) {
                    team.barrier();
                    job.meet();
                    if (world.pe() == 1) {
                        throw new AssertionError("PE 1 fails");
                    }
                    if (world.pe() == 2) {
                        told.await();
                    }
                    assertThatThrownBy(() -> call.run(world, team, block, request))
                            .isInstanceOfSatisfying(
                                    PeFailedException.class,
                                    e -> assertThat(e.failedPes()).containsExactly(1));
                    told.countDown();
                    if (call != Call.CLOSE_WORLD) {
                        assertThat(team.failedPes()).containsExactly(1);
                        assertThat(team.syncLiving()).containsExactly(1);
                        assertThatThrownBy(team::barrier).isInstanceOf(PeFailedException.class);
                        Team survivors = team.survivors();
                        assertThat(survivors.pes()).containsExactly(0, 2);
                        assertThat(survivors.sum(world.pe())).isEqualTo(2);
                    }
                }
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    static Stream<Arguments> callsOfTeams() {
        return calls().filter(each -> !((Call) each.get()[0]).isOfTheWorld());
    }

    @ParameterizedTest
    @MethodSource("callsOfTeams")
    void revoked(Call call, Way way) {
        way.set();
        CountDownLatch told = new CountDownLatch(1);
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                Team team = world.team().duplicate();
                SymmetricMemory block = world.allocate(1 << 16);
                try (Request request = call == Call.POSTED ? team.prepare(Collective.barrier()) : null) {
                    team.barrier();
                    job.meet();
                    if (world.pe() == 1) {
                        team.revoke();
                    } else {
                        if (world.pe() == 2) {
                            told.await();
                        }
                        assertThatThrownBy(() -> call.run(world, team, block, request))
                                .isInstanceOfSatisfying(
                                        TeamRevokedException.class,
                                        e -> assertThat(e.revoker()).isEqualTo(1))
                                .hasMessageContaining("PE 1 has revoked the team");
                        told.countDown();
                    }
                    assertThatThrownBy(team::sync).isInstanceOf(TeamRevokedException.class);
                    assertThat(team.syncLiving()).isEmpty();
                }
                try (Team all = team.survivors()) {
                    assertThat(all.pes()).containsExactly(0, 1, 2);
                    assertThat(all.sum(1L)).isEqualTo(3);
                }
                team.close();
                world.team().barrier();
            });
        }
    }
}

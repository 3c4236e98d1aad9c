// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.TeamRevokedException;
import coterie.World;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A second world of a job whose first one has had trouble, over flat rounds and over trees.
@ExtendWith(TestSettings.class)
class RejoinTest {
    private static Stream<Arguments> ways() {
        return Stream.of("0", "1000000")
                .flatMap(mostFlat -> Stream.of(true, false).map(isLoadStore -> Arguments.of(mostFlat, isLoadStore)));
    }

    private static LocalJob job(String mostFlat, boolean isLoadStore) {
        set(Setting.TREE_SYNC_ABOVE, mostFlat);
        setLoadStore(isLoadStore);
        return LocalJob.onNodes(List.of(0, 0, 1, 2));
    }

    /// The members have had different numbers of rounds, so that a further world would take tags of the first one
    /// for its own.
    @ParameterizedTest
    @MethodSource("ways")
    void noPeJoinsAgainAfterTheWorldsTeamWasRevoked(String mostFlat, boolean isLoadStore) {
        try (LocalJob job = job(mostFlat, isLoadStore)) {
            assertThat(job.failures(world -> {
                        world.team().barrier();
                        job.meet();
                        if (world.pe() == 1) {
                            world.team().revoke();
                        } else {
                            assertThatThrownBy(world.team()::barrier).isInstanceOf(TeamRevokedException.class);
                        }
                        assertThatThrownBy(world::close).isInstanceOf(TeamRevokedException.class);
                        assertThat(World.isJoined()).isFalse();
                        assertThatThrownBy(World::join)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("join on PE " + world.pe())
                                .hasMessageContaining("closed its world without the other PEs");
                    }))
                    .isEmpty();
        }
    }

    /// The nodes' teams have had different numbers of rounds.
    @ParameterizedTest
    @MethodSource("ways")
    void allJoinAgainAfterAMismatch(String mostFlat, boolean isLoadStore) {
        try (LocalJob job = job(mostFlat, isLoadStore)) {
            job.run(first -> {
                World world = first;
                for (int time = 0; time < 5; time++) {
                    for (int round = 0; world.pe() < 2 && round < 7 * time % 5; round++) {
                        assertThat(world.nodeTeam().sum(1L)).isEqualTo(2);
                    }
                    assertThatThrownBy(mismatch(world, time)::run).isInstanceOf(CollectiveMismatchException.class);
                    world.close();
                    world = World.join();
                    for (int round = 0; round < time; round++) {
                        assertThat(world.team().sum((long) round)).isEqualTo(4L * round);
                    }
                }
                world.close();
            });
        }
    }

    private static Runnable mismatch(World world, int time) {
        return switch (world.pe() == time % world.size() ? 0 : 1) {
            case 0 -> () -> world.team().sum(1L);
            default ->
                time % 2 == 0 ? world.team()::barrier : () -> world.team().sum(1.0);
        };
    }

    /// The PE that has closed too early waits for the others to close.
    @ParameterizedTest
    @MethodSource("ways")
    void allJoinAgainAfterACloseThatDidNotMatch(String mostFlat, boolean isLoadStore) {
        try (LocalJob job = job(mostFlat, isLoadStore)) {
            job.run(first -> {
                World world = first;
                for (int time = 0; time < 5; time++) {
                    if (world.pe() == time % world.size()) {
                        assertThatThrownBy(world::close)
                                .isInstanceOf(CollectiveMismatchException.class)
                                .hasMessageContaining("close of the world");
                    } else {
                        assertThatThrownBy(world.team()::barrier).isInstanceOf(CollectiveMismatchException.class);
                        world.close();
                    }
                    world = World.join();
                    assertThat(world.team().sum(1L)).isEqualTo(4);
                }
                world.close();
            });
        }
    }

    /// Its wait ends when one of the others does.
    @ParameterizedTest
    @MethodSource("ways")
    void aCloseThatDidNotMatchEndsWithTheOthers(String mostFlat, boolean isLoadStore) {
        try (LocalJob job = job(mostFlat, isLoadStore)) {
            assertThat(job.failures(world -> {
                        if (world.pe() != 2) {
                            world.team().barrier();
                        }
                        assertThatThrownBy(world::close)
                                .isInstanceOf(CollectiveMismatchException.class)
                                .satisfies(e -> assertThat(e.getSuppressed())
                                        .singleElement()
                                        .isInstanceOf(PeFailedException.class));
                        assertThatThrownBy(World::join).isInstanceOf(IllegalStateException.class);
                    }))
                    .containsOnlyKeys(0, 1, 3);
        }
    }
}

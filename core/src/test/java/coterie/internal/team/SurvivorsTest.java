// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.Team;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("the living members of a team agree on which they are")
@ExtendWith(TestSettings.class)
class SurvivorsTest {
    private static final int PES = 4;

    static Stream<Arguments> deaths() {
        return IntStream.rangeClosed(0, 4)
                .boxed()
                .flatMap(step -> IntStream.range(0, PES)
                        .boxed()
                        .flatMap(pe -> Stream.of(true, false).map(direct -> Arguments.of(step, pe, direct))));
    }

    @ParameterizedTest
    @MethodSource("deaths")
    @DisplayName("a member that fails at any step of the agreement is in the new team on all members or on none")
    void failsMeanwhile(int step, int dying, boolean direct) {
        setLoadStore(direct);
        set(Setting.FAULT, "survivors:" + step + "@" + dying + "=fail");
        Map<Integer, List<Integer>> teams = new ConcurrentHashMap<>();
        try (LocalJob job = new LocalJob(PES)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team survivors = world.team().survivors();
                teams.put(world.pe(), IntStream.of(survivors.pes()).boxed().toList());
                if (IntStream.of(survivors.pes()).anyMatch(pe -> pe == dying)) {
                    assertThatThrownBy(survivors::barrier)
                            .isInstanceOfSatisfying(
                                    PeFailedException.class,
                                    e -> assertThat(e.failedPes()).containsExactly(dying));
                } else {
                    assertThat(survivors.sum(1L)).isEqualTo(PES - 1);
                }
                assertThat(IntStream.of(survivors.syncLiving()).boxed()).isSubsetOf(dying);
            });
            boolean hasFailed = !failures.isEmpty(); // a member that only votes has no step of a coordinator
            assertThat(failures.keySet()).isSubsetOf(dying);
            assertThat(teams).hasSize(hasFailed ? PES - 1 : PES);
            assertThat(teams.values()).allMatch(teams.values().iterator().next()::equals);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"survivors:2@0=fail,survivors:2@1=fail", "survivors:3@0=fail,survivors:1@2=fail"})
    @DisplayName("two members that fail, the second as it takes over, leave one list to the others")
    void twoFail(String faults) {
        set(Setting.FAULT, faults);
        Map<Integer, List<Integer>> teams = new ConcurrentHashMap<>();
        try (LocalJob job = new LocalJob(PES + 1)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team survivors = world.team().survivors();
                teams.put(world.pe(), IntStream.of(survivors.pes()).boxed().toList());
                survivors.survivors().barrier();
            });
            assertThat(failures).hasSize(2);
            assertThat(teams).hasSize(PES - 1);
            assertThat(teams.values()).allMatch(teams.values().iterator().next()::equals);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("it is repeated as members fail one after the other, until one is left")
    void untilOneIsLeft(boolean direct) {
        setLoadStore(direct);
        try (LocalJob job = new LocalJob(PES)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team();
                for (int dying = 0; dying < PES - 1; dying++) {
                    team.barrier();
                    job.meet();
                    if (world.pe() == dying) {
                        throw new AssertionError("it fails");
                    }
                    assertThatThrownBy(team::barrier).isInstanceOf(PeFailedException.class);
                    Team next = team.survivors();
                    if (dying > 0) {
                        team.close();
                    }
                    team = next;
                    assertThat(team.size()).isEqualTo(PES - 1 - dying);
                    assertThat(team.pe(0)).isEqualTo(dying + 1);
                }
                assertThat(team.sum(7L)).isEqualTo(7);
            });
            assertThat(failures).hasSize(PES - 1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a member that has closed its world after a failure is out, and no member waits for it")
    void oneLeaves(boolean direct) {
        setLoadStore(direct);
        try (LocalJob job = new LocalJob(PES)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                world.team().barrier();
                job.meet();
                if (world.pe() == 1) {
                    throw new AssertionError("it fails");
                }
                assertThatThrownBy(() -> world.team().barrier()).isInstanceOf(PeFailedException.class);
                if (world.pe() == 0) {
                    assertThatThrownBy(world::close).isInstanceOf(PeFailedException.class);
                } else {
                    assertThat(world.team().syncLiving()).containsExactly(0, 1);
                    assertThat(world.failedPes()).containsExactly(1);
                    assertThat(world.stoppedPes()).containsExactly(0);
                    assertThat(world.team().survivors().pes()).containsExactly(2, 3);
                }
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("members that have made different calls go on with it as well")
    void afterAMismatch(boolean direct) {
        setLoadStore(direct);
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                Team team = world.team().duplicate();
                assertThatThrownBy(() -> {
                            if (world.pe() == 1) {
                                team.barrier();
                            } else {
                                team.sum(1L);
                            }
                        })
                        .isInstanceOf(CollectiveMismatchException.class);
                Team next = team.survivors();
                assertThat(next.sum(1L)).isEqualTo(3);
                next.close();
                team.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("where a living member has no memory for the team, all throw")
    void noMemory(boolean direct) {
        setLoadStore(direct);
        set(Setting.TEAM_SYNC_KIB, "2");
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                if (world.pe() == 1) {
                    world.formTeam(world.newTeamId(), 1, 0); // PE 1 has less memory than the others
                }
                Throwable thrown = null;
                while (thrown == null) {
                    thrown = catchThrowable(() -> world.team().survivors());
                }
                assertThat(thrown)
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContaining("has no memory for the new team");
                assertThat(world.team().syncLiving()).isEmpty();
            });
        }
    }
}

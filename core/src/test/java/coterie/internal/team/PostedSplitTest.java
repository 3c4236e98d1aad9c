// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamRequest;
import coterie.TeamRevokedException;
import coterie.WaitTimeoutException;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("splits that are posted")
@ExtendWith(TestSettings.class)
class PostedSplitTest {
    private static final int PES = 4;

    @ParameterizedTest
    @CsvSource({"1,true", "2,false", "3,true", "5,true", "5,false", "9,true"})
    @DisplayName("make the teams of splits that wait, whichever is waited for first")
    void sameTeams(int pes, boolean direct) {
        set(Setting.TREE_SYNC_ABOVE, "6");
        try (LocalJob job = job(pes, direct)) {
            job.run(world -> {
                Team all = world.team();
                int me = world.pe();
                int most = (pes + 1) / 2;
                TeamRequest<Team> evens = all.postSplitStrided(0, 2, most);
                TeamRequest<Team.Axes> grid = all.postSplit2D(2);
                TeamRequest<Team> colors = all.postSplitByColor(me % 3 - 1, -me);
                TeamRequest<Team> copy = all.postDuplicate(TeamConfig.DEFAULT.withContexts(3));
                Team waited = all.duplicate(); // splits that wait go on beside those that are posted
                assertThat(copy.await().config().contexts()).isEqualTo(3);
                assertSame(copy.await(), waited);
                assertSame(colors.await(), all.splitByColor(me % 3 - 1, -me));
                Team.Axes axes = grid.await();
                assertThat(grid.await()).isSameAs(axes);
                assertThat(grid.test()).isTrue();
                Team.Axes others = all.split2D(2);
                assertSame(axes.x(), others.x());
                assertSame(axes.y(), others.y());
                assertSame(evens.await(), all.splitStrided(0, 2, most));
            });
        }
    }

    private static void assertSame(Team posted, Team other) {
        assertThat(posted.pes()).containsExactly(other.pes());
        assertThat(posted.isValid()).isEqualTo(other.isValid());
        if (posted.isValid()) {
            assertThat(posted.sum(1L)).isEqualTo(other.size());
            posted.destroy();
            other.destroy();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("take their turns among the requests of their team, and go on while the program waits for anything")
    void amongRequests(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                int many = 20;
                LongView longs = world.allocate(8L * 2 * many).longs();
                List<Request> sums = new ArrayList<>();
                List<TeamRequest<Team>> splits = new ArrayList<>();
                for (int each = 0; each < many; each++) {
                    longs.set(each, each);
                    Request sum = world.team()
                            .prepare(Collective.allReduce(Reduction.SUM)
                                    .source(longs, each, 1)
                                    .target(longs, many + each, 1));
                    sum.post();
                    sums.add(sum);
                    splits.add(world.team().postSplitByColor((world.pe() + each) % 2, each));
                }
                sums.getLast().await();
                for (int each = many - 1; each >= 0; each--) {
                    Team made = splits.get(each).await();
                    assertThat(made.sum(1L)).isEqualTo(made.size());
                    made.destroy();
                    sums.get(each).await();
                    assertThat(longs.get(many + each)).isEqualTo(3L * each);
                    sums.get(each).close();
                }
                assertThat(LocalJob.teams(world).area().blocks())
                        .as("the lines of requests")
                        .isOne();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("are refused on all members alike, leave nothing behind, and no other request fails")
    void refused(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                Team all = world.team();
                for (int attempt = 0; attempt < 20; attempt++) {
                    boolean odd = world.pe() == attempt % 3;
                    TeamRequest<Team.Axes> grid = all.postSplit2D(odd ? 1 : 2);
                    TeamRequest<Team> strided = all.postSplitStrided(0, 1, odd ? 4 : 3);
                    TeamRequest<Team> colored =
                            all.postSplitByColor(0, 0, TeamConfig.DEFAULT.withContexts(odd ? 1 : 0));
                    TeamRequest<Team> copy = all.postDuplicate();
                    assertThatThrownBy(strided::await)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll("splitStrided on team", "passes start 0, stride 1, size 4");
                    assertThatThrownBy(grid::await)
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContaining("members disagree on the xSize");
                    assertThatThrownBy(grid::test).isInstanceOf(CollectiveMismatchException.class);
                    assertThatThrownBy(colored::await).isInstanceOf(CollectiveMismatchException.class);
                    copy.await().destroy();
                }
                assertThat(LocalJob.teams(world).area().blocks())
                        .as("the lines of requests")
                        .isOne();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("end on all members if some have posted other requests, or other splits")
    void mixed(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                Team one = world.team().duplicate();
                TeamRequest<?> split = world.pe() == 1 ? one.postSplit2D(2) : one.postSplitByColor(0, 0);
                assertThatThrownBy(split::await)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContainingAll("split2D", "splitByColor");
                Team other = world.team().duplicate();
                if (world.pe() == 2) {
                    Request barrier = other.prepare(Collective.barrier());
                    barrier.post();
                    assertThatThrownBy(barrier::await).isInstanceOf(CollectiveMismatchException.class);
                } else {
                    assertThatThrownBy(other.postDuplicate()::await)
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContainingAll("duplicate", "barrier");
                }
            });
        }
    }

    @Test
    @DisplayName("wait no longer than they are allowed, keep their team open, and end when it is revoked")
    void late() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                Team team = world.team().duplicate();
                TeamRequest<Team> split = world.pe() == 0 ? team.postDuplicate() : null;
                if (split != null) {
                    assertThatThrownBy(() -> split.await(Duration.ofMillis(1)))
                            .isInstanceOf(WaitTimeoutException.class);
                    assertThat(split.test()).isFalse();
                    assertThatThrownBy(() -> split.await(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
                    assertThatThrownBy(() -> split.await(null))
                            .isInstanceOf(NullPointerException.class)
                            .hasMessageContaining("timeout is null");
                }
                world.team().barrier();
                if (split != null) {
                    assertThatThrownBy(team::close)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("request in progress");
                }
                job.meet();
                team.revoke();
                if (split != null) {
                    assertThatThrownBy(split::await).isInstanceOf(CoterieException.class);
                }
            });
        }
    }

    static Stream<Arguments> deaths() {
        return IntStream.rangeClosed(0, 4)
                .boxed()
                .flatMap(step -> IntStream.of(0, 2)
                        .boxed()
                        .flatMap(pe -> Stream.of(true, false).map(direct -> Arguments.of(step, pe, direct))));
    }

    @ParameterizedTest
    @MethodSource("deaths")
    @DisplayName("end on all members when one fails at any step, or make teams in which no member waits for ever")
    void failsMeanwhile(int step, int dying, boolean direct) {
        setLoadStore(direct);
        set(Setting.FAULT, "split_by_color:" + step + "@" + dying + "=fail");
        try (LocalJob job = new LocalJob(PES)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team[] made = new Team[1];
                RuntimeException failure = catchRuntimeException(() -> made[0] =
                        world.team().postSplitByColor(world.pe() / 2, 0).await());
                if (failure != null) {
                    if (world.pe() == dying) {
                        throw failure;
                    }
                    assertThat(failure).isInstanceOf(CoterieException.class);
                } else {
                    RuntimeException later = catchRuntimeException(
                            () -> assertThat(made[0].sum(1L)).isEqualTo(2));
                    if (later == null) {
                        assertThat(made[0].pes()).doesNotContain(dying);
                    } else {
                        assertThat(later).isInstanceOfAny(PeFailedException.class, TeamRevokedException.class);
                    }
                }
                assertThat(world.team().syncLiving()).containsExactly(dying);
            });
            assertThat(failures.keySet()).as("%s", failures).isSubsetOf(dying);
        }
    }

    @Test
    @DisplayName("are complete at once on a team that is none")
    void onNoTeam() {
        assertThat(Team.INVALID.postDuplicate().await()).isSameAs(Team.INVALID);
        assertThat(Team.INVALID.postSplitByColor(0, 0).test()).isTrue();
        assertThat(Team.INVALID.postSplitStrided(0, 1, 1).await(Duration.ofSeconds(1)))
                .isSameAs(Team.INVALID);
        assertThat(Team.INVALID.postSplit2D(1).await().x()).isSameAs(Team.INVALID);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.IntegerView;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.internal.sync.RoundAccess;
import coterie.internal.team.TeamSyncs;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.spi.PeState;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("oneway broadcasts")
class OnewayBroadcastsTest {
    private static final int SOURCE = 2000;
    private static final int ODD = 1;
    private static final int SEEDS = Boolean.getBoolean("coterie.soak") ? 250 : 4;

    /// What a member calls after two broadcasts in which all agree.
    record Case(String name, String expected, Use odd, Use others) {
        @Override
        public String toString() {
            return name;
        }
    }

    @FunctionalInterface
    interface Use {
        void of(Team team, IntegerView longs);
    }

    private static Use broadcast(int root, int count) {
        return (team, longs) -> team.broadcast(longs, 0, longs, SOURCE, count, root);
    }

    private static Use reduce() {
        return (team, longs) -> team.allReduce(Reduction.SUM, longs, 0, longs, SOURCE, 3);
    }

    private static Use barrier() {
        return (team, longs) -> team.barrier();
    }

    private static Stream<Case> differences() {
        return Stream.of(
                new Case("counts", "members disagree on the count: ", broadcast(0, 7), broadcast(0, 6)),
                new Case("counts, large", "members disagree on the count: ", broadcast(0, 700), broadcast(0, 600)),
                new Case(
                        "the odd one is the root", "members disagree on the count: ", broadcast(1, 7), broadcast(1, 6)),
                new Case("two roots", "members disagree on the root: ", broadcast(ODD, 6), broadcast(0, 6)),
                new Case("each for the other", "members disagree on the root: ", broadcast(0, 6), broadcast(ODD, 6)),
                new Case(
                        "places",
                        "members disagree on the target's offset: ",
                        (team, longs) -> team.broadcast(longs, 8, longs, SOURCE, 6, 0),
                        broadcast(0, 6)),
                new Case("one reduces for the root", "members call different collectives: ", reduce(), broadcast(0, 6)),
                new Case("the root reduces", "members call different collectives: ", reduce(), broadcast(ODD, 6)),
                new Case("others reduce", "members call different collectives: ", broadcast(0, 6), reduce()),
                new Case("others reduce, a root", "members call different collectives: ", broadcast(ODD, 6), reduce()),
                new Case("one meets", "members call different collectives: ", barrier(), broadcast(0, 6)),
                new Case("others meet", "members call different collectives: ", broadcast(ODD, 6), barrier()));
    }

    private static Stream<Arguments> cases() {
        return differences().flatMap(each -> Stream.of(2, 3, 5).map(pes -> Arguments.of(each, pes)));
    }

    @ParameterizedTest
    @MethodSource("cases")
    @DisplayName("a differing member and its peers throw the mismatch; the other members do in their next collective")
    void differencesAreNamed(Case different, int pes) {
        Map<Integer, Throwable> told = new ConcurrentHashMap<>();
        try (LocalJob job = new LocalJob(pes)) {
            job.run(world -> {
                IntegerView longs = filled(world);
                Team team = world.team().duplicate();
                RoundAccess.skip(TeamSyncs.of(world, team).syncRound(), (pes - 2L) << 38); // as after days of rounds
                broadcast(0, 6).of(team, longs);
                broadcast(pes - 1, 6).of(team, longs);
                world.team().barrier();
                try {
                    (world.pe() == ODD ? different.odd : different.others).of(team, longs);
                } catch (CollectiveMismatchException e) {
                    told.put(world.pe(), e);
                }
                world.team().barrier();
                assertThat(told).containsKey(ODD).hasSizeGreaterThanOrEqualTo(2);
                told.values().forEach(e -> assertThat(e).hasMessageContainingAll("#", different.expected, "PE"));
                for (Use next : new Use[] {broadcast(0, 1), reduce(), barrier()}) {
                    assertThatThrownBy(() -> next.of(team, longs))
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContainingAll(different.expected, "PE " + world.pe());
                }
                team.close();
                assertThat(world.team().sum(1L)).as("another team").isEqualTo(pes);
                try (Team later = world.team().duplicate()) {
                    broadcast(1, 3).of(later, longs);
                    assertThat(longs.get(2)).isEqualTo(value(1, 2));
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    @DisplayName("a member that broadcasts while others close the team, or the world, throws, and all of them end")
    void oneMoreThanTheOthers(int pes) {
        try (LocalJob job = new LocalJob(pes)) {
            job.run(world -> {
                IntegerView longs = filled(world);
                Team team = world.team().duplicate();
                broadcast(0, 6).of(team, longs);
                if (world.pe() == ODD) {
                    assertNamed(() -> broadcast(0, 6).of(team, longs), "close of the team");
                }
                team.close();
                broadcast(0, 6).of(world.team(), longs);
                if (world.pe() == ODD) {
                    assertNamed(() -> broadcast(0, 6).of(world.team(), longs), "close");
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 600})
    @DisplayName("a root that threw may write to its source: a late member that agrees with it copies nothing")
    void withdrawn(int count) {
        CountDownLatch changed = new CountDownLatch(1);
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                IntegerView longs = filled(world);
                Team team = world.team().duplicate();
                broadcast(0, 6).of(team, longs);
                world.team().barrier();
                if (world.pe() == 2) {
                    changed.await();
                }
                assertThatThrownBy(() -> broadcast(0, world.pe() == ODD ? count + 1 : count)
                                .of(team, longs))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContainingAll("members disagree on the count: ", "PE " + world.pe());
                if (world.pe() == 0) {
                    longs.set(SOURCE, -1);
                    changed.countDown();
                }
                team.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 600})
    @DisplayName("a late member receives what was posted before members differed")
    void behind(int count) {
        CountDownLatch told = new CountDownLatch(1);
        try (LocalJob job = new LocalJob(4)) {
            job.run(world -> {
                IntegerView longs = filled(world);
                Team team = world.team().duplicate();
                broadcast(0, 6).of(team, longs);
                world.team().barrier();
                if (world.pe() == 3) {
                    told.await();
                }
                broadcast(2, count).of(team, longs);
                assertThat(longs.get(count - 1)).isEqualTo(value(2, count - 1));
                try {
                    broadcast(0, world.pe() == ODD ? 3 : count).of(team, longs);
                    assertThat(longs.get(count - 1)).isEqualTo(value(0, count - 1));
                } catch (CollectiveMismatchException e) {
                    assertThat(e).hasMessageContaining("members disagree on the count: ");
                }
                if (world.pe() == ODD) {
                    told.countDown();
                }
                assertThatThrownBy(() -> team.sum(1L))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("members disagree on the count: ");
                team.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    @DisplayName("members differ while one fails: all throw one of the two errors, and no member waits for ever")
    void differAndFail(int dead) {
        System.setProperty(Setting.FAULT.property(), "broadcast:2@" + dead + "#3=fail");
        try (LocalJob job = new LocalJob(5)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                IntegerView longs = filled(world);
                Team team = world.team().duplicate();
                broadcast(0, 6).of(team, longs);
                broadcast(2, 6).of(team, longs);
                job.meet();
                try {
                    broadcast(0, world.pe() == ODD ? 7 : 6).of(team, longs);
                } catch (CollectiveMismatchException | PeFailedException e) {
                    assertThat(e).hasMessageContaining("PE " + world.pe());
                }
                assertThatThrownBy(() -> team.sum(1L))
                        .isInstanceOfAny(CollectiveMismatchException.class, PeFailedException.class);
                for (int round = 0; round < 2; round++) {
                    assertThatThrownBy(team::barrier)
                            .isInstanceOfAny(CollectiveMismatchException.class, PeFailedException.class);
                }
                team.close();
            });
            failures.remove(dead);
            assertThat(failures).isEmpty();
        } finally {
            System.clearProperty(Setting.FAULT.property());
        }
    }

    private static Use anyCall(Random random, int pes) {
        int root = random.nextInt(pes);
        int count = 1 + random.nextInt(random.nextInt(3) == 0 ? 900 : 8);
        return switch (random.nextInt(8)) {
            case 0 -> barrier();
            case 1 -> reduce();
            case 2 -> (team, longs) -> assertThat(team.sum(1L)).isEqualTo(pes);
            default ->
                (team, longs) -> {
                    broadcast(root, count).of(team, longs);
                    assertThat(longs.get(count - 1)).isEqualTo(value(root, count - 1));
                };
        };
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName(
            "any calls, one of them different on one member: all before it are right, and all members throw in the end")
    void anyCallDiffers(int pes, int seed) {
        try (LocalJob job = new LocalJob(pes)) {
            job.run(world -> {
                for (int game = 0; game < 20; game++) {
                    Random all = new Random(1000L * seed + game);
                    Random mine = new Random(31L * seed + 7L * game + world.pe());
                    List<Use> calls = IntStream.range(0, 3 + all.nextInt(12))
                            .mapToObj(call -> anyCall(all, pes))
                            .toList();
                    int differs = all.nextInt(calls.size());
                    boolean isOdd = all.nextInt(pes) == world.pe();
                    Use other = anyCall(all, pes);
                    IntegerView longs = filled(world);
                    Team team = world.team().duplicate();
                    int call = 0;
                    try {
                        for (; call < calls.size(); call++) {
                            for (int spin = mine.nextInt(4) == 0 ? mine.nextInt(2000) : 0; spin > 0; spin--) {
                                Thread.onSpinWait();
                            }
                            (isOdd && call == differs ? other : calls.get(call)).of(team, longs);
                        }
                        team.sum(1L);
                    } catch (CollectiveMismatchException e) {
                        assertThat(call).as("%s", e).isGreaterThanOrEqualTo(differs);
                    }
                    team.close();
                }
            });
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName("any calls, in one of which a member fails: results are right, and the other members end together")
    void anyMemberFails(int pes, int seed) {
        Random all = new Random(seed);
        List<Use> calls = IntStream.range(0, 3 + all.nextInt(12))
                .mapToObj(call -> anyCall(all, pes))
                .toList();
        int fails = all.nextInt(calls.size());
        int dead = all.nextInt(pes);
        int opened = all.nextInt(2);
        try (LocalJob job = new LocalJob(pes)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Random mine = new Random(31L * seed + world.pe());
                IntegerView longs = filled(world);
                Team team = world.team().duplicate();
                for (int call = 0; call < opened; call++) {
                    broadcast(0, 1).of(team, longs);
                }
                job.meet();
                for (int call = 0; call < calls.size(); call++) {
                    for (int spin = mine.nextInt(4) == 0 ? mine.nextInt(2000) : 0; spin > 0; spin--) {
                        Thread.onSpinWait();
                    }
                    if (world.pe() == dead && call == fails) {
                        throw new IllegalStateException("the PE fails");
                    }
                    try {
                        calls.get(call).of(team, longs);
                    } catch (PeFailedException e) {
                        assertThat(e.failedPes()).isSubsetOf(dead);
                    }
                }
                for (int round = 0; round < 2; round++) {
                    assertThatThrownBy(team::barrier).isInstanceOf(PeFailedException.class);
                }
                team.close();
            });
            assertThat(failures.remove(dead)).hasMessage("the PE fails");
            assertThat(failures).isEmpty();
        }
    }

    @Test
    @DisplayName("a post that its root takes back for a failed PE is a failure, also before the epoch counts that PE")
    void failureBeforeItsEpoch() {
        CountDownLatch withdrawn = new CountDownLatch(1);
        CountDownLatch seen = new CountDownLatch(1);
        try (LocalJob job = new LocalJob(3)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                IntegerView longs = filled(world);
                Team team = world.team().duplicate();
                broadcast(0, 1).of(team, longs);
                team.barrier();
                switch (world.pe()) {
                    case 0 -> { // waits for member 1 first
                        assertThatThrownBy(() -> broadcast(0, 1).of(team, longs))
                                .isInstanceOf(PeFailedException.class);
                        withdrawn.countDown();
                        seen.await();
                    }
                    case 2 -> {
                        withdrawn.await();
                        assertThatThrownBy(() -> broadcast(0, 1).of(team, longs))
                                .isInstanceOfSatisfying(
                                        PeFailedException.class,
                                        e -> assertThat(e.failedPes()).containsExactly(1));
                        seen.countDown();
                    }
                    default -> {
                        job.segment().status(1).state(PeState.FAILED);
                        seen.await();
                        throw new IllegalStateException("the PE fails");
                    }
                }
                team.close();
            });
            assertThat(failures.remove(1)).hasMessage("the PE fails");
            assertThat(failures).isEmpty();
        }
    }

    private static void assertNamed(ThrowingCallable mine, String others) {
        assertThatThrownBy(mine)
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContainingAll("members call different collectives", "PE 1 broadcast")
                .message()
                .containsPattern("PEs? 0[-, 0-9]* " + others);
    }

    private static Stream<Arguments> seeds() {
        return Stream.of(2, 3, 4, 8)
                .flatMap(pes -> IntStream.range(0, SEEDS).mapToObj(seed -> Arguments.of(pes, seed)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName("results are right in any order of arrival, between other collectives, and sources can be reused")
    void inAnyOrder(int pes, int seed) {
        try (LocalJob job = new LocalJob(pes)) {
            job.run(world -> {
                Random all = new Random(seed);
                Random mine = new Random(31L * seed + world.pe());
                IntegerView longs = filled(world);
                Team team = world.team();
                for (int call = 0; call < 3000; call++) {
                    int root = all.nextInt(pes);
                    int count = all.nextInt(10) == 0 ? all.nextInt(1500) : all.nextInt(9);
                    boolean isInPlace = all.nextInt(4) == 0;
                    int from = isInPlace ? 0 : SOURCE;
                    boolean alsoSums = all.nextInt(8) == 0;
                    for (int spin = mine.nextInt(5) == 0 ? mine.nextInt(500) : 0; spin > 0; spin--) {
                        Thread.onSpinWait();
                    }
                    for (int i = 0; i < count; i++) {
                        longs.set(from + i, value(world.pe(), i) + call);
                    }
                    team.broadcast(longs, 0, longs, from, count, root);
                    for (int i = 0; i < count; i++) {
                        assertThat(longs.get(i)).isEqualTo(value(root, i) + call);
                    }
                    if (!isInPlace) {
                        for (int i = 0; i < count; i++) {
                            longs.set(SOURCE + i, -1);
                        }
                    }
                    if (alsoSums) {
                        assertThat(team.sum((long) call)).isEqualTo((long) call * pes);
                    }
                }
            });
        }
    }

    private static IntegerView filled(World world) {
        LongView longs = world.allocate(8L * 2 * SOURCE).longs();
        for (int i = 0; i < SOURCE; i++) {
            longs.set(SOURCE + i, value(world.pe(), i));
        }
        world.team().barrier();
        return longs;
    }

    private static long value(int pe, int index) {
        return 1_000_000L * (pe + 1) + index;
    }
}

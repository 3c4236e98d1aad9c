// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.ElementType;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.sync.AgreedArguments;
import coterie.internal.sync.ElementSignature;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.RoundAccess;
import coterie.internal.sync.TeamSync;
import coterie.internal.team.TeamSyncs;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import coterie.spi.ReductionKind;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A member that fails after it has notified some members of its arrival, and before it notifies the others:
/// those others miss it one collective earlier, no member waits for them for ever, and all other members stay in
/// step.
@ExtendWith(TestSettings.class)
class PartialNoticeTest {
    private static final int PES = 5;
    private static final int DEAD = 4;

    enum Next {
        SUM,
        REDUCE,
        SCATTER_IN_PLACE,
        DUPLICATE,
        SPLIT,
        BARRIER;

        void call(Team team, SymmetricMemory memory) {
            switch (this) {
                case SUM -> team.sum(1L);
                case REDUCE -> team.allReduce(Reduction.SUM, memory.longs(), 0, memory.longs(), 0, 1);
                case SCATTER_IN_PLACE -> team.reduceScatter(Reduction.SUM, memory.longs(), 0, memory.longs(), 0, 1);
                case DUPLICATE -> team.duplicate();
                case SPLIT -> team.splitStrided(0, 1, 1);
                case BARRIER -> team.barrier();
            }
        }
    }

    private static Stream<Arguments> cases() {
        return Stream.of(Next.values())
                .flatMap(next -> IntStream.rangeClosed(0, DEAD)
                        .boxed()
                        .flatMap(told -> Stream.of(true, false)
                                .flatMap(direct -> Stream.of("", "barrier:@dissemination:inf")
                                        .map(tune -> Arguments.of(next, told, direct, tune)))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void theLivingStayInStep(Next next, int told, boolean direct, String tune) {
        set(Setting.TL_P2P_TUNE, tune);
        setLoadStore(direct);
        CountDownLatch summed = new CountDownLatch(told);
        try (LocalJob job = new LocalJob(PES)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory memory = world.allocate(64);
                Team team = world.team().duplicate();
                job.meet();
                if (world.pe() == DEAD) {
                    tell(team, world, told);
                    // The members that have missed it must not learn of the failure while a notified member still
                    // waits for a late one: their notice would end its wait.
                    summed.await();
                    throw new AssertionError("the PE fails");
                }
                if (world.pe() < told) {
                    assertThat(team.sum(1L)).isEqualTo(PES);
                    summed.countDown();
                } else {
                    assertFails(() -> team.sum(1L));
                }
                for (int attempt = 0; attempt < 3; attempt++) {
                    assertFails(() -> next.call(team, memory));
                }
                for (int round = 0; round < 3; round++) {
                    assertThat(team.syncLiving()).containsExactly(DEAD);
                }
                assertFails(team::barrier);
                try (Team survivors = team.survivors()) {
                    assertThat(survivors.pes()).containsExactly(0, 1, 2, 3);
                    assertThat(survivors.sum(1L)).isEqualTo(DEAD);
                }
                team.close();
                assertThat(team.isValid()).isFalse();
            });
            assertThat(failures).containsOnlyKeys(DEAD);
        }
    }

    /// Members 0 to 3 and 4 to 7 are groups of their own in the first step of the plan: member 4, the only
    /// notified one, waits there for three running members that have left.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoIsInAPlanLeavesItWithTheOthers(boolean direct) {
        setLoadStore(direct);
        set(Setting.TL_P2P_TUNE, "barrier:@knomial:inf");
        int dead = 3;
        try (LocalJob job = new LocalJob(8)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team().duplicate();
                team.barrier();
                job.meet();
                if (world.pe() == dead) {
                    tellOfABarrier(team, world, 4);
                    throw new AssertionError("the PE fails");
                }
                assertThatThrownBy(team::barrier)
                        .isInstanceOfSatisfying(
                                PeFailedException.class,
                                e -> assertThat(e.failedPes()).containsExactly(dead));
                assertThat(team.syncLiving()).containsExactly(dead);
                team.close();
            });
            assertThat(failures).containsOnlyKeys(dead);
        }
    }

    /// Enters a barrier by a plan, as far as one member sees.
    private static void tellOfABarrier(Team team, World world, int member) {
        TeamSync teamSync = TeamSyncs.of(world, team);
        FlatRound meeting = (FlatRound) teamSync.syncRound();
        AlgorithmSelector selector = TeamSyncs.calls(
                        world, team, TeamSyncs.resources(world).registry())
                .selector();
        OperationKind kind = OperationKind.COMPONENT_BARRIER;
        AgreedArguments agreed = new AgreedArguments(kind);
        agreed.of(ElementSignature.of(ElementType.BYTE), 0, 0, selector.digest());
        meeting.send(0, agreed.checksum());
        meeting.send(PlannedCollectives.PREPARED, PlannedCollectives.PLAN);
        RoundAccess.tell(meeting, member, kind, PlannedCollectives.PREPARED + 1);
    }

    private static void assertFails(Runnable collective) {
        assertThatThrownBy(collective::run)
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).containsExactly(DEAD));
    }

    /// Enters a sum, as far as the first `told` members see.
    private static void tell(Team team, World world, int told) {
        TeamSync teamSync = TeamSyncs.of(world, team);
        FlatRound meeting = (FlatRound) teamSync.syncRound();
        AgreedArguments agreed = new AgreedArguments(OperationKind.ALL_REDUCE);
        agreed.ofNumber(ElementSignature.ofScalar(ReductionKind.SUM, ElementType.LONG), 0);
        meeting.send(0, agreed.checksum());
        meeting.send(1, 1);
        for (int member = 0; member < told; member++) {
            RoundAccess.tell(meeting, member, OperationKind.ALL_REDUCE, 2);
        }
    }
}

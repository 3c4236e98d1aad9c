// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static coterie.internal.world.TestSettings.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.World;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.TestSettings;
import coterie.spi.PeState;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.extension.ExtendWith;
/// What the tests of teams that are formed by an id have in common.

@ExtendWith(TestSettings.class)
abstract class FormationCase {
    static final Duration LONG = Duration.ofMinutes(10);
    static final Duration SHORT = Duration.ofMillis(30);

    interface Choice {
        int of(World world);
    }

    interface Expectation {
        void check(World world, Throwable thrown);
    }

    /// All PEs but one come and wait; the last one ends it.
    static void refused(boolean direct, int last, Choice number, Choice size, int pes, Expectation expectation) {
        try (LocalJob job = job(pes, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            job.run(world -> {
                long slot = prepare(world, id);
                if (world.pe() == last) {
                    for (int pe = 0; pe < pes; pe++) {
                        if (pe != last) {
                            job.awaitWaiting(pe, OperationKind.FORM);
                        }
                    }
                }
                Callable<Team> form =
                        () -> world.formTeam(id.join(), size.of(world), number.of(world), TeamConfig.DEFAULT, LONG);
                Throwable first = catchThrowable(form::call);
                expectation.check(world, first);
                assertThat(areaOf(world).used()).isEqualTo(slot);
                world.team().barrier();
                assertThatThrownBy(form::call)
                        .isInstanceOf(
                                first instanceof CollectiveMismatchException
                                        ? CollectiveMismatchException.class
                                        : IllegalStateException.class)
                        .hasMessageContaining("too late, the team has been abandoned: PE " + last);
            });
        }
    }

    static void assertUnknown(World world, TeamId id) {
        assertThatThrownBy(() -> world.formTeam(id, 1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("formTeam on PE " + world.pe(), "id " + id.value() + " is not an id");
    }

    static void assertTooLate(Callable<Team> forming, String why) {
        assertThatThrownBy(forming::call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("too late, the team has been " + why);
    }

    static void assertFailed(Callable<?> call, int pe) {
        assertThatThrownBy(call::call)
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).containsExactly(pe))
                .hasMessageContaining("PE " + pe + " failed");
    }

    /// PE 0 makes an id; all PEs form the team. Returns the bytes that stay in use for its slot.
    static long prepare(World world, CompletableFuture<TeamId> id) {
        if (world.pe() == 0) {
            id.complete(world.newTeamId());
        }
        world.team().barrier();
        return areaOf(world).used();
    }

    static void awaitFailed(LocalJob job, int pe) {
        while (job.segment().status(pe).state() != PeState.FAILED) {
            Thread.onSpinWait();
        }
    }

    static SyncArea areaOf(World world) {
        LocalJob.teams(world).closedTeams().release();
        return LocalJob.teams(world).area();
    }

    static FormationSlots rendezvousOf(World world) {
        return LocalJob.teams(world).formationSlots();
    }

    static long slotBytes(int pes) {
        return 128L * FormationSlot.lines(pes);
    }
}

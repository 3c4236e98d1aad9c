// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CollectiveMismatchException;
import coterie.Comparison;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdTest;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// Teams that are formed by an id, by any PEs in any order.
class FormationConformanceTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    /// How long the PEs of a case wait for one that never comes.
    private static final Duration SHORT = Duration.ofMillis(20);

    @SpmdTest(pes = 6)
    @DisplayName("SH-T39 PEs 5, 1 and 3 are members 0, 1 and 2, in collectives as in translation")
    void anyOrder(World world) {
        int[] members = {5, 1, 3};
        try (SymmetricMemory box = world.allocate(Long.BYTES);
                SymmetricMemory memory = world.allocate(4 * Long.BYTES)) {
            Longs.set(memory, 0, world.pe());
            TeamId id = share(world, box, 2);
            for (int member = 0; member < 3; member++) {
                if (world.pe() == members[member]) {
                    Team team = world.formTeam(id, 3, member);
                    assertThat(team.translate(0, world.team())).isEqualTo(5);
                    assertThat(world.team().translate(3, team)).isEqualTo(2);
                    assertThat(world.team().translate(0, team)).isEqualTo(-1);
                    team.allGather(memory.longs(), 1, memory.longs(), 0, 1);
                    assertThat(Longs.of(memory)).endsWith(5, 1, 3);
                    team.broadcast(memory.longs(), 1, memory.longs(), 0, 1, 1);
                    assertThat(Longs.get(memory, 1)).isEqualTo(1);
                    team.close();
                }
            }
            world.team().barrier();
        }
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T41 an id that was never set, no config, a size or a number out of range: refused at once, alone")
    void argumentsAreChecked(World world) {
        TeamId id = world.newTeamId();
        assertRefused(() -> world.formTeam(new TeamId(0), 1, 0), "the id is 0");
        assertRefused(() -> world.formTeam(missing(), 1, 0), "the id is null");
        assertRefused(() -> world.formTeam(id, 1, 0, missing(), LONG), "the config is null");
        assertRefused(() -> world.formTeam(id, 1, 0, TeamConfig.DEFAULT, missing()), "the timeout is null");
        assertRefused(() -> world.formTeam(id, 1, 0, TeamConfig.DEFAULT, Duration.ZERO), "timeout PT0S");
        assertRefused(() -> world.formTeam(id, 0, 0), "size 0 is outside [1, 4]");
        assertRefused(() -> world.formTeam(id, 5, 0), "size 5 is outside [1, 4]");
        assertRefused(() -> world.formTeam(id, 2, 2), "member 2 is outside [0, 2)");
        assertRefused(() -> world.formTeam(id, 2, -1), "member -1 is outside [0, 2)");
        world.formTeam(id, 1, 0).close();
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T42 two PEs claim one number: every PE gets an error with the number and both PEs")
    void oneNumberTwice(World world) {
        formFails(world, 3, world.pe() == 2 ? 0 : world.pe(), LONG, CollectiveMismatchException.class, thrown -> {
            assertThat(thrown).isInstanceOf(CollectiveMismatchException.class);
            assertThat(thrown.getMessage())
                    .containsAnyOf(
                            "PE 0 passes number 0, which PE 2 has passed before",
                            "PE 2 passes number 0, which PE 0 has passed before");
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T42 sizes differ: every PE gets an error with the sizes and their PEs")
    void sizesDiffer(World world) {
        formFails(world, world.pe() == 1 ? 2 : 3, world.pe(), LONG, CollectiveMismatchException.class, thrown -> {
            assertThat(thrown).isInstanceOf(CollectiveMismatchException.class);
            assertThat(thrown.getMessage())
                    .containsAnyOf("PE 1 passes size 2, PE ", "passes size 3, PE 1 has passed size 2");
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T42 one PE never calls: the others get an error with the missing number and the PEs that called")
    void oneNeverCalls(World world) {
        formFails(world, 4, world.pe(), SHORT, IllegalStateException.class, thrown -> {
            assertThat(thrown).isInstanceOfAny(WaitTimeoutException.class, IllegalStateException.class);
            assertThat(thrown).hasMessageContaining("timed out on PE ");
            if (thrown instanceof WaitTimeoutException) {
                assertThat(thrown).hasMessageContaining("3] of 4 have not joined");
            }
        });
    }

    /// PEs 0 to 2 try to form a team, many times; the fourth PE never calls.
    ///
    /// @param late what a later call throws
    private static void formFails(
            World world,
            int size,
            int member,
            Duration timeout,
            Class<? extends RuntimeException> late,
            Verdict verdict) {
        try (SymmetricMemory box = world.allocate(Long.BYTES)) {
            for (int round = 0; round < 20; round++) {
                TeamId id = share(world, box, 3);
                if (world.pe() < 3) {
                    verdict.check(catchThrowable(() -> world.formTeam(id, size, member, TeamConfig.DEFAULT, timeout)));
                    assertThatThrownBy(() -> world.formTeam(id, size, member))
                            .isInstanceOf(late)
                            .hasMessageContaining("too late, the team has been abandoned");
                }
                world.team().barrier();
            }
            // Nothing is left in the way of the next one.
            TeamId id = share(world, box, 3);
            try (Team team = world.formTeam(id, 4, 3 - world.pe())) {
                assertThat(team.pes()).containsExactly(3, 2, 1, 0);
                assertThat(team.sum(1)).isEqualTo(4);
            }
        }
    }

    private interface Verdict {
        void check(Throwable thrown);
    }

    @SpmdTest(pes = 6)
    @DisplayName("SH-T43 two disjoint teams are formed at once, and neither waits for the other")
    void twoAtOnce(World world) {
        try (SymmetricMemory box = world.allocate(Long.BYTES);
                SymmetricMemory go = world.allocate(Long.BYTES)) {
            int parity = world.pe() % 2;
            TeamId even = share(world, box, 0);
            world.team().barrier();
            TeamId odd = share(world, box, 1);
            // The odd team is formed, used and destroyed while PE 0 keeps the even one waiting.
            if (world.pe() == 0) {
                go.longs().waitUntil(0, Comparison.EQ, 3);
            }
            try (Team team = world.formTeam(parity == 0 ? even : odd, 3, world.pe() / 2)) {
                assertThat(team.pes()).containsExactly(parity, parity + 2, parity + 4);
                assertThat(team.sum(world.pe())).isEqualTo(6 + 3 * parity);
            }
            if (parity == 1) {
                go.longs().add(0, 1, 0);
            }
            world.team().barrier();
        }
    }

    /// The root makes an id and puts it to all.
    private static TeamId share(World world, SymmetricMemory box, int root) {
        LongView cell = box.longs();
        if (world.pe() == root) {
            long value = world.newTeamId().value();
            for (int pe = 0; pe < world.size(); pe++) {
                cell.put(0, value, pe);
            }
        }
        world.team().barrier();
        return new TeamId(cell.get(0));
    }

    private static void assertRefused(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("formTeam on PE ")
                .hasMessageContaining(why);
    }

    /// What a program in another language, or one that is careless, may pass.
    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T missing() {
        return null;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.ElementView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import coterie.spi.ReductionKind;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// Collectives with arguments that can't be, or that members disagree on.
class CollectiveMisuseConformanceTest {

    @SpmdTest(pes = 4)
    @DisplayName("SH-C6 allGather with unequal counts: all members get an error with the counts; nothing is written")
    void unequalCountsAreNamed(World world) {
        int count = world.pe() == 2 ? 3 : 2;
        try (Team team = world.team().duplicate();
                SymmetricMemory memory = world.allocate(256)) {
            assertThatThrownBy(() -> team.allGather(memory.longs(), 0, memory.longs(), 20, count))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessage("allGather #1 on team \"" + team.name() + "\", PE " + world.pe()
                            + ": members disagree on the count: 2 on PEs [0, 1, 3], 3 on PEs [2]");
            assertThat(Longs.of(memory)).containsOnly(0);
        }
    }

    @SpmdTest(pes = {2, 3, 4, 5, 8, 12})
    @DisplayName("SH-C21 members disagree on an argument: every member gets an error with the PEs and values")
    void differentArgumentsAreNamed(World world) {
        boolean odd = world.pe() == 1;
        try (SymmetricMemory memory = world.allocate(1024)) {
            ElementView longs = memory.longs();
            assertDisagree(
                    world, "root: 0 on PEs [0", "1 on PEs [1]", t -> t.broadcast(longs, 0, longs, 0, 1, odd ? 1 : 0));
            assertDisagree(
                    world,
                    "reduction: SUM of LONG on PEs [0",
                    "MAX of LONG on PEs [1]",
                    t -> t.allReduce(odd ? Reduction.MAX : Reduction.SUM, longs, 0, longs, 0, 1));
            assertDisagree(
                    world,
                    "element type: LONG on PEs [0",
                    "DOUBLE on PEs [1]",
                    t -> t.allGather(odd ? memory.doubles() : longs, 0, odd ? memory.doubles() : longs, 64, 1));
            assertDisagree(
                    world, "target's offset: ", " on PEs [1]", t -> t.allToAll(longs, odd ? 1 : 0, longs, 64, 1));
            assertDisagree(
                    world, "source's offset: ", " on PEs [1]", t -> t.allGatherV(longs, 0, longs, odd ? 65 : 64, 1));
            assertDisagree(
                    world,
                    "source's stride: 1 on PEs [0",
                    "2 on PEs [1]",
                    t -> t.allToAllStrided(longs, 0, 1, longs, 64, odd ? 2 : 1, 1));
            assertDifferLater(
                    world,
                    odd,
                    "members disagree on the element type: ",
                    t -> t.allToAllStrided(longs, 0, 2, longs, 64, 2, odd ? 2 : 1, 1));
            assertThat(Longs.of(memory)).as("nothing was written").containsOnly(0);
        }
    }

    @FunctionalInterface
    private interface Use {
        void of(Team team);
    }

    /// In a team of its own, since a mismatch poisons.
    private static void assertDisagree(World world, String first, String second, Use use) {
        try (Team team = world.team().duplicate()) {
            assertThatThrownBy(() -> use.of(team))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContainingAll("members disagree on the " + first, second, "PE " + world.pe() + ":");
            assertThatThrownBy(() -> use.of(team))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("can't be used any more");
        }
    }

    @SpmdTest(pes = {2, 3, 4, 5, 8, 12})
    @DisplayName("SH-C21 one member broadcasts while others reduce: all members get an error with two calls and PEs")
    void differentCollectivesAreNamed(World world) {
        Collectives[] all = Collectives.values();
        boolean odd = world.pe() == 1;
        try (SymmetricMemory memory = world.allocate(1024)) {
            for (int i = 0; i < all.length; i++) {
                Collectives usual = all[i];
                Collectives other = all[(i + 4) % all.length];
                Team team = world.team().duplicate();
                ThrowingCallable mine =
                        () -> (odd ? other : usual).call(team, memory.longs(), 0, memory.longs(), 64, 1);
                assertThatThrownBy(mine)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageStartingWith((odd ? other : usual).words() + " #1 on team \"")
                        .hasMessageContaining(world.size() == 2 ? "PE 0 " : "PEs 0, 2")
                        .hasMessageContaining(" " + usual.words() + ", ")
                        .hasMessageContaining("PE 1 " + other.words());
                assertThatThrownBy(team::barrier)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("PE 1 " + other.words());
                team.close();
            }
            assertThat(Longs.of(memory)).containsOnly(0);
        }
    }

    @SpmdTest(pes = {2, 3, 4, 5, 8})
    @DisplayName(
            "SH-C21 members differ in a later broadcast: the odd member fails at once, all by their next collective")
    void laterBroadcastsAreNamed(World world) {
        boolean odd = world.pe() == 1;
        try (SymmetricMemory memory = world.allocate(1024)) {
            ElementView longs = memory.longs();
            assertDifferLater(
                    world,
                    odd,
                    "members disagree on the root: ",
                    t -> t.broadcast(longs, 0, longs, 64, 3, odd ? 1 : 0));
            assertDifferLater(
                    world,
                    odd,
                    "members disagree on the root: ",
                    t -> t.broadcast(longs, 0, longs, 64, 3, odd ? 0 : 1));
            assertDifferLater(
                    world,
                    odd,
                    "members disagree on the count: ",
                    t -> t.broadcast(longs, 0, longs, 64, odd ? 9 : 3, 0));
            assertDifferLater(world, odd, "members call different collectives: ", t -> {
                if (odd) {
                    t.allReduce(Reduction.SUM, longs, 0, longs, 64, 3);
                } else {
                    t.broadcast(longs, 0, longs, 64, 3, 0);
                }
            });
            assertDifferLater(world, odd, "members call different collectives: ", t -> {
                if (odd) {
                    t.broadcast(longs, 0, longs, 64, 3, 1);
                } else {
                    t.barrier();
                }
            });
        }
    }

    private static void assertDifferLater(World world, boolean odd, String what, Use use) {
        try (Team team = world.team().duplicate();
                SymmetricMemory memory = world.allocate(64)) {
            memory.longs().set(4, world.pe());
            for (int root = 0; root < world.size(); root++) {
                team.broadcast(memory.longs(), 0, memory.longs(), 4, 1, root);
                assertThat(memory.longs().get(0)).isEqualTo(root);
            }
            ThrowingCallable call = () -> use.of(team);
            if (odd) {
                assertThatThrownBy(call)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContainingAll("#", what, "PE 1");
            } else {
                Throwable thrown = Assertions.catchThrowable(call);
                assertThat(thrown == null || thrown instanceof CollectiveMismatchException)
                        .as("%s", thrown)
                        .isTrue();
            }
            assertThatThrownBy(() -> team.sum(1L))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContainingAll(what, "PE " + world.pe());
        }
    }

    @EveryTeamSize
    @DisplayName("SH-C20 a destroyed team refuses every collective at once, with bad arguments too")
    void destroyedTeamsRefuse(World world) {
        try (SymmetricMemory memory = world.allocate(1024)) {
            Team team = world.team().duplicate();
            team.close();
            for (Collectives collective : Collectives.values()) {
                for (long count : new long[] {1, -1}) {
                    assertThatThrownBy(() -> collective.call(team, memory.longs(), 0, memory.longs(), 64, count))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContainingAll(collective.words() + " on PE " + world.pe(), "closed");
                    assertThatThrownBy(
                                    () -> collective.call(Team.INVALID, memory.longs(), 0, memory.longs(), 64, count))
                            .isInstanceOf(IllegalStateException.class);
                }
            }
        }
    }

    @EveryTeamSize
    @DisplayName("SH-C20 arguments that can't be are refused before anybody meets, and named, by every collective")
    void badArgumentsAreRefused(World world) {
        Team team = world.team();
        SymmetricMemory freed = world.allocate(8);
        freed.close();
        try (SymmetricMemory memory = world.allocate(512)) {
            for (Collectives collective : Collectives.values()) {
                String prefix = collective.words() + " on team \"world\", PE " + world.pe() + ": ";
                ElementView longs = memory.longs();
                assertThatThrownBy(() -> collective.call(team, longs, 0, longs, 32, -1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(prefix + "count -1 is outside [0, ");
                assertThatThrownBy(() -> collective.call(team, longs, 0, longs, 32, Long.MAX_VALUE / 8 + 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith(prefix + "count " + (Long.MAX_VALUE / 8 + 1) + " is outside [0, ");
                assertThatThrownBy(() -> collective.call(team, longs, 0, memory.doubles(), 32, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(
                                prefix + "the target's elements are LONG, the source's DOUBLE; both must have the same "
                                        + "type");
                assertThatThrownBy(() -> collective.call(team, longs, 0, longs, 64, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContainingAll(prefix, "elements of the source from index 64 exceed the 64 of LONG");
                assertThatThrownBy(() -> collective.call(team, longs, -1, longs, 32, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContainingAll(prefix, "elements of the target from index -1 exceed the 64 of LONG");
                assertThatThrownBy(() -> collective.call(team, longs, 0, freed.longs(), 0, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContainingAll(prefix + "the source, ", "was freed");
            }
            for (int root : List.of(-1, world.size())) {
                assertThatThrownBy(() -> team.broadcast(memory.longs(), 0, memory.longs(), 0, 1, root))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageEndingWith("root " + root + " is outside [0, " + world.size() + ")");
            }
            assertThatThrownBy(() -> team.allToAllStrided(memory.longs(), 0, 0, memory.longs(), 0, 1, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("target's stride 0 is outside [1, ");
            assertThatThrownBy(() -> team.allToAllStrided(memory.longs(), 0, 2, memory.longs(), 0, 1, 2, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("source's stride 1 is outside [2, ")
                    .hasMessageContaining("for blocks of 2");
            assertThatThrownBy(() -> team.allToAllStrided(memory.longs(), 0, 1, memory.longs(), 0, 1, 0, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("block length 0 is outside [1, ");
            assertThatThrownBy(() -> team.allToAllStrided(memory.longs(), 0, 1, memory.longs(), 0, Long.MAX_VALUE, 3))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("of the source");
            assertThat(team.sum(1L)).as("all members returned").isEqualTo(world.size());
        }
    }

    @EveryTeamSize
    @DisplayName("target and source that overlap are refused; those that begin together only where in place is none")
    void overlapsAreRefused(World world) {
        Team team = world.team();
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(2048)) {
            for (Collectives collective : Collectives.values()) {
                for (long target : new long[] {31, 32, 33}) {
                    if (target != 32 || !collective.mayBeInPlace()) {
                        assertThatThrownBy(() -> collective.call(team, memory.longs(), target, memory.longs(), 32, 2))
                                .as("%s into %d", collective, target)
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContainingAll(collective.words(), "overlap", "disjoint");
                    }
                }
                collective.call(team, memory.longs(), 32 - 2L * n, memory.longs(), 32, 2);
            }
            assertThat(team.sum(1L)).isEqualTo(n);
        }
    }

    @EveryTeamSize
    @DisplayName("collect into a target that has no room for all, or that the source lies in: all are told, and go on")
    void collectIsRefusedOnAll(World world) {
        Team team = world.team();
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * 3 * n)) {
            assertThatThrownBy(() -> team.allGatherV(memory.longs(), n + 1, memory.longs(), 0, 2))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContainingAll(
                            "allGatherV on team \"world\", PE " + world.pe(),
                            2 * n + " elements of the target from index " + (n + 1) + " exceed the " + 3 * n + " of "
                                    + "LONG",
                            "indices in [0, " + n + "]");
            int mine = world.pe() == n - 1 ? 2 : 0;
            assertThatThrownBy(() -> team.allGatherV(memory.longs(), 1, memory.longs(), 0, mine))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("overlap", "must be disjoint");
            assertThat(Longs.of(memory)).containsOnly(0);
            team.allGatherV(memory.longs(), n, memory.longs(), 0, 2 - n % 2);
            assertThat(team.sum(1L)).isEqualTo(n);
        }
    }

    @EveryTeamSize
    @DisplayName("AND, OR and XOR of floating-point numbers are refused, with what is allowed")
    void floatingBitsAreRefused(World world) {
        Team team = world.team();
        try (SymmetricMemory memory = world.allocate(1024)) {
            for (ReductionKind reduction : List.of(ReductionKind.AND, ReductionKind.OR, ReductionKind.XOR)) {
                for (ElementView view : List.of(memory.floats(), memory.doubles())) {
                    for (Collectives collective : Collectives.values()) {
                        if (collective.isReduction()) {
                            assertThatThrownBy(() -> collective.call(team, reduction, view, 0, 1, view, 64, 1, 1, 0))
                                    .isInstanceOf(IllegalArgumentException.class)
                                    .hasMessage(collective.words() + " on team \"world\", PE " + world.pe() + ": "
                                            + reduction + " is not defined for floating-point numbers; allowed:"
                                            + " SUM, PRODUCT, MIN, MAX");
                        }
                    }
                }
            }
        }
    }
}

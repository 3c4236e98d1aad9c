// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.Context;
import coterie.ContextOption;
import coterie.IntegerView;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// One-sided operations that number PEs as a team does.
class TeamContextConformanceTest {

    @SpmdTest(pes = 12)
    @DisplayName("SH-T23 rings of two teams: on members of both, the values from the neighbours add up to 11")
    void ringsOfTwoTeams(World world) {
        try (SymmetricMemory memory = world.allocate(24);
                Team evens = world.team().splitStrided(0, 2, 6);
                Team thirds = world.team().splitStrided(0, 3, 4)) {
            LongView words = memory.longs();
            sendRound(evens, words, 0);
            sendRound(thirds, words, 1);
            world.team().barrier();
            if (evens.isValid() && thirds.isValid()) {
                words.add(2, words.get(0) + words.get(1), 0);
            }
            world.team().barrier();
            assertThat(words.get(2, 0)).isEqualTo(11);
        }
    }

    private static void sendRound(Team team, IntegerView words, int index) {
        if (team.isValid()) {
            try (Context context = team.createContext()) {
                words.through(context).put(index, team.member(), (team.member() + 1) % team.size());
            }
        }
    }

    @EveryTeamSize
    @DisplayName("SH-X1 every operation through a team's context reaches the member it names, and no other PE")
    void everyOperationReachesTheMember(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(128);
                Team reversed = world.team().splitStrided(n - 1, -1, n);
                Context context = reversed.createContext()) {
            assertThat(context.team()).isSameAs(reversed);
            LongView words = memory.longs().through(context);
            int right = (reversed.member() + 1) % n;
            int left = (reversed.member() + n - 1) % n;
            MemorySegment two = Longs.counting(100L * reversed.member(), 2);
            words.put(0, reversed.member(), right);
            words.put(1, two, 0, 2, right);
            words.putNbi(3, two, 0, 2, right);
            words.putStrided(5, 2, two, 0, 1, 1, 2, right);
            words.add(8, 5, right);
            context.quiet();
            assertThat(words.getAndAdd(8, 6, right)).isEqualTo(5);
            assertThat(words.compareAndExchange(9, 0, 7, right)).isZero();
            words.putSignal(10, two, 0, 1, memory.signal(12).setting(1), right);
            memory.signal(13).through(context).add(3, right);
            context.quiet(right);
            context.quiet();
            memory.signal(12).waitUntil(Comparison.EQ, 1);
            reversed.barrier();
            long theirs = 100L * left;
            assertThat(Longs.of(memory))
                    .startsWith(
                            left,
                            theirs,
                            theirs + 1,
                            theirs,
                            theirs + 1,
                            theirs,
                            0,
                            theirs + 1,
                            11,
                            7,
                            theirs,
                            0,
                            1,
                            3);
            assertThat(words.get(0, right)).isEqualTo(reversed.member());
            assertThat(words.get(0, reversed.member())).isEqualTo(left);
            reversed.barrier();
        }
    }

    @SpmdTest(pes = {3, 5})
    @DisplayName("SH-X7 a PE that the context's team does not have is refused, with the team's size")
    void refusesWhoIsNotInTheTeam(World world) {
        try (SymmetricMemory memory = world.allocate(64);
                Team pair = world.team().splitStrided(0, 2, 2)) {
            if (pair.isValid()) {
                Context context = pair.createContext();
                LongView words = memory.longs().through(context);
                MemorySegment one = Longs.counting(1, 1);
                for (int none : new int[] {-1, 2, world.size()}) {
                    List<ThrowingCallable> refused = List.of(
                            () -> words.put(0, 1, none),
                            () -> words.get(0, none),
                            () -> words.put(0, one, 0, 1, none),
                            () -> words.add(0, 1, none),
                            () -> memory.signal(0).through(context).set(1, none),
                            () -> context.quiet(none));
                    assertThat(refused)
                            .allSatisfy(call -> assertThatThrownBy(call)
                                    .isInstanceOf(IndexOutOfBoundsException.class)
                                    .hasMessageContaining("PE " + none + " is outside [0, 2)")
                                    .hasMessageContaining("team \"" + pair.name() + "\""));
                }
                context.close();
            }
        }
    }

    @SpmdTest(pes = 4)
    @DisplayName("a context of a team that is made before there is any memory serves what is allocated later")
    void contextsMayComeBeforeMemory(World world) {
        try (Team reversed = world.team().splitStrided(3, -1, 4);
                Context context = reversed.createContext(ContextOption.NOSTORE);
                SymmetricMemory memory = world.allocate(8)) {
            memory.longs().through(context).put(0, world.pe(), reversed.member());
            context.quiet();
            assertThat(memory.longs().get(0)).isEqualTo(world.pe());
        }
    }
}

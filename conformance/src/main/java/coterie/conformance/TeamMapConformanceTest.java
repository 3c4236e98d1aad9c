// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.IntegerView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// Which PEs a team has, in which order, and that collectives keep to it.
class TeamMapConformanceTest {

    /// Members of a team of `n`: full, reversed, strided up and down, one, and some that no triplet has.
    private static List<int[]> selections(int n) {
        return List.of(
                IntStream.range(0, n).toArray(),
                IntStream.range(0, n).map(i -> n - 1 - i).toArray(),
                IntStream.range(0, (n + 1) / 2).map(i -> 2 * i).toArray(),
                IntStream.range(0, (n + 2) / 3).map(i -> n - 1 - 3 * i).toArray(),
                new int[] {n / 2},
                some(n, 0, 1, 2, 4),
                some(n, 0, 1, 5, 6, 8, 11),
                some(n, 6, 0, 5, 1, 11, 2));
    }

    private static int[] some(int n, int... members) {
        return IntStream.of(members).filter(member -> member < n).toArray();
    }

    /// The team of these members of another, in this order.
    private static Team listed(Team of, int... members) {
        int me = index(of.member(), members);
        return of.splitByColor(me < 0 ? -1 : 0, Math.max(me, 0));
    }

    private static int index(int wanted, int... all) {
        return IntStream.range(0, all.length)
                .filter(i -> all[i] == wanted)
                .findFirst()
                .orElse(-1);
    }

    private static boolean isTriplet(int... members) {
        return IntStream.range(2, members.length).allMatch(i -> members[i] - members[i - 1] == members[1] - members[0]);
    }

    private static Team byTriplet(Team of, int... members) {
        return of.splitStrided(members[0], members.length == 1 ? 1 : members[1] - members[0], members.length);
    }

    @SpmdTest(pes = {1, 5, 12})
    @DisplayName("UC-12 a team has the PEs that it was made of, in their order, be they a triplet or a list")
    void maps(World world) {
        try (SymmetricMemory memory = world.allocate(8L * (2 * world.size() + 4))) {
            for (int[] pes : selections(world.size())) {
                Team list = listed(world.team(), pes);
                check(world, list, pes, memory.longs());
                if (isTriplet(pes)) {
                    Team triplet = byTriplet(world.team(), pes);
                    check(world, triplet, pes, memory.longs());
                    for (int member = 0; triplet.isValid() && member < pes.length; member++) {
                        assertThat(triplet.translate(member, list)).isEqualTo(member);
                    }
                    triplet.close();
                }
                list.close();
            }
        }
    }

    @SpmdTest(pes = 8)
    @DisplayName("UC-12 members of members are the PEs that they should be, whatever the maps of both")
    void mapsOfMaps(World world) {
        try (SymmetricMemory memory = world.allocate(8L * (2 * world.size() + 4))) {
            for (int[] pes : selections(world.size())) {
                Team first = listed(world.team(), pes);
                for (int[] members : first.isValid() ? selections(pes.length) : List.<int[]>of()) {
                    int[] expected =
                            IntStream.of(members).map(member -> pes[member]).toArray();
                    Team second = isTriplet(members) ? byTriplet(first, members) : listed(first, members);
                    check(world, second, expected, memory.longs());
                    second.close();
                }
                first.close();
            }
        }
    }

    /// That a team is of these PEs, by what it says and by what its collectives give.
    private static void check(World world, Team team, int[] pes, IntegerView longs) {
        int me = index(world.pe(), pes);
        assertThat(team.isValid()).as("PE %s in %s", world.pe(), pes).isEqualTo(me >= 0);
        if (me < 0) {
            return;
        }
        assertThat(team.pes()).containsExactly(pes);
        assertThat(team.member()).isEqualTo(me);
        assertThat(team.size()).isEqualTo(pes.length);
        for (int member = 0; member < pes.length; member++) {
            assertThat(team.pe(member)).isEqualTo(pes[member]);
            assertThat(team.translate(member, world.team())).isEqualTo(pes[member]);
        }
        for (int pe = 0; pe < world.size(); pe++) {
            assertThat(world.team().translate(pe, team))
                    .as("number of PE %s", pe)
                    .isEqualTo(index(pe, pes));
        }
        int behind = 2 + pes.length;
        longs.set(0, 10 + world.pe());
        longs.set(behind, -7);
        team.sync();
        team.allGather(longs, 2, longs, 0, 1);
        assertThat(IntStream.range(0, pes.length).mapToLong(i -> longs.get(2 + i) - 10))
                .containsExactlyElementsOf(
                        Arrays.stream(pes).asLongStream().boxed().toList());
        assertThat(longs.get(behind)).as("behind the last member's").isEqualTo(-7);
        team.exclusiveScan(Reduction.SUM, longs, 1, longs, 0, 1);
        assertThat(longs.get(1))
                .isEqualTo(IntStream.range(0, me).map(i -> 10 + pes[i]).sum());
        team.broadcast(longs, 1, longs, 0, 1, pes.length - 1);
        assertThat(longs.get(1)).isEqualTo(10 + pes[pes.length - 1]);
        team.sync();
    }
}

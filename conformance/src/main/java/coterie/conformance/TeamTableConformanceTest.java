// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.TeamTable.assertElements;
import static coterie.conformance.TeamTable.element;
import static coterie.conformance.TeamTable.filled;
import static coterie.conformance.TeamTable.half;
import static coterie.conformance.TeamTable.longs;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.spi.ReductionKind;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// The members of the teams of [TeamTable], and every collective over memory on each of them.
class TeamTableConformanceTest {
    private static final int TARGET_STRIDE = 2;

    @SpmdTest(
            pes = {1, 2, 3, 5, 7},
            timeoutSeconds = 300)
    @DisplayName("NV-1 NV-2 teams of uneven distances, of every second and third PE, of rows and columns, duplicates,"
            + " and teams in them have the right members in the right order, the shared team the PEs whose memory"
            + " can be loaded; every collective over memory gives what"
            + " its definition says, with the first and the last member as root, and changes no other element")
    void membersAndCalls(World world) {
        everyCall(world);
    }

    @SpmdTest(
            pes = {4, 6, 8, 9, 10, 11, 12, 13},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 900)
    @EnabledIfSystemProperty(named = "coterie.soak", matches = "true")
    @DisplayName("NV-1 NV-2 the same with more PEs")
    void moreSizes(World world) {
        everyCall(world);
    }

    private static void checkMembers(World world, TeamTable.Row row, SymmetricMemory memory, int number) {
        Team team = row.team();
        List<Integer> pes = row.pes();
        assertThat(IntStream.of(team.pes()).boxed()).as(row.name()).isEqualTo(pes);
        assertThat(pes.indexOf(world.pe())).as(row.name()).isEqualTo(team.member());
        for (int member = 0; member < pes.size(); member++) {
            assertThat(team.translate(member, world.team())).isEqualTo(pes.get(member));
            assertThat(world.team().translate(pes.get(member), team)).isEqualTo(member);
        }
        team.sync();
        int right = (team.member() + 1) % team.size();
        memory.longs().through(team.context()).put(0, element(number, right, 0), right);
        team.barrier();
        assertThat(memory.longs().get(0)).as(row.name()).isEqualTo(element(number, team.member(), 0));
    }

    /// That the shared team has exactly the PEs whose memory the caller can load and store.
    private static void checkShared(World world, SymmetricMemory memory) {
        for (int pe = 0; pe < world.size(); pe++) {
            int member = world.team().translate(pe, world.sharedTeam());
            assertThat(memory.segment(pe).isPresent()).as("PE %d", pe).isEqualTo(member >= 0);
        }
    }

    private static void everyCall(World world) {
        TeamTable.onEachTeam(world, (row, memory, number) -> {
            checkMembers(world, row, memory, number);
            checkShared(world, memory);
            int call = 0;
            for (int root : TeamTable.roots(row.team())) {
                for (Collectives collective : Collectives.values()) {
                    boolean isNew = root == 0 || collective == Collectives.BROADCAST;
                    if (isNew && TeamTable.has(number, call++)) {
                        check(row, memory, number, collective, root);
                    }
                }
                for (PlacedCollectives collective : PlacedCollectives.values()) {
                    boolean isNew = root == 0 || collective.hasRoot();
                    if (isNew && TeamTable.has(number, call++)) {
                        check(row, memory, number, collective, root);
                    }
                }
            }
        });
    }

    private static void check(TeamTable.Row row, SymmetricMemory memory, int number, Collectives collective, int root) {
        Team team = row.team();
        int half = half(team.size());
        List<Integer> counts = collective == Collectives.ALL_GATHER_V
                ? IntStream.range(0, team.size())
                        .mapToObj(member -> PlacedCollectives.length(member, 0))
                        .toList()
                : Collections.nCopies(team.size(), TeamTable.COUNT);
        CollectiveModel model = new CollectiveModel(
                collective,
                ReductionKind.SUM,
                ElementType.LONG,
                half,
                1,
                counts,
                root,
                TARGET_STRIDE,
                TeamTable.MAX_STRIDE);
        byte[][] before = filled(team, memory, number);
        team.barrier();
        model.call(team, memory);
        assertElements(row, memory, collective.words(), root, longs(model.after(before, team.member())));
    }

    private static void check(
            TeamTable.Row row, SymmetricMemory memory, int number, PlacedCollectives collective, int root) {
        Team team = row.team();
        int half = half(team.size());
        long[] expected = longs(filled(team, memory, number)[team.member()]);
        collective.apply(
                expected, (member, index) -> element(number, member, index), team.size(), team.member(), half, root);
        team.barrier();
        collective.call(team, memory.longs(), half, root);
        assertElements(row, memory, collective.name(), root, expected);
    }
}

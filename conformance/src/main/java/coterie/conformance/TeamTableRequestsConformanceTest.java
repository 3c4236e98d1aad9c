// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.TeamTable.assertElements;
import static coterie.conformance.TeamTable.element;
import static coterie.conformance.TeamTable.filled;
import static coterie.conformance.TeamTable.longs;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Every request on each team of [TeamTable], and requests of all of them at once.
class TeamTableRequestsConformanceTest {

    @SpmdTest(
            pes = {1, 2, 3, 5, 7},
            timeoutSeconds = 300)
    @DisplayName("NV-4 on teams of uneven distances, of every second and third PE, of rows and columns, duplicates, and"
            + " teams in them every request gives what its definition says, with the first and the last member as"
            + " root, and changes no other element")
    void requests(World world) {
        everyRequest(world);
    }

    @SpmdTest(
            pes = {4, 6, 8, 9, 10, 11, 12, 13},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 900)
    @EnabledIfSystemProperty(named = "coterie.soak", matches = "true")
    @DisplayName("NV-4 the same with more PEs")
    void moreSizes(World world) {
        everyRequest(world);
    }

    /// The first member is the root of requests that are posted, the last one of those that run at once. Those without
    /// a root are posted on every second team, and run on the others.
    private static void everyRequest(World world) {
        TeamTable.onEachTeam(world, (row, memory, number) -> {
            int call = 0;
            for (CollectiveType type : CollectiveType.values()) {
                if (TeamTable.has(number, call++)) {
                    boolean hasRoot = hasRoot(type);
                    if (hasRoot || number % 2 == 0) {
                        posted(row, memory, number, request(row.team(), type, 0));
                    }
                    if (hasRoot || number % 2 == 1) {
                        run(
                                row,
                                memory,
                                number,
                                request(row.team(), type, row.team().size() - 1));
                    }
                }
            }
        });
    }

    private static void posted(TeamTable.Row row, SymmetricMemory memory, int number, RequestModel model) {
        Team team = row.team();
        int runs = Rounds.of(1, 3);
        Collective asked = model.asked(memory, team.member());
        try (Request request = team.prepare(runs > 1 ? asked.persistent() : asked)) {
            for (int run = 0; run < runs; run++) {
                byte[][] before = filled(team, memory, number);
                request.post();
                request.await();
                assertElements(row, memory, model.toString(), model.root(), longs(model.after(before, team.member())));
            }
        }
    }

    private static void run(TeamTable.Row row, SymmetricMemory memory, int number, RequestModel model) {
        Team team = row.team();
        byte[][] before = filled(team, memory, number);
        team.run(model.asked(memory, team.member()));
        assertElements(row, memory, model.toString(), model.root(), longs(model.after(before, team.member())));
    }

    /// A request whose result has the order in which members are combined, where its reduction may have none that
    /// commutes.
    private static RequestModel request(Team team, CollectiveType type, int root) {
        boolean isListed = type.label().endsWith("v");
        List<int[]> lengths = IntStream.range(0, team.size())
                .mapToObj(from -> IntStream.range(0, team.size())
                        .map(to -> isListed ? 2 * PlacedCollectives.length(from, to) : TeamTable.COUNT)
                        .toArray())
                .toList();
        return new RequestModel(
                type,
                type == CollectiveType.EXCLUSIVE_SCAN ? Reduction.SUM : RequestModel.AFFINE,
                ElementType.LONG,
                root,
                false,
                lengths,
                TeamTable.half(team.size()),
                root);
    }

    private static boolean hasRoot(CollectiveType type) {
        return switch (type) {
            case BROADCAST, REDUCE, GATHER, GATHER_V, SCATTER, SCATTER_V, FAN_IN, FAN_OUT -> true;
            default -> false;
        };
    }

    @SpmdTest(
            pes = {1, 2, 3, 5, 7},
            timeoutSeconds = 300)
    @DisplayName("NV-5 requests of all of these teams in flight at once, awaited in the other order: each has its own"
            + " elements")
    void allInFlight(World world) {
        try (TeamTable table = TeamTable.of(world);
                SymmetricMemory memory =
                        world.allocate(2L * Long.BYTES * table.rows().size())) {
            List<Sum> sums = new ArrayList<>();
            for (int number = 0; number < table.rows().size(); number++) {
                if (table.rows().get(number).team().isValid()) {
                    sums.add(new Sum(table.rows().get(number), memory.longs(), number));
                }
            }
            int rounds = Rounds.of(4, 1_000);
            for (int round = 0; round < rounds; round++) {
                for (Sum sum : sums) {
                    sum.post(round);
                }
                for (Sum sum : sums.reversed()) {
                    sum.check(round);
                }
            }
            sums.forEach(Sum::close);
            world.team().barrier();
        }
    }

    /// A sum over a team's members, of one element of each.
    private static final class Sum implements AutoCloseable {
        private final TeamTable.Row row;
        private final LongView longs;
        private final int number;
        private final Request request;

        Sum(TeamTable.Row row, LongView longs, int number) {
            this.row = row;
            this.longs = longs;
            this.number = number;
            request = row.team()
                    .prepare(Collective.allReduce(Reduction.SUM)
                            .source(longs, 2L * number, 1)
                            .target(longs, 2L * number + 1, 1)
                            .persistent());
        }

        void post(int round) {
            longs.set(2L * number, element(number, row.team().member(), round));
            request.post();
        }

        void check(int round) {
            request.await();
            long expected = IntStream.range(0, row.team().size())
                    .mapToLong(member -> element(number, member, round))
                    .sum();
            assertThat(longs.get(2L * number + 1)).as(row.name()).isEqualTo(expected);
        }

        @Override
        public void close() {
            request.close();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.RequestCalls.postAndAwait;
import static coterie.conformance.RequestCalls.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Context;
import coterie.ContextOption;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamRevokedException;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Requests that a program prepares, posts and polls without ever waiting, the first ones of their teams included.
class PolledRequestsConformanceTest {

    @SpmdTest(
            pes = {1, 2, 3, 4, 5},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "the first requests of overlapping teams, in another order on each PE, complete by polls: no prepare waits")
    void firstRequestsInAnyOrder(World world) {
        int me = world.pe();
        int n = world.size();
        List<Team> teams = new ArrayList<>();
        teams.add(world.team().duplicate());
        teams.add(world.team().splitStrided(0, 1, Math.max(1, n - 1)));
        teams.add(world.team().splitByColor(me % 2, -me));
        try (SymmetricMemory memory = world.allocate(8L * 2 * 3)) {
            LongView longs = memory.longs();
            List<Request> posted = new ArrayList<>();
            for (int each = 0; each < teams.size(); each++) {
                int turn = (each + me) % teams.size(); // calls that wait would wait in a circle
                Team team = teams.get(turn);
                if (team.isValid()) {
                    longs.set(2L * turn, 1L << me);
                    posted.add(team.prepare(sum(longs.slice(2L * turn, 2))));
                    posted.getLast().post();
                }
            }
            poll(world, posted);
            for (int turn = 0; turn < teams.size(); turn++) {
                long expected = 0;
                for (int pe : teams.get(turn).isValid() ? teams.get(turn).pes() : new int[0]) {
                    expected |= 1L << pe;
                }
                assertThat(longs.get(2L * turn + 1)).as("team %s", turn).isEqualTo(expected);
            }
            posted.forEach(Request::close);
        }
        teams.stream().filter(Team::isValid).forEach(Team::close);
    }

    /// Polls, by turns with the calls that programs have for it, until all are complete.
    private static void poll(World world, List<Request> requests) {
        boolean byTest = world.pe() % 2 == 0;
        long left = requests.size();
        while (left > 0) {
            if (!byTest) {
                world.progress();
            }
            left = requests.stream()
                    .filter(each -> byTest ? !each.test() : !each.isComplete())
                    .count();
        }
    }

    @SpmdTest(
            pes = {1, 2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM},
            timeoutSeconds = 60)
    @DisplayName("a collective of each type is the first request of a team, and all of them complete by polls")
    void everyType(World world) {
        CollectiveType[] types = CollectiveType.values();
        int n = world.size();
        List<Team> teams = new ArrayList<>();
        try (SymmetricMemory memory = world.allocate(8L * types.length * 2 * n)) {
            LongView longs = memory.longs();
            List<Request> posted = new ArrayList<>();
            while (teams.size() < types.length) {
                teams.add(world.team().duplicate());
            }
            for (int each = 0; each < types.length; each++) {
                int turn = world.pe() % 2 == 0 ? each : types.length - 1 - each;
                IntegerView mine = longs.slice(2L * n * turn, 2L * n);
                mine.set(0, world.pe() + 1);
                posted.add(teams.get(turn).prepare(collective(types[turn], mine, n)));
                posted.getLast().post();
            }
            poll(world, posted);
            List<CollectiveType> places = List.of(types);
            assertThat(longs.get(2L * n * places.indexOf(CollectiveType.ALL_REDUCE) + n))
                    .isEqualTo(n * (n + 1L) / 2);
            assertThat(longs.get(2L * n * places.indexOf(CollectiveType.ALL_GATHER) + 2L * n - 1))
                    .isEqualTo(n);
            posted.forEach(Request::close);
        }
        teams.forEach(Team::close);
    }

    /// A collective of a type whose source are the first elements of a view, and whose target the others.
    private static Collective collective(CollectiveType type, IntegerView mine, int n) {
        long[] ones = new long[n];
        long[] places = new long[n];
        long[] after = new long[n];
        for (int member = 0; member < n; member++) {
            ones[member] = 1;
            places[member] = member;
            after[member] = (long) n + member;
        }
        return switch (type) {
            case BARRIER -> Collective.barrier();
            case FAN_IN -> Collective.fanIn(0);
            case FAN_OUT -> Collective.fanOut(0);
            case BROADCAST -> Collective.broadcast(0).source(mine, 0, 1).target(mine, n, 1);
            case ALL_REDUCE ->
                Collective.allReduce(Reduction.SUM).source(mine, 0, 1).target(mine, n, 1);
            case REDUCE ->
                Collective.reduce(Reduction.SUM, 0).source(mine, 0, 1).target(mine, n, 1);
            case ALL_GATHER -> Collective.allGather().source(mine, 0, 1).target(mine, n, n);
            case ALL_GATHER_V -> Collective.allGatherV().source(mine, 0, 1).target(mine, ones, after);
            case ALL_TO_ALL -> Collective.allToAll().source(mine, 0, n).target(mine, n, n);
            case ALL_TO_ALL_V ->
                Collective.allToAllV().source(mine, ones, places).target(mine, ones, after);
            case REDUCE_SCATTER ->
                Collective.reduceScatter(Reduction.SUM).source(mine, 0, n).target(mine, n, 1);
            case REDUCE_SCATTER_V ->
                Collective.reduceScatterV(Reduction.SUM)
                        .source(mine, ones, places)
                        .target(mine, n, 1);
            case GATHER -> Collective.gather(0).source(mine, 0, 1).target(mine, n, n);
            case GATHER_V -> Collective.gatherV(0).source(mine, 0, 1).target(mine, ones, after);
            case SCATTER -> Collective.scatter(0).source(mine, 0, n).target(mine, n, 1);
            case SCATTER_V -> Collective.scatterV(0).source(mine, ones, places).target(mine, n, 1);
            case INCLUSIVE_SCAN ->
                Collective.inclusiveScan(Reduction.SUM).source(mine, 0, 1).target(mine, n, 1);
            case EXCLUSIVE_SCAN ->
                Collective.exclusiveScan(Reduction.SUM).source(mine, 0, 1).target(mine, n, 1);
        };
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a member that closes the team without ever having prepared a request ends the requests of the others")
    void closesWithoutRequests(World world) {
        Team team = world.team().duplicate();
        if (world.pe() == 0) {
            team.close();
            return;
        }
        Request barrier = team.prepare(Collective.barrier());
        barrier.post();
        assertThatThrownBy(barrier::await)
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("for PE 0, which is closing the team without having posted it");
        team.close();
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("after a close of the team that a member has refused, first requests complete on all members")
    void refusedClose(World world) {
        Team team = world.team().duplicate();
        for (int round = 0; round < 2; round++) {
            if (world.pe() == 1) {
                try (Context _ = team.createContext(ContextOption.PRIVATE)) {
                    assertThatThrownBy(team::close).isInstanceOf(IllegalStateException.class);
                }
            }
        }
        postAndAwait(team, Collective.barrier());
        team.close();
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "a member that revokes the team without ever having prepared a request ends the requests of the others")
    void revokesWithoutRequests(World world) {
        Team team = world.team().duplicate();
        team.syncLiving(); // so that all have the team
        if (world.pe() == 0) {
            team.revoke();
            assertThatThrownBy(() -> team.prepare(Collective.barrier())).isInstanceOf(TeamRevokedException.class);
        } else {
            assertThatThrownBy(() -> postAndAwait(team, Collective.barrier())).isInstanceOf(TeamRevokedException.class);
        }
        world.team().barrier();
        team.close();
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName(
            "requests of one world after another on the same lines: no word of an earlier world is taken for a new one")
    void worldsInTurn() {
        for (int round = 0; round < 4; round++) {
            try (World world = World.join()) {
                if (round % 2 == 1) {
                    postAndAwait(world.team(), Collective.barrier());
                }
                world.team().barrier();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.outside;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.BarrierSet;
import coterie.Comparison;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.junit.SpmdTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

class OperationStreamTest {

    @SpmdTest(pes = {1, 2, 3, 4})
    @DisplayName("one thread polls streams of several teams, whose first requests begin in another order on each PE")
    void streamsOfSeveralTeams(World world) {
        List<Team> teams = List.of(
                world.team().duplicate(),
                world.team().splitStrided(world.size() - 1, -1, world.size()),
                world.team().splitByColour(world.pe() % 2, 0));
        List<OperationStream> streams = new ArrayList<>();
        List<IntegerView> results = new ArrayList<>();
        BarrierSet barriers = world.team().createBarriers(teams.size());
        for (Team team : teams) {
            IntegerView longs = team.allocate(4L * Long.BYTES).longs();
            longs.set(0, team.member() + 1);
            streams.add(new OperationStream(world));
            results.add(longs);
        }
        for (int i = 0; i < teams.size(); i++) {
            int which = (world.pe() + i) % teams.size();
            IntegerView longs = results.get(which);
            streams.get(which)
                    .collective(
                            teams.get(which),
                            Collective.allReduce(Reduction.SUM)
                                    .source(longs, 0, 1)
                                    .target(longs, 1, 1));
            streams.get(which).barrier(barriers, which);
            streams.get(which).collective(teams.get(which), Collective.barrier());
            world.progress();
        }
        for (int i = 0; i < teams.size(); i++) {
            streams.get((world.pe() + 2 * i) % teams.size()).synchronise();
        }
        for (int i = 0; i < teams.size(); i++) {
            streams.get(i).synchronise();
            int size = teams.get(i).size();
            assertThat(results.get(i).get(1)).isEqualTo((long) size * (size + 1) / 2);
            streams.get(i).close();
        }
        barriers.close();
        teams.forEach(Team::close);
    }

    @SpmdTest(pes = {2, 3, 4})
    @DisplayName("a wait of the host advances a stream: a token goes round although no thread drives the streams")
    void hostWaitsAdvanceStreams(World world) {
        Team team = world.team();
        IntegerView box = world.allocate(2L * Long.BYTES).longs();
        int right = (world.pe() + 1) % world.size();
        OperationStream stream = new OperationStream(world);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment token = arena.allocate(ValueLayout.JAVA_LONG);
            token.set(ValueLayout.JAVA_LONG, 0, 7);
            if (world.pe() > 0) {
                stream.waitValue(box, 0, Comparison.EQ, 7);
            }
            stream.put(box, 0, token, 1, right);
            team.barrier(); // its wait, and those below, poll the stream
            box.waitUntil(0, Comparison.EQ, 7);
            stream.synchronise();
            team.barrier();
        }
        stream.close();
        box.memory().close();
    }
}

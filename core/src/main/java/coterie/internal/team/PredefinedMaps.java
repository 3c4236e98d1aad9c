// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.internal.memory.PredefinedTeam;
import coterie.internal.sync.TeamMap;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import coterie.spi.PeJob;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// The members of the teams that a world has from the start.
///
/// ```
///  nodes a:3,b:2       a   a   a   b   b
///  PE                  0   1   2   3   4
///  node               {0   1   2} {3   4}
///  same-index         {0           3}         the first of each node
///                         {1           4}     the second
///                             {2}             a node may have more than others
/// ```
final class PredefinedMaps {
    private final PeJob job;
    private final Conduit conduit;
    private final int me;

    PredefinedMaps(PeJob job, Conduit conduit, int me) {
        this.job = job;
        this.conduit = conduit;
        this.me = me;
    }

    TeamMap of(PredefinedTeam team) {
        return switch (team) {
            case WORLD -> TeamMap.full(job.size());
            case SHARED -> filtered(pe -> pe == me || conduit.directBase(Region.SYNC, pe) != 0);
            case NODE -> filtered(pe -> job.node(pe) == job.node(me));
            case SAME_INDEX -> sameIndex();
        };
    }

    private TeamMap filtered(IntPredicate belongs) {
        return TeamMap.listed(IntStream.range(0, job.size()).filter(belongs).toArray());
    }

    private TeamMap sameIndex() {
        Map<Integer, Integer> seen = new TreeMap<>();
        int[] index = new int[job.size()];
        for (int pe = 0; pe < index.length; pe++) {
            index[pe] = seen.merge(job.node(pe), 1, Integer::sum) - 1;
        }
        return TeamMap.listed(IntStream.range(0, index.length)
                .filter(pe -> index[pe] == index[me])
                .boxed()
                .sorted((left, right) -> Integer.compare(job.node(left), job.node(right)))
                .mapToInt(Integer::intValue)
                .toArray());
    }
}

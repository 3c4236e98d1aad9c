// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.IntegerView;
import coterie.Reduction;
import coterie.Team;
import coterie.collective.CollectiveType;
import coterie.internal.world.LocalJob;
import java.util.Map;

/// Jobs that have a [HallLayer] on their path.
final class HallJobs {
    /// Runs a job that ends well, so that layers release all they hold.
    static void run(int pes, LocalJob.Body body) {
        HallLayer.OPEN.set(0);
        try (LocalJob job = new LocalJob(pes)) {
            job.run(body);
        }
        assertThat(HallLayer.OPEN).hasValue(0);
    }

    static Map<Integer, Throwable> failures(int pes, LocalJob.Body body) {
        try (LocalJob job = new LocalJob(pes)) {
            return job.failures(body);
        }
    }

    static void assertSum(Team team, IntegerView longs) {
        longs.set(0, team.member() + 1);
        team.allReduce(Reduction.SUM, longs, 1, longs, 0, 1);
        assertThat(longs.get(1)).isEqualTo(team.size() * (team.size() + 1) / 2);
    }

    static String first(Team team, CollectiveType type) {
        return team.explain(type, 8).candidates().getFirst().toString();
    }

    private HallJobs() {}
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.IntegerView;
import coterie.Reduction;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.internal.world.LocalJob;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// What tests of layers that plug in have in common: jobs that have a hall on their path.
abstract class HallCase {
    static final int PES = 3;

    @TempDir
    Path folder;

    Plugged plugged;

    @BeforeEach
    void plugIn() {
        plugged = Plugged.in(folder, List.of(HallLayer.class));
    }

    @AfterEach
    void asBefore() {
        plugged.close();
    }

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

    /// Sums element 0 of all members up in element 1.
    static Collective sum(IntegerView longs) {
        return Collective.allReduce(Reduction.SUM).source(longs, 0, 1).target(longs, 1, 1);
    }

    static String first(Team team, CollectiveType type) {
        return team.explain(type, 8).candidates().getFirst().toString();
    }
}

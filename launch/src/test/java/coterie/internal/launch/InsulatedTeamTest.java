// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.PeFailedException;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.internal.memory.JobSegment;
import coterie.internal.world.JobEnvironment;
import coterie.spi.PeState;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class InsulatedTeamTest {
    private static final int PES = 6;

    @Test
    @DisplayName("a team without a dead member does barriers and sums while another team loses two members")
    void goesOn() {
        run(2);
    }

    @Tag("soak")
    @Test
    @DisplayName("a team without a dead member does barriers and sums while another team loses one member")
    void goesOnBesideOneDeath() {
        run(1);
    }

    /// @param dying 1 for PE 5 alone, 2 for PEs 5 and 3
    private static void run(int dying) {
        try (Launch launch = Launch.run("pes=" + PES + " onFailure=CONTINUE", Halves.class, "" + dying)) {
            assertThat(launch.exitCode()).as("%s", launch.err()).isZero();
            assertThat(launch.out()).filteredOn("undisturbed"::equals).hasSize(PES / 2);
            String left = dying == 1 ? "left [1, 3]" : "left [1]";
            assertThat(launch.out()).filteredOn(left::equals).hasSize(PES / 2 - dying);
        }
    }

    /// Two teams, of the even and of the odd PEs. Argument: how many of the odd PEs die.
    static final class Halves {
        private static final int ROUNDS_AFTER = 100;
        private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

        public static void main(String[] args) {
            int dying = Integer.parseInt(args[0]);
            World world = World.join();
            Team half = world.team().splitByColor(world.pe() % 2, 0);
            int[] dead = IntStream.range(0, dying).map(i -> PES - 1 - 2 * i).toArray();
            if (IntStream.of(dead).anyMatch(pe -> pe == world.pe())) {
                SelfKill.after(world.pe(), (PES - world.pe()) * PAUSE_NANOS);
            }
            String seen;
            if (world.pe() % 2 == 0) {
                meet(half, dead);
                seen = "undisturbed";
            } else {
                seen = "left " + Arrays.toString(left(half, dead.length).pes());
            }
            if (world.team().syncLiving().length != dying) { // the undisturbed have learnt of no failure before
                throw new AssertionError("other PEs have failed");
            }
            System.out.println(seen);
        }

        /// Barriers and sums until the odd PEs are dead, and some more.
        private static void meet(Team team, int[] dead) {
            JobSegment job = JobSegment.attach(Path.of(System.getenv(JobEnvironment.COTERIE_SEGMENT.name())));
            int after = 0;
            while (after < ROUNDS_AFTER) {
                team.barrier();
                boolean areDead =
                        IntStream.of(dead).allMatch(pe -> job.status(pe).state() == PeState.FAILED);
                after += (int) team.allReduce(Reduction.MIN, areDead ? 1L : 0L);
                if (team.sum(1L) != team.size()) {
                    throw new AssertionError("wrong sum");
                }
            }
        }

        private static Team left(Team team, int dying) {
            Team left = team;
            while (left.size() > PES / 2 - dying) {
                try {
                    left.barrier();
                } catch (PeFailedException e) {
                    left = left.survivors();
                }
            }
            return left;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.PeFailedException;
import coterie.Team;
import coterie.TeamRevokedException;
import coterie.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("signal 9 kills PEs at random moments until one is left, while barriers go on")
class LastSurvivorTest {
    private static final int PES = 8;

    static LongStream many() {
        return LongStream.rangeClosed(1, 52);
    }

    @ParameterizedTest
    @ValueSource(longs = 51)
    void theLastPeEndsWell(long seed) {
        run(seed);
    }

    @Tag("soak")
    @ParameterizedTest
    @MethodSource("many")
    void theLastPeEndsWellFiftyTimes(long seed) {
        run(seed);
    }

    private static void run(long seed) {
        List<Integer> order = Shrinks.order(seed);
        List<Integer> dead = order.subList(0, PES - 1).stream().sorted().toList();
        String options = "pes=" + PES + " onFailure=CONTINUE timeoutMillis=40000";
        try (Launch launch = Launch.run(options, Shrinks.class, "" + seed)) {
            assertThat(launch.exitCode()).as("seed %s: %s", seed, launch.err()).isZero();
            assertThat(launch.out())
                    .filteredOn(line -> line.startsWith("last "))
                    .as("seed %s: %s", seed, launch.err())
                    .containsExactly("last " + order.getLast() + " " + dead);
            assertThat(launch.reports())
                    .hasSize(PES - 1)
                    .allMatch(report -> report.contains("exit code 137 (signal 9, KILL)"));
        }
    }

    /// Barriers and sums on a team of the survivors, until it has one member. Argument: the seed of the deaths.
    static final class Shrinks {
        private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(12);

        public static void main(String[] args) {
            long seed = Long.parseLong(args[0]);
            World world = World.join();
            Team team = world.team();
            team.barrier();
            int place = order(seed).indexOf(world.pe());
            if (place < PES - 1) {
                SelfKill.after(
                        world.pe(),
                        new Random(seed)
                                .longs(place + 1, 0, LONGEST_PAUSE_NANOS)
                                .sum());
            }
            while (team.size() > 1) {
                try {
                    team.barrier();
                    if (team.sum(world.pe()) != IntStream.of(team.pes()).sum()) {
                        throw new AssertionError("wrong sum");
                    }
                } catch (PeFailedException | TeamRevokedException e) {
                    team = recovered(world, team);
                }
            }
            System.out.println("last " + world.pe() + " " + Arrays.toString(world.failedPes()));
        }

        private static Team recovered(World world, Team team) {
            team.revoke();
            int[] gone = team.syncLiving();
            Team survivors = team.survivors();
            if (IntStream.of(gone).anyMatch(pe -> IntStream.of(survivors.pes()).anyMatch(member -> member == pe))) {
                throw new AssertionError(Arrays.toString(gone) + " are out, and in " + survivors);
            }
            if (!team.equals(world.team())) {
                team.close();
            }
            return survivors;
        }

        /// The PEs in the order of their deaths; the last lives.
        static List<Integer> order(long seed) {
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, PES).boxed().toList());
            Collections.shuffle(order, new Random(seed));
            return order;
        }
    }
}

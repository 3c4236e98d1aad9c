// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.PeFailedException;
import coterie.Team;
import coterie.TeamRevokedException;
import coterie.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OverlappingTeamsTest {
    private static final int PES = 6;

    /// PEs 0 to 3, and 2 to 5.
    private static final int[][] TEAMS = {{0, 1, 2, 3}, {2, 3, 4, 5}};

    @ParameterizedTest
    @CsvSource({"1, 3", "3, 0 5", "4, 2 3"})
    @DisplayName("teams with common members recover at once, if members revoke all and recover them in one order")
    void recover(long seed, String dying) {
        run(seed, dying);
    }

    @Tag("soak")
    @ParameterizedTest
    @CsvSource({"2, 0", "5, 3 4", "6, 1 2"})
    @DisplayName("they do so whichever members die")
    void recoverFromOtherDeaths(long seed, String dying) {
        run(seed, dying);
    }

    private static void run(long seed, String dying) {
        String[] arguments = (seed + " " + dying).split(" ", -1);
        String options = "pes=" + PES + " onFailure=CONTINUE timeoutMillis=40000";
        try (Launch launch = Launch.run(options, Sums.class, arguments)) {
            assertThat(launch.exitCode()).as("%s", launch.err()).isZero();
            List<String> expected = new ArrayList<>();
            for (int[] team : TEAMS) {
                int[] living = living(team, dying(arguments));
                expected.addAll(IntStream.of(living)
                        .mapToObj(pe -> pe + ": " + Arrays.toString(living))
                        .toList());
            }
            assertThat(launch.out())
                    .filteredOn(line -> !line.startsWith("killed"))
                    .containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static int[] dying(String... arguments) {
        return Arrays.stream(arguments).skip(1).mapToInt(Integer::parseInt).toArray();
    }

    private static int[] living(int[] team, int... dying) {
        return IntStream.of(team)
                .filter(pe -> IntStream.of(dying).noneMatch(dead -> dead == pe))
                .toArray();
    }

    /// Arguments: a seed, and the PEs that die.
    static final class Sums {
        private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(30);

        private final World world = World.join();
        private final List<Side> sides = new ArrayList<>();

        /// A team and its members that live on.
        private static final class Side {
            private final int[] living;
            private Team team;

            Side(Team team, int... living) {
                this.team = team;
                this.living = living;
            }

            /// The same for all members of the team.
            boolean isOver() {
                return Arrays.equals(team.pes(), living);
            }
        }

        public static void main(String[] args) {
            new Sums().run(Long.parseLong(args[0]), dying(args));
        }

        private void run(long seed, int... dying) {
            for (int[] pes : TEAMS) {
                Team team = world.team().splitStrided(pes[0], 1, pes.length);
                if (team.isValid()) {
                    sides.add(new Side(team, living(pes, dying)));
                }
            }
            if (IntStream.of(dying).anyMatch(pe -> pe == world.pe())) {
                SelfKill.after(world.pe(), new Random(seed + world.pe()).nextLong(MOST_NANOS));
            }
            List<Side> open = new ArrayList<>(sides);
            while (!open.isEmpty()) {
                try {
                    for (Side side : open) {
                        if (side.team.sum(1L) != side.team.size()) {
                            throw new AssertionError("wrong sum");
                        }
                    }
                } catch (PeFailedException | TeamRevokedException e) {
                    open.forEach(side -> side.team.revoke());
                    open.forEach(side -> side.team = side.team.survivors());
                    open.removeIf(Side::isOver);
                }
            }
            if (world.team().syncLiving().length != dying.length) { // some have learnt of no failure before
                throw new AssertionError("other PEs have failed");
            }
            for (Side side : sides) {
                System.out.println(world.pe() + ": " + Arrays.toString(side.team.pes()));
            }
        }
    }
}

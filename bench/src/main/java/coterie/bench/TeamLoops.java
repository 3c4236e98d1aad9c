// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.Team;

/// Timed loops of what a team does without memory.
final class TeamLoops {
    private TeamLoops() {}

    /// All PEs synchronize, and complete nothing.
    record Sync(BenchFixture bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            for (long i = 0; i < iterations; i++) {
                team.sync();
            }
        }
    }

    /// All PEs add up a number.
    static final class Sum implements Loop {
        private final BenchFixture bench;
        private double sum;

        Sum(BenchFixture bench) {
            this.bench = bench;
        }

        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            double last = 0;
            for (long i = 0; i < iterations; i++) {
                last = team.sum(bench.pe + 0.5);
            }
            sum = last;
        }

        @Override
        public void check(String operation, long bytes) {
            double expected = bench.size * bench.size / 2.0;
            if (sum != expected) {
                throw new IllegalStateException(
                        operation + " on PE " + bench.pe + ": the sum is " + sum + ", it should be " + expected);
            }
        }
    }

    /// All PEs make a team of their row and one of their column, and destroy both.
    record Split(BenchFixture bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            for (long i = 0; i < iterations; i++) {
                Team.Axes axes = bench.team.split2D(2);
                axes.y().close();
                axes.x().close();
            }
        }
    }
}

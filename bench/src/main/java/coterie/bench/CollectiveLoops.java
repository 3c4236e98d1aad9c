// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.ElementView;
import coterie.Reduction;
import coterie.Team;

/// Timed loops of collectives.
final class CollectiveLoops {
    private CollectiveLoops() {}

    /// All PEs synchronize.
    record Barrier(BenchFixture bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            for (long i = 0; i < iterations; i++) {
                team.barrier();
            }
        }
    }

    /// All PEs add up their sources, and all get the sum.
    record Reduce(BenchFixture bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            ElementView source = bench.source.doubles();
            ElementView target = bench.target.doubles();
            long count = bytes / Double.BYTES;
            for (long i = 0; i < iterations; i++) {
                team.allReduce(Reduction.SUM, target, 0, source, 0, count);
            }
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkTarget(operation, bytes, bench.size * (bench.size + 1) / 2.0);
        }
    }

    /// All PEs add up their sources, and each gets the sum of those up to its own.
    record InclusiveScan(BenchFixture bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            ElementView source = bench.source.doubles();
            ElementView target = bench.target.doubles();
            long count = bytes / Double.BYTES;
            for (long i = 0; i < iterations; i++) {
                team.inclusiveScan(Reduction.SUM, target, 0, source, 0, count);
            }
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkTarget(operation, bytes, (bench.pe + 1) * (bench.pe + 2) / 2.0);
        }
    }

    /// All PEs add up their sources, and each gets the sum of those before its own.
    record ExclusiveScan(BenchFixture bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            ElementView source = bench.source.doubles();
            ElementView target = bench.target.doubles();
            long count = bytes / Double.BYTES;
            for (long i = 0; i < iterations; i++) {
                team.exclusiveScan(Reduction.SUM, target, 0, source, 0, count);
            }
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkTarget(operation, bytes, bench.pe * (bench.pe + 1) / 2.0);
        }
    }

    /// One PE's bytes go to all. The root rotates, so that no call can begin before the one before it has ended:
    /// the time is that of a completion, not the rate at which a root can start broadcasts.
    static final class Broadcast implements Loop {
        private final BenchFixture bench;
        private int root;

        Broadcast(BenchFixture bench) {
            this.bench = bench;
        }

        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            ElementView source = bench.source.bytes();
            ElementView target = bench.target.bytes();
            int last = root;
            for (long i = 0; i < iterations; i++) {
                last = last + 1 == bench.size ? 0 : last + 1;
                team.broadcast(target, 0, source, 0, bytes, last);
            }
            root = last;
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkTarget(operation, bytes, BenchFixture.valueOf(root));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.ElementView;
import coterie.Reduction;
import coterie.Team;

/// Timed loops of collectives with a part for each PE, of which the size is that of one part.
final class BlockLoops {
    private BlockLoops() {}

    /// All PEs receive the blocks of all.
    record FixedCollect(BenchFixture bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            ElementView source = bench.source.doubles();
            ElementView target = bench.target.doubles();
            long count = bytes / Double.BYTES;
            for (long i = 0; i < iterations; i++) {
                team.allGather(target, 0, source, 0, count);
            }
        }

        @Override
        public void check(String operation, long bytes) {
            checkParts(bench, operation, bytes);
        }
    }

    /// All PEs receive the blocks of all, where each PE might send another number of elements.
    record Collect(BenchFixture bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            ElementView source = bench.source.doubles();
            ElementView target = bench.target.doubles();
            long count = bytes / Double.BYTES;
            for (long i = 0; i < iterations; i++) {
                team.allGatherV(target, 0, source, 0, count);
            }
        }

        @Override
        public void check(String operation, long bytes) {
            checkParts(bench, operation, bytes);
        }
    }

    /// Each PE has a part for each.
    record Exchange(BenchFixture bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            ElementView source = bench.source.doubles();
            ElementView target = bench.target.doubles();
            long count = bytes / Double.BYTES;
            for (long i = 0; i < iterations; i++) {
                team.allToAll(target, 0, source, 0, count);
            }
        }

        @Override
        public void check(String operation, long bytes) {
            checkParts(bench, operation, bytes);
        }
    }

    /// All parts are added up, and each PE gets the sum of its own.
    record ReduceScatter(BenchFixture bench) implements Loop {
        @Override
        public void run(long iterations, long bytes) {
            Team team = bench.team;
            ElementView source = bench.source.doubles();
            ElementView target = bench.target.doubles();
            long count = bytes / Double.BYTES;
            for (long i = 0; i < iterations; i++) {
                team.reduceScatter(Reduction.SUM, target, 0, source, 0, count);
            }
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkTarget(operation, bytes, bench.size * (bench.size + 1) / 2.0);
        }
    }

    /// Checks that my target has a part of each PE's source, in their order, and that what follows is untouched.
    private static void checkParts(BenchFixture bench, String operation, long bytes) {
        long count = bytes / Double.BYTES;
        for (long i = 0; i < count * bench.size; i++) {
            bench.checkElement(operation, bytes, i, BenchFixture.valueOf((int) (i / count)));
        }
        bench.checkElement(operation, bytes, count * bench.size, 0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.ElementView;
import coterie.Reduction;
import coterie.collective.Collective;
import coterie.collective.Request;
import org.jspecify.annotations.Nullable;

/// Timed loops of persistent requests, posted and waited for at once. They live as long as their size is asked
/// for.
final class RequestLoops {
    private RequestLoops() {}

    /// A request of one size at a time.
    abstract static class Posting implements Loop {
        final BenchFixture bench;
        private @Nullable Request request;
        private long bytes;

        Posting(BenchFixture bench) {
            this.bench = bench;
        }

        /// What is asked for; all PEs ask for the same.
        abstract Collective asked(long size);

        final Request request(long size) {
            Request prepared = request;
            if (prepared == null || bytes != size) {
                if (prepared != null) {
                    prepared.close();
                }
                prepared = bench.team.prepare(asked(size).persistent());
                request = prepared;
                bytes = size;
            }
            return prepared;
        }
    }

    /// All PEs synchronize.
    static final class Barrier extends Posting {
        Barrier(BenchFixture bench) {
            super(bench);
        }

        @Override
        Collective asked(long size) {
            return Collective.barrier();
        }

        @Override
        public void run(long iterations, long bytes) {
            Request request = request(bytes);
            for (long i = 0; i < iterations; i++) {
                request.post();
                request.await();
            }
        }
    }

    /// All PEs add up their sources, and all get the sum.
    static final class Reduce extends Posting {
        Reduce(BenchFixture bench) {
            super(bench);
        }

        @Override
        Collective asked(long size) {
            ElementView source = bench.source.doubles();
            ElementView target = bench.target.doubles();
            long count = size / Double.BYTES;
            return Collective.allReduce(Reduction.SUM).source(source, 0, count).target(target, 0, count);
        }

        @Override
        public void run(long iterations, long bytes) {
            Request request = request(bytes);
            for (long i = 0; i < iterations; i++) {
                request.post();
                request.await();
            }
        }

        @Override
        public void check(String operation, long bytes) {
            bench.checkTarget(operation, bytes, bench.size * (bench.size + 1) / 2.0);
        }
    }
}

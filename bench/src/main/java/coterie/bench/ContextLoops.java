// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.Context;
import coterie.ContextOption;
import coterie.IntegerView;
import coterie.Team;

/// Timed loops of what contexts do: order, completion, their own making. Most leave nothing to look at.
final class ContextLoops {
    private ContextLoops() {}

    /// Orders.
    static final class Fence extends OriginLoop {
        Fence(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            Context context = bench.context;
            for (long i = 0; i < iterations; i++) {
                context.fence();
            }
        }
    }

    /// Completes in the default context, where plain stores may be under way: the context does not count these.
    static final class Quiet extends OriginLoop {
        Quiet(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            Context context = bench.context;
            for (long i = 0; i < iterations; i++) {
                context.quiet();
            }
        }
    }

    /// Completes a word that was put.
    static final class QuietDirty extends OriginLoop {
        QuietDirty(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            Context context = bench.context;
            IntegerView words = bench.longs;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                words.put(BenchFixture.WORD, i, peer);
                context.quiet();
            }
        }

        @Override
        public void check(String operation, long bytes) {
            if (bench.isTarget()) {
                bench.checkWord(operation, bench.longs, iterations() - 1);
            }
        }
    }

    /// Completes in a context that knows that there is nothing to complete.
    static final class QuietClean extends OriginLoop {
        QuietClean(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            try (Context context = bench.team.createContext(ContextOption.PRIVATE, ContextOption.NOSTORE)) {
                for (long i = 0; i < iterations; i++) {
                    context.quiet();
                }
            }
        }
    }

    /// Completes what concerns the peer.
    static final class PeQuiet extends OriginLoop {
        PeQuiet(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            Context context = bench.context;
            int[] pes = {bench.peer};
            for (long i = 0; i < iterations; i++) {
                context.quiet(pes);
            }
        }
    }

    /// Makes a context and ends it.
    static final class Lifetime extends OriginLoop {
        Lifetime(BenchFixture bench) {
            super(bench);
        }

        @Override
        void repeat(long iterations, long bytes) {
            Team team = bench.team;
            for (long i = 0; i < iterations; i++) {
                team.createContext().close();
            }
        }
    }
}

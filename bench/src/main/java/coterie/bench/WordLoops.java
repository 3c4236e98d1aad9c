// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.Integers;

/// Timed loops of operations on single words: stores, loads, atomics.
final class WordLoops {
    private WordLoops() {}

    /// PE 0 stores one word.
    static final class StoreWord implements Loop {
        private final Workbench bench;
        private long last;

        StoreWord(Workbench bench) {
            this.bench = bench;
        }

        @Override
        public void run(long iterations, long bytes) {
            last = iterations - 1;
            if (bench.pe != 0) {
                return;
            }
            Integers words = bench.longs;
            int peer = bench.peer;
            for (long i = 0; i < iterations; i++) {
                words.put(Workbench.WORD, i, peer);
            }
        }

        @Override
        public void check(long bytes) {
            if (bench.isTarget()) {
                bench.checkWord(Operation.P.label(), Workbench.WORD, last);
            }
        }
    }

    /// PE 0 loads one word.
    static final class LoadWord implements Loop {
        private final Workbench bench;

        /// Keeps what was loaded alive.
        private long sum;

        private long iterations;

        LoadWord(Workbench bench) {
            this.bench = bench;
        }

        @Override
        public void run(long iterations, long bytes) {
            this.iterations = iterations;
            if (bench.pe != 0) {
                return;
            }
            Integers words = bench.longs;
            int peer = bench.peer;
            long loaded = 0;
            for (long i = 0; i < iterations; i++) {
                loaded += words.get(Workbench.WORD, peer);
            }
            sum = loaded;
        }

        @Override
        public void check(long bytes) {
            if (bench.pe == 0) {
                long expected = iterations * bench.longs.get(Workbench.WORD, bench.peer);
                if (sum != expected) {
                    throw new IllegalStateException(
                            "g on PE 0: " + iterations + " loads add up to " + sum + ", not " + expected);
                }
            }
        }
    }

    /// PE 0 adds to a word of its peer and takes what was there before.
    static final class FetchAdd implements Loop {
        private final Workbench bench;

        /// Keeps what was fetched alive.
        private long sum;

        FetchAdd(Workbench bench) {
            this.bench = bench;
        }

        @Override
        public void run(long iterations, long bytes) {
            if (bench.pe != 0) {
                return;
            }
            Integers words = bench.longs;
            int peer = bench.peer;
            long fetched = 0;
            words.put(Workbench.WORD, 0, peer);
            for (long i = 0; i < iterations; i++) {
                fetched += words.fetchAdd(Workbench.WORD, 1, peer);
            }
            sum = fetched - iterations * (iterations - 1) / 2;
        }

        @Override
        public void check(long bytes) {
            if (sum != 0) {
                throw new IllegalStateException("fadd on PE 0: what was fetched adds up to " + sum + " too much");
            }
        }
    }

    /// All PEs add to one word of PE 0 at once.
    static final class ContendedFetchAdd implements Loop {
        private static final long CHECKED = 1000;

        private final Workbench bench;

        /// Keeps what was fetched alive.
        private long last;

        ContendedFetchAdd(Workbench bench) {
            this.bench = bench;
        }

        @Override
        public void run(long iterations, long bytes) {
            Integers words = bench.longs;
            long fetched = 0;
            for (long i = 0; i < iterations; i++) {
                fetched = words.fetchAdd(Workbench.WORD, 1, 0);
            }
            last = fetched;
        }

        @Override
        public void check(long bytes) {
            if (bench.pe == 0) {
                bench.longs.put(Workbench.WORD, 0, 0);
            }
            bench.team.barrier();
            run(CHECKED, bytes);
            bench.team.barrier();
            if (bench.pe == 0) {
                bench.checkWord(Operation.FADD_CONTENDED.label(), Workbench.WORD, CHECKED * bench.size);
            }
            if (last < CHECKED - 1) {
                throw new IllegalStateException("fadd_contended on PE " + bench.pe + " of " + bench.size
                        + ": the last fetch gave " + last + ", less than the " + (CHECKED - 1) + " before it");
            }
        }
    }

    /// PE 0 adds to a word of its peer, and nobody asks what was there.
    static final class Increment implements Loop {
        private final Workbench bench;
        private long iterations;

        Increment(Workbench bench) {
            this.bench = bench;
        }

        @Override
        public void run(long iterations, long bytes) {
            this.iterations = iterations;
            if (bench.pe != 0) {
                return;
            }
            Integers words = bench.longs;
            int peer = bench.peer;
            words.put(Workbench.WORD, 0, peer);
            for (long i = 0; i < iterations; i++) {
                words.fetchAdd(Workbench.WORD, 1, peer);
            }
            bench.context.quiet();
        }

        @Override
        public void check(long bytes) {
            if (bench.isTarget()) {
                bench.checkWord(Operation.INC.label(), Workbench.WORD, iterations);
            }
        }
    }
}

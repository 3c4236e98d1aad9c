// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.IntegerView;
import coterie.SymmetricLock;

/// Timed loops in which all PEs want the same at once.
final class ContendedLoops {
    private ContendedLoops() {}

    /// Adds to one word of PE 0, and gets what was there.
    static final class FetchAdd extends ContendedLoop {
        /// Keeps what was fetched alive.
        private long last;

        FetchAdd(BenchFixture bench) {
            super(bench);
        }

        @Override
        public void run(long iterations, long bytes) {
            IntegerView words = bench.longs;
            long fetched = 0;
            for (long i = 0; i < iterations; i++) {
                fetched = words.getAndAdd(BenchFixture.WORD, 1, 0);
            }
            last = fetched;
        }

        @Override
        void count(long times) {
            run(times, Long.BYTES);
            if (last < times - 1) {
                throw new IllegalStateException("getAndAdd on PE " + bench.pe + " of " + bench.size + ": the last gave "
                        + last + ", less than the " + (times - 1) + " before it");
            }
        }
    }

    /// Adds to one word of PE 0 by compare-and-swap, again until it succeeds.
    static final class CompareAndSwap extends ContendedLoop {
        CompareAndSwap(BenchFixture bench) {
            super(bench);
        }

        @Override
        public void run(long iterations, long bytes) {
            count(iterations);
        }

        @Override
        void count(long times) {
            IntegerView words = bench.longs;
            long expected = words.get(BenchFixture.WORD, 0);
            for (long i = 0; i < times; i++) {
                long found = words.compareAndExchange(BenchFixture.WORD, expected, expected + 1, 0);
                while (found != expected) {
                    expected = found;
                    found = words.compareAndExchange(BenchFixture.WORD, expected, expected + 1, 0);
                }
                expected++;
            }
        }
    }

    /// Acquires a lock and releases it.
    static final class Lock extends ContendedLoop {
        private final SymmetricLock lock;

        Lock(BenchFixture bench) {
            super(bench);
            this.lock = bench.lock(0);
        }

        @Override
        public void run(long iterations, long bytes) {
            SymmetricLock lock = this.lock;
            for (long i = 0; i < iterations; i++) {
                lock.lock();
                lock.unlock();
            }
        }

        /// Adds in two steps, which only the lock makes atomic.
        @Override
        void count(long times) {
            IntegerView words = bench.longs;
            for (long i = 0; i < times; i++) {
                lock.lock();
                words.put(BenchFixture.WORD, words.get(BenchFixture.WORD, 0) + 1, 0);
                lock.unlock();
            }
        }
    }
}

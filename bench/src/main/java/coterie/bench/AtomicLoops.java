// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.IntegerView;
import coterie.SignalWord;

/// Timed loops of atomics that add, load, store and swap.
final class AtomicLoops {
    private AtomicLoops() {}

    /// Adds, and gets what was there, in words of any width.
    static final class FetchAdd extends AtomicLoop {
        FetchAdd(BenchFixture bench, IntegerView words) {
            super(bench, words, Gives.OLD_WORD);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.getAndAdd(BenchFixture.WORD, 1, peer);
            }
            return sum;
        }

        @Override
        long next(long word, long number) {
            return word + 1;
        }
    }

    /// Adds without fetching the old value.
    static final class Add extends AtomicLoop {
        Add(BenchFixture bench) {
            super(bench, bench.longs, Gives.NOTHING);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            for (long i = 0; i < iterations; i++) {
                words.add(BenchFixture.WORD, 1, peer);
            }
            return 0;
        }

        @Override
        long next(long word, long number) {
            return word + 1;
        }
    }

    /// Loads.
    static final class Fetch extends AtomicLoop {
        Fetch(BenchFixture bench) {
            super(bench, bench.longs, Gives.OLD_WORD);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.getAcquire(BenchFixture.WORD, peer);
            }
            return sum;
        }

        @Override
        long next(long word, long number) {
            return word;
        }
    }

    /// Stores.
    static final class Set extends AtomicLoop {
        Set(BenchFixture bench) {
            super(bench, bench.longs, Gives.NOTHING);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            for (long i = 0; i < iterations; i++) {
                words.setRelease(BenchFixture.WORD, i, peer);
            }
            return 0;
        }

        @Override
        long next(long word, long number) {
            return number;
        }
    }

    /// Stores, and gets what was there.
    static final class Swap extends AtomicLoop {
        Swap(BenchFixture bench) {
            super(bench, bench.longs, Gives.OLD_WORD);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.getAndSet(BenchFixture.WORD, i, peer);
            }
            return sum;
        }

        @Override
        long next(long word, long number) {
            return number;
        }
    }

    /// Stores where the old word is as expected, which it always is.
    static final class CompareAndSwap extends AtomicLoop {
        CompareAndSwap(BenchFixture bench) {
            super(bench, bench.longs, Gives.OLD_WORD);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.compareAndExchange(BenchFixture.WORD, INITIAL + i, INITIAL + i + 1, peer);
            }
            return sum;
        }

        @Override
        long next(long word, long number) {
            return word + 1;
        }
    }

    /// Adds to a signal.
    static final class SignalAdd extends AtomicLoop {
        SignalAdd(BenchFixture bench) {
            super(bench, bench.longs, Gives.NOTHING);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            SignalWord signal = bench.words.signal(BenchFixture.WORD / Long.BYTES);
            for (long i = 0; i < iterations; i++) {
                signal.add(1, peer);
            }
            return 0;
        }

        @Override
        long next(long word, long number) {
            return word + 1;
        }
    }

    /// Sets a signal.
    static final class SignalSet extends AtomicLoop {
        SignalSet(BenchFixture bench) {
            super(bench, bench.longs, Gives.NOTHING);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            SignalWord signal = bench.words.signal(BenchFixture.WORD / Long.BYTES);
            for (long i = 0; i < iterations; i++) {
                signal.set(i, peer);
            }
            return 0;
        }

        @Override
        long next(long word, long number) {
            return number;
        }
    }
}

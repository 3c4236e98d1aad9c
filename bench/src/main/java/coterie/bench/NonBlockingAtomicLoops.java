// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.AtomicOperation;
import coterie.IntegerView;
import java.lang.foreign.MemorySegment;

/// Timed loops of atomics whose fetched words come later.
final class NonBlockingAtomicLoops {
    private NonBlockingAtomicLoops() {}

    /// Adds.
    static final class FetchAdd extends NonBlockingAtomicLoop {
        FetchAdd(BenchFixture bench) {
            super(bench);
        }

        @Override
        void window(IntegerView words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.ADD, BenchFixture.WORD, 1, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word + 1;
        }
    }

    /// Loads.
    static final class Fetch extends NonBlockingAtomicLoop {
        Fetch(BenchFixture bench) {
            super(bench);
        }

        @Override
        void window(IntegerView words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.FETCH, BenchFixture.WORD, 0, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word;
        }
    }

    /// Stores.
    static final class Swap extends NonBlockingAtomicLoop {
        Swap(BenchFixture bench) {
            super(bench);
        }

        @Override
        void window(IntegerView words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.SWAP, BenchFixture.WORD, first + i, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return number;
        }
    }

    /// Stores where the old word is as expected, which it always is.
    static final class CompareAndSwap extends NonBlockingAtomicLoop {
        CompareAndSwap(BenchFixture bench) {
            super(bench);
        }

        @Override
        void window(IntegerView words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                long expected = AtomicLoop.INITIAL + first + i;
                words.compareAndExchangeNbi(BenchFixture.WORD, expected, expected + 1, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word + 1;
        }
    }

    /// Clears bits.
    static final class FetchAnd extends NonBlockingAtomicLoop {
        FetchAnd(BenchFixture bench) {
            super(bench);
        }

        @Override
        void window(IntegerView words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.AND, BenchFixture.WORD, ~(1L << i), results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word & ~(1L << number % WINDOW);
        }
    }

    /// Sets bits.
    static final class FetchOr extends NonBlockingAtomicLoop {
        FetchOr(BenchFixture bench) {
            super(bench);
        }

        @Override
        void window(IntegerView words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.OR, BenchFixture.WORD, 1L << i, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word | 1L << number % WINDOW;
        }
    }

    /// Inverts bits.
    static final class FetchXor extends NonBlockingAtomicLoop {
        FetchXor(BenchFixture bench) {
            super(bench);
        }

        @Override
        void window(IntegerView words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.XOR, BenchFixture.WORD, 1L << i, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word ^ 1L << number % WINDOW;
        }
    }
}

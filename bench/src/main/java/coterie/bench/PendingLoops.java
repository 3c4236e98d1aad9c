// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.AtomicOperation;
import coterie.Integers;
import java.lang.foreign.MemorySegment;

/// Timed loops of atomics whose fetched words come later.
final class PendingLoops {
    private PendingLoops() {}

    /// Adds.
    static final class FetchAdd extends PendingLoop {
        FetchAdd(Workbench bench) {
            super(bench);
        }

        @Override
        void window(Integers words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.ADD, Workbench.WORD, 1, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word + 1;
        }
    }

    /// Loads.
    static final class Fetch extends PendingLoop {
        Fetch(Workbench bench) {
            super(bench);
        }

        @Override
        void window(Integers words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.FETCH, Workbench.WORD, 0, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word;
        }
    }

    /// Stores.
    static final class Swap extends PendingLoop {
        Swap(Workbench bench) {
            super(bench);
        }

        @Override
        void window(Integers words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.SWAP, Workbench.WORD, first + i, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return number;
        }
    }

    /// Stores where the old word is as expected, which it always is.
    static final class CompareAndSwap extends PendingLoop {
        CompareAndSwap(Workbench bench) {
            super(bench);
        }

        @Override
        void window(Integers words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                long expected = AtomicLoop.INITIAL + first + i;
                words.compareAndSwapNbi(Workbench.WORD, expected, expected + 1, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word + 1;
        }
    }

    /// Clears bits.
    static final class FetchAnd extends PendingLoop {
        FetchAnd(Workbench bench) {
            super(bench);
        }

        @Override
        void window(Integers words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.AND, Workbench.WORD, ~(1L << i), results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word & ~(1L << number % WINDOW);
        }
    }

    /// Sets bits.
    static final class FetchOr extends PendingLoop {
        FetchOr(Workbench bench) {
            super(bench);
        }

        @Override
        void window(Integers words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.OR, Workbench.WORD, 1L << i, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word | 1L << number % WINDOW;
        }
    }

    /// Inverts bits.
    static final class FetchXor extends PendingLoop {
        FetchXor(Workbench bench) {
            super(bench);
        }

        @Override
        void window(Integers words, MemorySegment results, int peer, long first) {
            for (int i = 0; i < WINDOW; i++) {
                words.fetchNbi(AtomicOperation.XOR, Workbench.WORD, 1L << i, results, i, peer);
            }
        }

        @Override
        long next(long word, long number) {
            return word ^ 1L << number % WINDOW;
        }
    }
}

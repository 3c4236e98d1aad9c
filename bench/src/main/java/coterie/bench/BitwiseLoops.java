// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.IntegerView;

/// Timed loops of bitwise atomics. Their masks name one bit after the other, over and over.
final class BitwiseLoops {
    private BitwiseLoops() {}

    /// Clears bits.
    static final class And extends AtomicLoop {
        And(BenchFixture bench) {
            super(bench, bench.longs, Gives.NOTHING);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            for (long i = 0; i < iterations; i++) {
                words.and(BenchFixture.WORD, ~(1L << i), peer);
            }
            return 0;
        }

        @Override
        long next(long word, long number) {
            return word & ~(1L << number);
        }
    }

    /// Sets bits.
    static final class Or extends AtomicLoop {
        Or(BenchFixture bench) {
            super(bench, bench.longs, Gives.NOTHING);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            for (long i = 0; i < iterations; i++) {
                words.or(BenchFixture.WORD, 1L << i, peer);
            }
            return 0;
        }

        @Override
        long next(long word, long number) {
            return word | 1L << number;
        }
    }

    /// Inverts bits.
    static final class Xor extends AtomicLoop {
        Xor(BenchFixture bench) {
            super(bench, bench.longs, Gives.NOTHING);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            for (long i = 0; i < iterations; i++) {
                words.xor(BenchFixture.WORD, 1L << i, peer);
            }
            return 0;
        }

        @Override
        long next(long word, long number) {
            return word ^ 1L << number;
        }
    }

    /// Clears bits, and gets what was there.
    static final class FetchAnd extends AtomicLoop {
        FetchAnd(BenchFixture bench) {
            super(bench, bench.longs, Gives.OLD_WORD);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.getAndBitwiseAnd(BenchFixture.WORD, ~(1L << i), peer);
            }
            return sum;
        }

        @Override
        long next(long word, long number) {
            return word & ~(1L << number);
        }
    }

    /// Sets bits, and gets what was there.
    static final class FetchOr extends AtomicLoop {
        FetchOr(BenchFixture bench) {
            super(bench, bench.longs, Gives.OLD_WORD);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.getAndBitwiseOr(BenchFixture.WORD, 1L << i, peer);
            }
            return sum;
        }

        @Override
        long next(long word, long number) {
            return word | 1L << number;
        }
    }

    /// Inverts bits, and gets what was there.
    static final class FetchXor extends AtomicLoop {
        FetchXor(BenchFixture bench) {
            super(bench, bench.longs, Gives.OLD_WORD);
        }

        @Override
        long repeat(IntegerView words, int peer, long iterations) {
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.getAndBitwiseXor(BenchFixture.WORD, 1L << i, peer);
            }
            return sum;
        }

        @Override
        long next(long word, long number) {
            return word ^ 1L << number;
        }
    }
}

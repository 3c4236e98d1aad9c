// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.DoubleView;
import coterie.FloatView;

/// Timed loops of floating-point atomics. All their numbers are ones: a sum of these is the same wherever it is
/// made, past the point too from which a `float` does not grow any more.
final class FloatingLoops {
    private FloatingLoops() {}

    /// Adds to a `double`.
    static final class AddDouble extends OriginLoop {
        private final DoubleView words;

        AddDouble(BenchFixture bench) {
            super(bench);
            this.words = bench.words.doubles();
        }

        @Override
        void repeat(long iterations, long bytes) {
            DoubleView words = this.words;
            int peer = bench.peer;
            words.put(BenchFixture.WORD, 0, peer);
            for (long i = 0; i < iterations; i++) {
                words.add(BenchFixture.WORD, 1, peer);
            }
        }

        @Override
        public void check(String operation, long bytes) {
            double expected = sumOfDoubles(iterations());
            if (bench.isTarget() && words.get(BenchFixture.WORD) != expected) {
                throw wrong(operation, words.get(BenchFixture.WORD), expected);
            }
        }
    }

    /// Adds to a `float`.
    static final class AddFloat extends OriginLoop {
        private final FloatView words;

        AddFloat(BenchFixture bench) {
            super(bench);
            this.words = bench.words.floats();
        }

        @Override
        void repeat(long iterations, long bytes) {
            FloatView words = this.words;
            int peer = bench.peer;
            words.put(BenchFixture.WORD, 0, peer);
            for (long i = 0; i < iterations; i++) {
                words.add(BenchFixture.WORD, 1, peer);
            }
        }

        @Override
        public void check(String operation, long bytes) {
            float expected = sumOfFloats(iterations());
            if (bench.isTarget() && words.get(BenchFixture.WORD) != expected) {
                throw wrong(operation, words.get(BenchFixture.WORD), expected);
            }
        }
    }

    /// Stores a `double`, and gets what was there.
    static final class SwapDouble extends OriginLoop {
        private final DoubleView words;
        private double sum;

        SwapDouble(BenchFixture bench) {
            super(bench);
            this.words = bench.words.doubles();
        }

        @Override
        void repeat(long iterations, long bytes) {
            DoubleView words = this.words;
            int peer = bench.peer;
            double got = 0;
            words.put(BenchFixture.WORD, 1, peer);
            for (long i = 0; i < iterations; i++) {
                got += words.getAndSet(BenchFixture.WORD, 1, peer);
            }
            sum = got;
        }

        @Override
        public void check(String operation, long bytes) {
            double expected = sumOfDoubles(iterations());
            if (bench.pe == 0 && sum != expected) {
                throw wrong(operation, sum, expected);
            }
            if (bench.isTarget() && words.get(BenchFixture.WORD) != 1) {
                throw wrong(operation, words.get(BenchFixture.WORD), 1);
            }
        }
    }

    /// Stores a `float`, and gets what was there.
    static final class SwapFloat extends OriginLoop {
        private final FloatView words;
        private float sum;

        SwapFloat(BenchFixture bench) {
            super(bench);
            this.words = bench.words.floats();
        }

        @Override
        void repeat(long iterations, long bytes) {
            FloatView words = this.words;
            int peer = bench.peer;
            float got = 0;
            words.put(BenchFixture.WORD, 1, peer);
            for (long i = 0; i < iterations; i++) {
                got += words.getAndSet(BenchFixture.WORD, 1, peer);
            }
            sum = got;
        }

        @Override
        public void check(String operation, long bytes) {
            float expected = sumOfFloats(iterations());
            if (bench.pe == 0 && sum != expected) {
                throw wrong(operation, sum, expected);
            }
            if (bench.isTarget() && words.get(BenchFixture.WORD) != 1) {
                throw wrong(operation, words.get(BenchFixture.WORD), 1);
            }
        }
    }

    private static double sumOfDoubles(long ones) {
        double sum = 0;
        for (long i = 0; i < ones; i++) {
            sum += 1;
        }
        return sum;
    }

    private static float sumOfFloats(long ones) {
        float sum = 0;
        for (long i = 0; i < ones; i++) {
            sum += 1;
        }
        return sum;
    }

    private static IllegalStateException wrong(String operation, double found, double expected) {
        return new IllegalStateException(operation + ": found " + found + ", not " + expected);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.Comparison;
import coterie.WaitSet;
import java.util.Arrays;

/// Timed loops of waits and tests in which each word has an operand of its own, the words being as wanted.
final class VectorWaitLoops {
    private VectorWaitLoops() {}

    private static long[] operands(long each) {
        long[] operands = new long[BenchFixture.SET_SIZE];
        Arrays.fill(operands, each);
        return operands;
    }

    /// Tests all words, and all hold.
    static final class TestAll extends SummingLoop {
        TestAll(BenchFixture bench) {
            super(bench, 1);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            long[] operands = operands(0);
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.testAll(Comparison.GE, operands) ? 1 : 0;
            }
            return sum;
        }
    }

    /// Tests the words until one holds: the last.
    static final class TestAny extends SummingLoop {
        TestAny(BenchFixture bench) {
            super(bench, BenchFixture.SET_SIZE - 1);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            long[] operands = operands(BenchFixture.SET_SIZE - 1);
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.testAny(Comparison.GE, operands);
            }
            return sum;
        }
    }

    /// Tests all words, and half of them hold.
    static final class TestSome extends SummingLoop {
        TestSome(BenchFixture bench) {
            super(bench, BenchFixture.SET_SIZE / 2);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            long[] operands = operands(BenchFixture.SET_SIZE / 2);
            int[] found = new int[BenchFixture.SET_SIZE];
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.testSome(Comparison.GE, operands, found);
            }
            return sum;
        }
    }

    /// Waits for all words, and all hold.
    static final class WaitAll extends SummingLoop {
        WaitAll(BenchFixture bench) {
            super(bench, 1);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            long[] operands = operands(0);
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                set.waitAll(Comparison.GE, operands);
                sum++;
            }
            return sum;
        }
    }

    /// Waits for one of the words, and the last holds.
    static final class WaitAny extends SummingLoop {
        WaitAny(BenchFixture bench) {
            super(bench, BenchFixture.SET_SIZE - 1);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            long[] operands = operands(BenchFixture.SET_SIZE - 1);
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.waitAny(Comparison.GE, operands);
            }
            return sum;
        }
    }

    /// Waits for some of the words, and half of them hold.
    static final class WaitSome extends SummingLoop {
        WaitSome(BenchFixture bench) {
            super(bench, BenchFixture.SET_SIZE / 2);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            long[] operands = operands(BenchFixture.SET_SIZE / 2);
            int[] found = new int[BenchFixture.SET_SIZE];
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.waitSome(Comparison.GE, operands, found);
            }
            return sum;
        }
    }
}

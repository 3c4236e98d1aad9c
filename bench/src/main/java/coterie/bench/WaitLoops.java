// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.SignalWord;
import coterie.WaitSet;

/// Timed loops of waits that are over at once, and of tests. They look at a PE's own words, word `k` of 16 being
/// `k`.
final class WaitLoops {
    private WaitLoops() {}

    /// Waits for one word.
    static final class Wait extends SummingLoop {
        Wait(BenchFixture bench) {
            super(bench, BenchFixture.SET_SIZE - 1);
        }

        @Override
        long repeat(long iterations) {
            IntegerView words = bench.longs;
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.waitUntil(BenchFixture.SET_LAST, Comparison.GE, BenchFixture.SET_SIZE - 1);
            }
            return sum;
        }
    }

    /// Tests one word.
    static final class Test extends SummingLoop {
        Test(BenchFixture bench) {
            super(bench, 1);
        }

        @Override
        long repeat(long iterations) {
            IntegerView words = bench.longs;
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.test(BenchFixture.SET_LAST, Comparison.GE, BenchFixture.SET_SIZE - 1) ? 1 : 0;
            }
            return sum;
        }
    }

    /// Waits for a signal.
    static final class SignalWait extends SummingLoop {
        SignalWait(BenchFixture bench) {
            super(bench, BenchFixture.SET_SIZE - 1);
        }

        @Override
        long repeat(long iterations) {
            SignalWord signal = bench.setSignal();
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += signal.waitUntil(Comparison.GE, BenchFixture.SET_SIZE - 1);
            }
            return sum;
        }
    }

    /// Tests all words, and all hold.
    static final class TestAll extends SummingLoop {
        TestAll(BenchFixture bench) {
            super(bench, 1);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.testAll(Comparison.GE, 0) ? 1 : 0;
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
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.testAny(Comparison.GE, BenchFixture.SET_SIZE - 1);
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
            int[] found = new int[BenchFixture.SET_SIZE];
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.testSome(Comparison.GE, BenchFixture.SET_SIZE / 2, found);
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
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                set.waitAll(Comparison.GE, 0);
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
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.waitAny(Comparison.GE, BenchFixture.SET_SIZE - 1);
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
            int[] found = new int[BenchFixture.SET_SIZE];
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.waitSome(Comparison.GE, BenchFixture.SET_SIZE / 2, found);
            }
            return sum;
        }
    }
}

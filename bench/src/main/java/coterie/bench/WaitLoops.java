// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.Comparison;
import coterie.Integers;
import coterie.Signal;
import coterie.WaitSet;

/// Timed loops of waits that are over at once, and of tests. They look at a PE's own words, word `k` of 16 being
/// `k`.
final class WaitLoops {
    private WaitLoops() {}

    /// Waits for one word.
    static final class Wait extends SummingLoop {
        Wait(Workbench bench) {
            super(bench, Workbench.SET_SIZE - 1);
        }

        @Override
        long repeat(long iterations) {
            Integers words = bench.longs;
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.waitUntil(Workbench.SET_LAST, Comparison.GE, Workbench.SET_SIZE - 1);
            }
            return sum;
        }
    }

    /// Tests one word.
    static final class Test extends SummingLoop {
        Test(Workbench bench) {
            super(bench, 1);
        }

        @Override
        long repeat(long iterations) {
            Integers words = bench.longs;
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += words.test(Workbench.SET_LAST, Comparison.GE, Workbench.SET_SIZE - 1) ? 1 : 0;
            }
            return sum;
        }
    }

    /// Waits for a signal.
    static final class SignalWait extends SummingLoop {
        SignalWait(Workbench bench) {
            super(bench, Workbench.SET_SIZE - 1);
        }

        @Override
        long repeat(long iterations) {
            Signal signal = bench.setSignal();
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += signal.waitUntil(Comparison.GE, Workbench.SET_SIZE - 1);
            }
            return sum;
        }
    }

    /// Tests all words, and all hold.
    static final class TestAll extends SummingLoop {
        TestAll(Workbench bench) {
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
        TestAny(Workbench bench) {
            super(bench, Workbench.SET_SIZE - 1);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.testAny(Comparison.GE, Workbench.SET_SIZE - 1);
            }
            return sum;
        }
    }

    /// Tests all words, and half of them hold.
    static final class TestSome extends SummingLoop {
        TestSome(Workbench bench) {
            super(bench, Workbench.SET_SIZE / 2);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            int[] found = new int[Workbench.SET_SIZE];
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.testSome(Comparison.GE, Workbench.SET_SIZE / 2, found);
            }
            return sum;
        }
    }

    /// Waits for all words, and all hold.
    static final class WaitAll extends SummingLoop {
        WaitAll(Workbench bench) {
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
        WaitAny(Workbench bench) {
            super(bench, Workbench.SET_SIZE - 1);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.waitAny(Comparison.GE, Workbench.SET_SIZE - 1);
            }
            return sum;
        }
    }

    /// Waits for some of the words, and half of them hold.
    static final class WaitSome extends SummingLoop {
        WaitSome(Workbench bench) {
            super(bench, Workbench.SET_SIZE / 2);
        }

        @Override
        long repeat(long iterations) {
            WaitSet set = bench.waitSet();
            int[] found = new int[Workbench.SET_SIZE];
            long sum = 0;
            for (long i = 0; i < iterations; i++) {
                sum += set.waitSome(Comparison.GE, Workbench.SET_SIZE / 2, found);
            }
            return sum;
        }
    }
}

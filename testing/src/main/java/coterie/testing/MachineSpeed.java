// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

/// How fast one processor of this machine is, beside that on which the limit of a class was chosen.
final class MachineSpeed {
    /// The fastest of 60 computations on the machine on which the limit was chosen: a virtual machine with two
    /// processors of an AMD EPYC, on which a build ran at the same time.
    private static final double REFERENCE_SECONDS = 0.038;

    /// The first ones are compiled while they run; others make up for what else the machine does.
    private static final int ROUNDS = 20;

    /// 1 MiB of words, which a second-level cache holds and a first-level cache does not.
    private static final int WORDS = 1 << 17;

    private static final int STEPS = 1 << 22;

    private MachineSpeed() {}

    /// Measures how many times as long as the reference machine this one takes.
    static double slowdown() {
        double best = Double.POSITIVE_INFINITY;
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            long result = compute();
            double seconds = (System.nanoTime() - start) / 1e9;
            // The result is used, or the JVM may leave the computation out.
            best = result == 0 ? best : Math.min(best, seconds);
        }
        return best / REFERENCE_SECONDS;
    }

    /// Numbers by xorshift, each added to a word that the number before chose: arithmetic, branches and a cache.
    private static long compute() {
        long[] words = new long[WORDS];
        long number = 1;
        for (int step = 0; step < STEPS; step++) {
            number ^= number << 13;
            number ^= number >>> 7;
            number ^= number << 17;
            int place = (int) (number & (WORDS - 1));
            number += (words[place] & 1) == 0 ? step : 1;
            words[place] += number;
        }
        return number | 1;
    }
}

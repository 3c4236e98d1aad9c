// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/// How fast this machine is, beside that on which the limit of a class was chosen: all processors for some seconds,
/// since a machine that others share may be fast for a moment only.
final class MachineSpeed {
    /// The mean of a computation on the machine on which the limit was chosen, quiet: a virtual machine with two
    /// processors of an AMD EPYC.
    private static final double REFERENCE_SECONDS = 0.050;

    /// These are compiled while they run.
    private static final int WARM_UP_ROUNDS = 10;

    private static final int ROUNDS = 50;

    /// 1 MiB of words, which a second-level cache holds and a first-level cache does not.
    private static final int WORDS = 1 << 17;

    private static final int STEPS = 1 << 22;

    private MachineSpeed() {}

    /// Measures how many times as long as the reference machine this one takes.
    static double slowdown() {
        int threads = Runtime.getRuntime().availableProcessors();
        double seconds = IntStream.range(0, threads)
                .mapToObj(
                        _ -> CompletableFuture.supplyAsync(MachineSpeed::meanSeconds, task -> new Thread(task).start()))
                .toList()
                .stream()
                .mapToDouble(CompletableFuture::join)
                .average()
                .orElseThrow();
        return seconds / REFERENCE_SECONDS;
    }

    private static double meanSeconds() {
        long start = 0;
        long used = 0; // or the JVM may leave the computation out
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            start = round == 0 ? System.nanoTime() : start;
            used |= compute();
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        return used == 0 ? Double.POSITIVE_INFINITY : seconds / ROUNDS;
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

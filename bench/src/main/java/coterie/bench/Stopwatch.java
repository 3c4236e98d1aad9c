// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.bench.Measurement.Percentiles;
import coterie.bench.Measurement.Quality;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Measures one point after the other within a budget of time.
///
/// ```
/// a loop:  first call of each size │ all sizes in turns, until none gets faster
/// a size:  warm-up │ probe │ repetition │ probe │ repetition │ probe │ …   │ batches for percentiles
/// ```
///
/// Sizes take different paths, which the compiler gets to in the background, a second after they were first taken
/// if vectors are in them, and later where PEs share processors: so none is measured before all are warm, and
/// none are as long as a PE's [JitMonitor] are at work.
///
/// PE 0 holds the clock and decides; the others follow through [BenchFixture#agree]. A repetition runs the loop
/// often enough to last some milliseconds, and counts where the probes on both sides of it lie in the probe's
/// range. If fewer than three do, all count, and the report has the probe's value.
final class Stopwatch {
    /// A path is compiled after some ten thousand calls, in steps, and in the background.
    private static final long WARM_UP_CALLS = 100_000;

    /// A loop is warm when no size has become faster by more than a little for so long, and the compilers have
    /// been at rest, but not before [#LEAST_WARM_UP_NANOS].
    private static final long SETTLED_NANOS = 200_000_000;

    private static final double FASTER = 0.97;

    /// The compilers' queue may be long at first: no warm-up is shorter.
    private static final long LEAST_WARM_UP_NANOS = 300_000_000;

    private static final long LONGEST_WARM_UP_NANOS = 3_000_000_000L;

    /// How long a size must get no faster before its measurement.
    private static final long SIZE_SETTLED_NANOS = 50_000_000;

    private static final long LONGEST_SIZE_WARM_UP_NANOS = 500_000_000;

    /// The part of its time that a size may be warmed up, and all sizes together.
    private static final int WARM_UP_PART = 3;

    /// Fewer than this are no median.
    private static final int FEWEST_REPETITIONS = 3;

    private static final int MOST_REPETITIONS = 32;

    /// Where the probe is out of range, the processors may come back.
    private static final long OUT_OF_RANGE_PAUSE_NANOS = 5_000_000;

    /// The clock costs some 20 ns: 2 % of a batch.
    private static final double BATCH_NANOS = 1000;

    private static final int MOST_BATCHES = 100_000;

    private final BenchFixture bench;
    private final Probe probe;
    private final Effort effort;
    private final long deadline;

    /// How many PEs share a processor: each of them has a compiler that must get its turn as well.
    private final int crowd;

    private final JitMonitor jitMonitor = new JitMonitor();

    private Loop loop = (iterations, bytes) -> {};

    /// Whether the budget has ended the warm-up or the repetitions of the point.
    private boolean isOutOfTime;

    /// How much trouble to take.
    ///
    /// @param repetitions that shall count, at least 1
    /// @param repetitionNanos how long one lasts, about
    /// @param iterations of a repetition; 0 for as many as last `repetitionNanos`
    /// @param warmUp iterations before the first repetition; 0 for enough
    /// @param percentiles whether to time batches too
    /// @param budgetNanos for all points together
    record Effort(
            int repetitions,
            double repetitionNanos,
            long iterations,
            long warmUp,
            boolean percentiles,
            long budgetNanos) {}

    Stopwatch(BenchFixture bench, Probe probe, Effort effort) {
        this.bench = bench;
        this.probe = probe;
        this.effort = effort;
        this.deadline = System.nanoTime() + effort.budgetNanos();
        this.crowd = Math.ceilDiv(bench.team.size(), Runtime.getRuntime().availableProcessors());
    }

    /// Takes up another loop, and warms it up. **Collective.**
    ///
    /// @param sizes in bytes, that are measured next
    /// @param pointsLeft how many points the budget must do for, these included
    /// @return how long the first call of each size has taken, in ns
    double[] begin(Loop next, long[] sizes, int pointsLeft) {
        loop = next;
        long begin = System.nanoTime();
        double[] firsts = new double[sizes.length];
        for (int i = 0; i < sizes.length; i++) {
            firsts[i] = once(1, sizes[i]);
        }
        if (effort.warmUp() == 0) {
            long most = sizes.length * share(begin, pointsLeft) / WARM_UP_PART;
            warmUp(sizes, begin, Math.min(most, crowd * LONGEST_WARM_UP_NANOS));
        }
        bench.team.barrier(); // targets are filled next, which the last call may still write to
        return firsts;
    }

    private long share(long now, int pointsLeft) {
        // Most points take less than their part, so that a long one may take more.
        return Math.max(0, deadline - now) * 2 / (pointsLeft + 1);
    }

    private void warmUp(long[] sizes, long begin, long mostNanos) {
        long[] iterations = new long[sizes.length];
        double[] fastest = new double[sizes.length];
        Arrays.fill(iterations, 1);
        Arrays.fill(fastest, Double.MAX_VALUE);
        long restlessUntil = begin;
        boolean warm = false;
        while (!bench.agree(warm)) {
            for (int i = 0; i < sizes.length; i++) {
                double nanos = once(iterations[i], sizes[i]);
                if (nanos / iterations[i] < fastest[i] * FASTER) {
                    fastest[i] = nanos / iterations[i];
                    restlessUntil = System.nanoTime();
                }
                iterations[i] = fitting(iterations[i], nanos);
            }
            long now = System.nanoTime();
            if (bench.anywhere(jitMonitor.haveWorked())) {
                restlessUntil = now;
            }
            boolean settled =
                    now - restlessUntil >= crowd * SETTLED_NANOS && now - begin >= crowd * LEAST_WARM_UP_NANOS;
            warm = settled || now - begin >= mostNanos;
        }
    }

    /// How many iterations last for a repetition, if so many have taken so long: eight times as many at most,
    /// since a loop that gets faster every time would take more than its part of the budget.
    private long fitting(long iterations, double nanos) {
        double fitting = Math.min(iterations * effort.repetitionNanos() / Math.max(1, nanos), iterations * 8.0);
        return bench.agree(Math.max(1, (long) fitting));
    }

    /// Measures a size of the loop taken up last. **Collective.**
    ///
    /// @param first how long its first call has taken, in ns
    /// @param pointsLeft how many points the budget must do for, this one included
    Measurement measure(long bytes, double first, int pointsLeft) {
        long begin = System.nanoTime();
        long share = share(begin, pointsLeft);
        isOutOfTime = false;
        long iterations = warmUp(bytes, crowd * SIZE_SETTLED_NANOS, share / WARM_UP_PART);
        int wanted = Math.min(effort.repetitions(), MOST_REPETITIONS);
        double[] times = new double[2 * wanted];
        double[] probes = new double[2 * wanted];
        double[] goodTimes = new double[wanted];
        double[] goodProbes = new double[wanted];
        int all = 0;
        int good = 0;
        double before = probe.nanos();
        boolean more = true;
        while (more) {
            double time = once(iterations, bytes) / iterations;
            bench.team.barrier();
            double after = probe.nanos();
            boolean counts = probe.isInRange(before) && probe.isInRange(after);
            times[all] = time;
            probes[all++] = (before + after) / 2;
            if (counts && good < wanted) {
                goodTimes[good] = time;
                goodProbes[good++] = (before + after) / 2;
            }
            boolean inTime = all < FEWEST_REPETITIONS || System.nanoTime() - begin < share;
            boolean isWanted = good < wanted && all < times.length;
            isOutOfTime |= isWanted && !inTime;
            more = bench.agree(isWanted && inTime);
            if (more && !probe.isInRange(after)) {
                LockSupport.parkNanos(OUT_OF_RANGE_PAUSE_NANOS);
            }
            before = after;
        }
        boolean enough = good >= Math.min(FEWEST_REPETITIONS, wanted);
        double[] counted = Arrays.copyOf(enough ? goodTimes : times, enough ? good : all);
        double[] beside = Arrays.copyOf(enough ? goodProbes : probes, counted.length);
        Arrays.sort(counted);
        Arrays.sort(beside);
        double median = median(counted);
        Quality quality = bench.agree(isOutOfTime) ? Quality.OUT_OF_TIME : Quality.SETTLED;
        Percentiles percentiles = effort.percentiles() ? batches(bytes, median) : null;
        return new Measurement(
                first, median, counted[0], beside[beside.length / 2], iterations, counted.length, quality, percentiles);
    }

    private double once(long iterations, long bytes) {
        bench.team.barrier();
        long start = System.nanoTime();
        loop.run(iterations, bytes);
        return System.nanoTime() - start;
    }

    /// Runs a size until it gets no faster, and finds how many iterations last for a repetition.
    ///
    /// @param shareNanos what the budget has for it
    private long warmUp(long bytes, long settledNanos, long shareNanos) {
        long longest = crowd * LONGEST_SIZE_WARM_UP_NANOS;
        long begin = System.nanoTime();
        long restlessUntil = begin;
        double fastest = Double.MAX_VALUE;
        long iterations = 1;
        long calls = 0;
        while (true) {
            long current = iterations;
            double nanos = once(current, bytes);
            calls += current;
            long now = System.nanoTime();
            if (nanos / current < fastest * FASTER) {
                fastest = nanos / current;
                restlessUntil = now;
            }
            if (effort.warmUp() == 0 && bench.anywhere(jitMonitor.haveWorked())) {
                restlessUntil = now;
            }
            long elapsed = now - begin;
            boolean settled =
                    now - restlessUntil >= settledNanos && (calls >= WARM_UP_CALLS || elapsed >= 2 * settledNanos);
            boolean late = elapsed >= Math.min(shareNanos, longest) && nanos >= effort.repetitionNanos() / 4;
            boolean warm = effort.warmUp() > 0 ? calls >= effort.warmUp() : settled || late;
            iterations = fitting(current, nanos);
            if (bench.agree(warm)) {
                isOutOfTime = effort.warmUp() == 0 && !settled && elapsed < longest;
                return effort.iterations() > 0 ? effort.iterations() : iterations;
            }
        }
    }

    private @Nullable Percentiles batches(long bytes, double median) {
        long batch = bench.agree(Math.max(1, (long) Math.ceil(BATCH_NANOS / Math.max(median, 0.01))));
        double batchNanos = Math.max(batch * median, 1);
        double time = effort.repetitions() * effort.repetitionNanos();
        long batches = bench.agree((long) Math.clamp(time / batchNanos, 10, MOST_BATCHES));
        Histogram picoseconds = new Histogram(3);
        bench.team.barrier();
        for (long i = 0; i < batches; i++) {
            long start = System.nanoTime();
            loop.run(batch, bytes);
            picoseconds.recordValue((System.nanoTime() - start) * 1000 / batch);
        }
        bench.team.barrier();
        return new Percentiles(picoseconds, batch);
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.bench.Measurement.Percentiles;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// Measures one point after the other within a budget of time.
///
/// ```
/// first call │ warm-up │ probe │ repetition │ probe │ repetition │ probe │ …   │ batches for percentiles
/// ```
///
/// PE 0 holds the clock and decides; the others follow through [Workbench#agree]. A repetition runs the loop often
/// enough to last some milliseconds, and counts where the probes on both sides of it lie in the probe's range.
/// Where fewer than three do, all count, and the probe's value in the report tells.
final class Stopwatch {
    /// A path is compiled after some ten thousand calls, in steps, and in the background.
    private static final long WARM_UP_CALLS = 100_000;

    /// A loop is warm when it has not become faster by more than a little for so long, ...
    private static final long SETTLED_NANOS = 100_000_000;

    private static final double FASTER = 0.97;

    /// ... but at its first size it meets the compiler's queue first.
    private static final long FIRST_WARM_UP_NANOS = 300_000_000;

    private static final long LONGEST_WARM_UP_NANOS = 1_000_000_000;

    /// The part of a point's time that warming up may take, but at a loop's first size, where it may take all.
    private static final int WARM_UP_PART = 3;

    /// Fewer than this are no median.
    private static final int FEWEST_REPETITIONS = 3;

    private static final int MOST_REPETITIONS = 32;

    /// Where the probe is out of range, the processors may come back.
    private static final long OUT_OF_RANGE_PAUSE_NANOS = 5_000_000;

    /// The clock costs some 20 ns: 2 % of a batch.
    private static final double BATCH_NANOS = 1000;

    private static final int MOST_BATCHES = 100_000;

    private final Workbench bench;
    private final Probe probe;
    private final Effort effort;
    private final long deadline;

    /// How many PEs share a processor: each of them has a compiler that must get its turn as well.
    private final int crowd;

    private Loop loop = (iterations, bytes) -> {};
    private boolean fresh;

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

    Stopwatch(Workbench bench, Probe probe, Effort effort) {
        this.bench = bench;
        this.probe = probe;
        this.effort = effort;
        this.deadline = System.nanoTime() + effort.budgetNanos();
        this.crowd = Math.ceilDiv(bench.team.size(), Runtime.getRuntime().availableProcessors());
    }

    /// Takes up another loop.
    void begin(Loop next) {
        loop = next;
        fresh = true;
    }

    /// Measures the loop taken up last. **Collective.**
    ///
    /// @param pointsLeft how many points the budget must do for, this one included
    Measurement measure(long bytes, int pointsLeft) {
        long begin = System.nanoTime();
        // Most points take less than their part, so that a long one may take more.
        long share = Math.max(0, deadline - begin) * 2 / (pointsLeft + 1);
        double first = once(1, bytes);
        long least = crowd * (fresh ? FIRST_WARM_UP_NANOS : SETTLED_NANOS);
        long most = Math.min(fresh ? share : share / WARM_UP_PART, crowd * LONGEST_WARM_UP_NANOS);
        fresh = false;
        long iterations = warmUp(bytes, least, most);
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
            more = bench.agree(good < wanted && all < times.length && inTime);
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
        Percentiles percentiles = effort.percentiles() ? batches(bytes, median) : null;
        return new Measurement(
                first, median, counted[0], beside[beside.length / 2], iterations, counted.length, percentiles);
    }

    private double once(long iterations, long bytes) {
        bench.team.barrier();
        long start = System.nanoTime();
        loop.run(iterations, bytes);
        return System.nanoTime() - start;
    }

    /// Runs the loop until it gets no faster, and finds how many iterations last for a repetition.
    private long warmUp(long bytes, long leastNanos, long mostNanos) {
        long begin = System.nanoTime();
        long fastestSince = begin;
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
                fastestSince = now;
            }
            long elapsed = now - begin;
            boolean settled = now - fastestSince >= crowd * SETTLED_NANOS
                    && elapsed >= leastNanos
                    && (calls >= WARM_UP_CALLS || elapsed >= 2 * leastNanos);
            boolean late = elapsed >= mostNanos && nanos >= effort.repetitionNanos() / 4;
            boolean warm = effort.warmUp() > 0 ? calls >= effort.warmUp() : settled || late;
            // A loop that gets faster every time is given eight times more at most, to stay within the budget.
            double fitting = Math.min(current * effort.repetitionNanos() / Math.max(1, nanos), current * 8.0);
            iterations = bench.agree(Math.max(1, (long) fitting));
            if (bench.agree(warm)) {
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

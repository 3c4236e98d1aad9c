// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// What was found at one point, in nanoseconds for one iteration of the loop.
///
/// @param first time of the very first call in this process, class loading and interpreter included
/// @param median over the repetitions that count
/// @param least of the repetitions that count
/// @param probe median of the probes beside them; 0 without one
/// @param iterations of one repetition
/// @param counted repetitions that count
/// @param quality whether the figures are worth a comparison
/// @param percentiles over batches, or null where they were not asked for
record Measurement(
        double first,
        double median,
        double least,
        double probe,
        long iterations,
        int counted,
        Quality quality,
        @Nullable Percentiles percentiles) {

    /// What stopped the measurement of a point.
    enum Quality {
        /// the times became no shorter, and there were as many repetitions as wanted
        SETTLED,
        /// the time for all points was nearly spent: the median may be several times too long
        OUT_OF_TIME
    }

    /// Times of batches of calls, each long enough for the clock.
    ///
    /// @param picoseconds of one iteration, as the mean of its batch
    /// @param batch iterations in a batch
    record Percentiles(Histogram picoseconds, long batch) {
        double nanosAt(double percentile) {
            return picoseconds.getValueAtPercentile(percentile) / 1e3;
        }
    }
}

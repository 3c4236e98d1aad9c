// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/// Boosted trees without bins, histograms and PEs: each value of a node's rows is tried as a threshold, with the
/// rows without a value on either side.
final class PlainBoosting {
    private final GradientBoosting settings;
    private final SampleRows samples;
    private final double[] margins;
    private double[] gradients = {};
    private double[] hessians = {};

    private PlainBoosting(GradientBoosting settings, SampleRows samples) {
        this.settings = settings;
        this.samples = samples;
        margins = new double[samples.count()];
    }

    /// Returns the margins of the training rows.
    static double[] margins(GradientBoosting settings, SampleRows samples) {
        PlainBoosting boosting = new PlainBoosting(settings, samples);
        double ones = Arrays.stream(samples.labels()).sum();
        Arrays.fill(boosting.margins, Math.log((ones + 0.5) / (samples.count() - ones + 0.5)));
        for (int tree = 0; tree < settings.trees(); tree++) {
            double[] p = Arrays.stream(boosting.margins)
                    .map(m -> 1 / (1 + Math.exp(-m)))
                    .toArray();
            boosting.gradients = new double[p.length];
            boosting.hessians = new double[p.length];
            Arrays.setAll(boosting.gradients, row -> p[row] - samples.labels()[row]);
            Arrays.setAll(boosting.hessians, row -> p[row] * (1 - p[row]));
            boosting.grow(IntStream.range(0, p.length).boxed().toList(), 0);
        }
        return boosting.margins;
    }

    private void grow(List<Integer> rows, int depth) {
        double best = score(rows) + 1e-6;
        List<Integer> left = List.of();
        List<Integer> right = List.of();
        for (int feature = 0; feature < samples.width() && depth < settings.depth(); feature++) {
            int column = feature;
            double[] thresholds = DoubleStream.concat(
                            DoubleStream.of(Double.NEGATIVE_INFINITY),
                            rows.stream().mapToDouble(row -> value(row, column)))
                    .sorted() // equal gains are frequent in the first tree: the first one counts
                    .toArray();
            for (double threshold : thresholds) {
                for (boolean isMissingLeft : new boolean[] {false, true}) {
                    IntPredicate isLeft = row -> value(row, column) <= threshold
                            || (Double.isNaN(threshold) && !Double.isNaN(value(row, column)))
                            || (isMissingLeft && Double.isNaN(value(row, column)));
                    List<Integer> low = rows.stream().filter(isLeft::test).toList();
                    List<Integer> high =
                            rows.stream().filter(row -> !isLeft.test(row)).toList();
                    double lightest = Math.min(sum(hessians, low), sum(hessians, high));
                    if (lightest >= settings.minChildWeight() && score(low) + score(high) > best + 1e-12) {
                        best = score(low) + score(high);
                        left = low;
                        right = high;
                    }
                }
            }
        }
        if (left.isEmpty()) {
            double step = -sum(gradients, rows) / (sum(hessians, rows) + settings.lambda());
            rows.forEach(row -> margins[row] += settings.learningRate() * step);
        } else {
            grow(left, depth + 1);
            grow(right, depth + 1);
        }
    }

    private double value(int row, int feature) {
        return samples.rows()[row * samples.width() + feature];
    }

    private double score(List<Integer> rows) {
        return Math.pow(sum(gradients, rows), 2) / (sum(hessians, rows) + settings.lambda());
    }

    private static double sum(double[] values, List<Integer> rows) {
        return rows.stream().mapToDouble(row -> values[row]).sum();
    }
}

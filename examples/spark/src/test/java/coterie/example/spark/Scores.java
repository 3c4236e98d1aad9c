// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import java.util.Arrays;
import java.util.Comparator;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/// How well probabilities fit labels.
final class Scores {
    private Scores() {}

    static double logLoss(SampleRows samples, ToDoubleFunction<double[]> probability) {
        return IntStream.range(0, samples.count())
                .mapToDouble(row -> {
                    double p = probability.applyAsDouble(samples.row(row));
                    return -Math.log(samples.labels()[row] == 1 ? p : 1 - p);
                })
                .average()
                .orElseThrow();
    }

    /// Returns the probability that a row of label 1 has a larger probability than one of label 0; half of it
    /// counts if they are equal.
    static double areaUnderRoc(SampleRows samples, ToDoubleFunction<double[]> probability) {
        double[] scores = IntStream.range(0, samples.count())
                .mapToDouble(row -> probability.applyAsDouble(samples.row(row)))
                .toArray();
        Integer[] order = IntStream.range(0, scores.length).boxed().toArray(Integer[]::new);
        Arrays.sort(order, Comparator.comparingDouble(row -> scores[row]));
        double area = 0;
        double zerosBefore = 0;
        double ones = 0;
        for (int from = 0; from < order.length; ) {
            int to = from;
            double zerosHere = 0;
            double onesHere = 0;
            for (; to < order.length && scores[order[to]] == scores[order[from]]; to++) {
                onesHere += samples.labels()[order[to]];
                zerosHere += 1 - samples.labels()[order[to]];
            }
            area += onesHere * (zerosBefore + zerosHere / 2);
            zerosBefore += zerosHere;
            ones += onesHere;
            from = to;
        }
        return area / (ones * zerosBefore);
    }
}

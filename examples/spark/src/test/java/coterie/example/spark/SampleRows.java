// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import java.util.Arrays;
import java.util.SplittableRandom;

/// Rows for tests, and parts of them.
///
/// @param rows one after the other
/// @param labels of the rows, or none
/// @param width numbers of a row
@SuppressWarnings("ArrayRecordComponent") // no code compares samples
record SampleRows(double[] rows, double[] labels, int width) {
    int count() {
        return rows.length / width;
    }

    double[] row(int row) {
        return Arrays.copyOfRange(rows, row * width, (row + 1) * width);
    }

    /// Returns the rows `[from, to)`.
    SampleRows range(int from, int to) {
        double[] part = labels.length == 0 ? labels : Arrays.copyOfRange(labels, from, to);
        return new SampleRows(Arrays.copyOfRange(rows, from * width, to * width), part, width);
    }

    /// Returns the part of a PE: PE 0 has few rows, the last one most, and PE 1 of 3 or more has none.
    SampleRows part(int pe, int pes) {
        int few = pes == 1 ? count() : count() / 5;
        return switch (pe) {
            case 0 -> range(0, few);
            case 1 -> pes == 2 ? range(few, count()) : range(few, few);
            default -> pe == pes - 1 ? range(few * (pes - 2), count()) : range(few * (pe - 1), few * pe);
        };
    }

    /// Returns rows around some points, with normal deviations.
    static SampleRows blobs(int count, int blobs, int width, double deviation, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] middles = random.doubles((long) blobs * width, -10, 10).toArray();
        double[] rows = new double[count * width];
        for (int row = 0; row < count; row++) {
            int blob = random.nextInt(blobs);
            for (int d = 0; d < width; d++) {
                rows[row * width + d] = middles[blob * width + d] + deviation * random.nextGaussian();
            }
        }
        return new SampleRows(rows, new double[0], width);
    }

    /// Returns rows whose label depends, with noise, on five features, two of them together; the others say
    /// nothing.
    static SampleRows labeled(int count, int width, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] rows = new double[count * width];
        double[] labels = new double[count];
        for (int row = 0; row < count; row++) {
            int at = row * width;
            for (int f = 0; f < width; f++) {
                rows[at + f] = random.nextGaussian();
            }
            double margin = 1.5 * Math.sin(2 * rows[at])
                    + (rows[at + 1] * rows[at + 1] - 1)
                    + (rows[at + 2] > 0 ? rows[at + 3] : -0.5)
                    - 0.7 * rows[at + 4];
            labels[row] = random.nextDouble() < 1 / (1 + Math.exp(-margin)) ? 1 : 0;
        }
        return new SampleRows(rows, labels, width);
    }
}

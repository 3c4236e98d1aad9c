// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import java.util.Arrays;

/// The logistic loss of a PE's rows: its first and second derivatives by each row's margin.
///
/// The functions are those of [StrictMath], so that PEs on processors of several kinds get the same bits.
final class LogisticLoss {
    /// A loss that is above counts as this one: the margin of a wrong row is then beyond all sense.
    private static final double MAX_LOSS = 1024;

    private final double[] labels;
    private final double[] margins;
    private final long[] gradients;
    private final long[] hessians;
    private final FixedPoint unit;
    private final FixedPoint lossUnit;

    /// @param labels 0 or 1
    /// @param start margin of all rows
    /// @param total rows of all PEs
    LogisticLoss(double[] labels, double start, long total) {
        this.labels = labels;
        margins = new double[labels.length];
        Arrays.fill(margins, start);
        gradients = new long[labels.length];
        hessians = new long[labels.length];
        unit = FixedPoint.forSums(1, total);
        lossUnit = FixedPoint.forSums(MAX_LOSS, total);
    }

    /// Returns by row what trees add to.
    double[] margins() {
        return margins;
    }

    /// Returns the derivatives by row, in [#unit].
    long[] gradients() {
        return gradients;
    }

    /// Returns the second derivatives by row, in [#unit].
    long[] hessians() {
        return hessians;
    }

    FixedPoint unit() {
        return unit;
    }

    FixedPoint lossUnit() {
        return lossUnit;
    }

    /// Computes the derivatives for the present margins.
    ///
    /// @return the loss of the PE's rows, in [#lossUnit]
    long update() {
        long sum = 0;
        for (int row = 0; row < labels.length; row++) {
            double margin = margins[row];
            double small = StrictMath.exp(-Math.abs(margin));
            double probability = (margin >= 0 ? 1 : small) / (1 + small);
            gradients[row] = unit.of(probability - labels[row]);
            hessians[row] = unit.of(probability * (1 - probability));
            double loss = StrictMath.log1p(small) + Math.max(labels[row] > 0 ? -margin : margin, 0);
            sum += lossUnit.of(Math.min(loss, MAX_LOSS));
        }
        return sum;
    }
}

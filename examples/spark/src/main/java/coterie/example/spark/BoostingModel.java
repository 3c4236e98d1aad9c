// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import java.io.Serializable;
import java.util.List;

/// What [GradientBoosting] has found: the same bits on all PEs, and on any number of PEs.
///
/// @param features numbers of a row
/// @param start margin of each row before the first tree: the logarithm of the odds of label 1
/// @param trees each adds to the margin
/// @param logLosses mean loss of the training rows after each tree
public record BoostingModel(int features, double start, List<RegressionTree> trees, List<Double> logLosses)
        implements Serializable {
    /// Copies the lists.
    public BoostingModel {
        trees = List.copyOf(trees);
        logLosses = List.copyOf(logLosses);
    }

    /// Returns the probability of label 1.
    ///
    /// @param row numbers of each feature, NaN for a missing one
    public double probability(double[] row) {
        return 1 / (1 + StrictMath.exp(-margin(row)));
    }

    /// Returns the logarithm of the odds of label 1.
    ///
    /// @param row numbers of each feature, NaN for a missing one
    public double margin(double[] row) {
        if (row.length != features) {
            throw new IllegalArgumentException(
                    "BoostingModel: a row of " + row.length + " numbers; the model has " + features + " features");
        }
        double margin = start;
        for (int tree = 0; tree < trees.size(); tree++) {
            margin += trees.get(tree).value(row);
        }
        return margin;
    }
}

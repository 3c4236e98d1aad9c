// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import org.jspecify.annotations.Nullable;

/// Finds the best split of a node from its histogram: that with the largest gain `G²/(H + λ)` of both children over
/// the node. Rows without a value go to the child where they gain more.
///
/// The sums are those of all PEs, so each PE finds the same split.
final class SplitSearch {
    /// A gain that is not above it is one of rounding.
    private static final double MIN_GAIN = 1e-6;

    private final FeatureBins bins;
    private final FixedPoint unit;
    private final double lambda;
    private final double minChildWeight;

    SplitSearch(FeatureBins bins, FixedPoint unit, double lambda, double minChildWeight) {
        this.bins = bins;
        this.unit = unit;
        this.lambda = lambda;
        this.minChildWeight = minChildWeight;
    }

    /// A split of a node.
    ///
    /// @param code the largest one that goes left
    /// @param missingLeft whether rows without a value go left
    /// @param gradient sum of the left child
    /// @param hessian sum of the left child
    record Split(double gain, int feature, int code, boolean missingLeft, long gradient, long hessian) {}

    /// Returns the best split, the first one if several are; null if none gains.
    @Nullable
    Split best(TreeNode node, long[] histogram) {
        Split best = null;
        double least = score(node.gradient, node.hessian) + MIN_GAIN;
        for (int feature = 0; feature < bins.features(); feature++) {
            int missing = bins.missing(feature);
            int slot = 2 * bins.firstSlot(feature);
            long missingGradient = histogram[slot + 2 * missing];
            long missingHessian = histogram[slot + 2 * missing + 1];
            boolean hasMissing = missingHessian != 0 || missingGradient != 0;
            long gradient = 0;
            long hessian = 0;
            int last = hasMissing ? missing - 1 : missing - 2; // at the last code, missing rows alone go right
            for (int code = 0; code <= last; code++) {
                gradient += histogram[slot + 2 * code];
                hessian += histogram[slot + 2 * code + 1];
                double gain = gain(node, gradient, hessian);
                if (gain > least) {
                    least = gain;
                    boolean isLeftLarger = 2 * hessian >= node.hessian;
                    best = new Split(gain, feature, code, !hasMissing && isLeftLarger, gradient, hessian);
                }
                if (hasMissing && code < missing - 1) {
                    gain = gain(node, gradient + missingGradient, hessian + missingHessian);
                    if (gain > least) {
                        least = gain;
                        best = new Split(
                                gain, feature, code, true, gradient + missingGradient, hessian + missingHessian);
                    }
                }
            }
        }
        return best;
    }

    /// Returns the scores of both children, or −1 if one of them is too light.
    private double gain(TreeNode node, long gradient, long hessian) {
        double left = unit.toDouble(hessian);
        double right = unit.toDouble(node.hessian - hessian);
        if (left < minChildWeight || right < minChildWeight) {
            return -1;
        }
        return score(gradient, hessian) + score(node.gradient - gradient, node.hessian - hessian);
    }

    private double score(long gradient, long hessian) {
        double sum = unit.toDouble(gradient);
        return sum * sum / (unit.toDouble(hessian) + lambda);
    }

    /// Returns the step of Newton's method for the rows of a node; none where the loss is flat.
    double weight(TreeNode node) {
        double curvature = unit.toDouble(node.hessian) + lambda;
        return curvature > 0 ? -unit.toDouble(node.gradient) / curvature : 0;
    }
}

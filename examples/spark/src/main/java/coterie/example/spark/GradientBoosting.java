// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import coterie.Team;
import coterie.World;
import coterie.example.spark.CommonArguments.Setting;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Boosted trees for a label that is 0 or 1, with the logistic loss: each tree is a step of Newton's method, as in
/// T. Chen and C. Guestrin, "XGBoost: A Scalable Tree Boosting System", 2016. The features become codes of a byte
/// once; a tree grows from histograms of the loss's derivatives over these codes, as in G. Ke et al., "LightGBM",
/// 2017.
///
/// ```java
/// BoostingModel model = new GradientBoosting(100, 6, 0.1).fit(world, rows, labels, 28);
/// double probability = model.probability(row);
/// ```
///
/// A PE counts its own rows. One reduction a level adds the histograms of all PEs, and each PE finds the same
/// splits. The derivatives are [fixed-point][FixedPoint] numbers, whose sums are exact: the model is the same bits
/// on all PEs, and the same rows in the same order have the same model on any number of PEs, however they are
/// divided.
///
/// Immutable, and serializable, so that a task of Spark may use settings of its driver.
///
/// @param trees at least 1
/// @param depth splits between the root and a leaf at most, in `[1, 16]`
/// @param learningRate factor of each tree's values, more than 0
/// @param lambda L2 regularization of the values: what is added to the sum of second derivatives; at least 0
/// @param minChildWeight least sum of second derivatives of a child, more than 0. A row has 1/4 at most
/// @param bins of a feature, without that of missing values, in `[2, 255]`
public record GradientBoosting(
        int trees, int depth, double learningRate, double lambda, double minChildWeight, int bins)
        implements Serializable {
    private static final String FIT = "GradientBoosting.fit";

    /// Checks the settings.
    public GradientBoosting {
        require(trees >= 1, "trees is " + trees + "; it is at least 1");
        require(depth >= 1 && depth <= 16, "depth is " + depth + "; it is in [1, 16]");
        require(
                learningRate > 0 && learningRate < Double.POSITIVE_INFINITY,
                "the learning rate is " + learningRate + "; it is more than 0, and finite");
        require(
                lambda >= 0 && lambda < Double.POSITIVE_INFINITY,
                "lambda is " + lambda + "; it is at least 0, and finite");
        require(minChildWeight > 0, "minChildWeight is " + minChildWeight + "; it is more than 0");
        require(bins >= 2 && bins <= 255, "bins is " + bins + "; it is in [2, 255]");
    }

    /// Takes XGBoost's defaults of regularization, which are lambda 1 and weight 1, and the most bins.
    public GradientBoosting(int trees, int depth, double learningRate) {
        this(trees, depth, learningRate, 1, 1, 255);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException("GradientBoosting: " + otherwise);
        }
    }

    /// Finds the trees. Collective: all PEs return the same model, or throw the same exception.
    ///
    /// @param rows of this PE, one after the other; may be empty. NaN is a missing value. Unchanged
    /// @param labels 0 or 1, one for each row. Unchanged
    /// @param features numbers of a row, at least 1, on all PEs the same
    /// @throws IllegalArgumentException on all PEs, if rows of one are no whole rows of finite numbers and NaN, or
    ///     have not one label each; if there are no rows; or if the PEs pass different settings
    public BoostingModel fit(World world, double[] rows, double[] labels, int features) {
        CommonArguments.check(
                world,
                FIT,
                problem(world.pe(), rows, labels, features),
                List.of(
                        Setting.of("trees", trees),
                        Setting.of("depth", depth),
                        Setting.of("learningRate", learningRate),
                        Setting.of("lambda", lambda),
                        Setting.of("minChildWeight", minChildWeight),
                        Setting.of("bins", bins),
                        Setting.of("features", features)));
        Team team = world.team();
        RowNumbers numbers = RowNumbers.of(world, labels.length);
        if (numbers.total() == 0) {
            throw CommonArguments.together(
                    team, new IllegalArgumentException(FIT + ": no PE has rows; at least 1 is needed"));
        }
        double start = start(team, labels, numbers.total());
        LogisticLoss loss = new LogisticLoss(labels, start, numbers.total());
        FeatureBins featureBins = FeatureBins.of(team, rows, numbers, features, bins);
        TreeGrower grower = new TreeGrower(team, featureBins, rows, loss, this);
        List<RegressionTree> grown = new ArrayList<>();
        List<Double> losses = new ArrayList<>();
        loss.update();
        for (int tree = 0; tree < trees; tree++) {
            grown.add(grower.grow());
            losses.add(loss.lossUnit().toDouble(team.sum(loss.update())) / numbers.total());
        }
        return new BoostingModel(features, start, grown, losses);
    }

    private static @Nullable String problem(int pe, double[] rows, double @Nullable [] labels, int features) {
        String problem = CommonArguments.problemOfRows(FIT, pe, rows, features, true);
        if (problem != null) {
            return problem;
        }
        String caller = FIT + " on PE " + pe;
        int count = rows.length / features;
        if (labels == null || labels.length != count) {
            return caller + ": " + (labels == null ? "null" : labels.length) + " labels for " + count
                    + " rows; each row has one";
        }
        for (int row = 0; row < count; row++) {
            if (labels[row] != 0 && labels[row] != 1) {
                return caller + ": row " + row + " of this PE has the label " + labels[row] + "; labels are 0 and 1";
            }
        }
        return null;
    }

    /// Returns the logarithm of the odds of label 1, with half a row more of each label: so it is finite.
    private static double start(Team team, double[] labels, long total) {
        long ones = 0;
        for (double label : labels) {
            ones += (long) label;
        }
        ones = team.sum(ones);
        return StrictMath.log((ones + 0.5) / (total - ones + 0.5));
    }
}

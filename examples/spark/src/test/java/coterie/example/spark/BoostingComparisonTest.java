// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.ToDoubleFunction;
import org.apache.spark.ml.classification.GBTClassificationModel;
import org.apache.spark.ml.classification.GBTClassifier;
import org.apache.spark.ml.linalg.Vectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The same rows for the boosted trees of Spark's MLlib.
class BoostingComparisonTest {
    private static final int TREES = 12;
    private static final int DEPTH = 3;

    private static final double STEP = 0.1;

    private final SampleRows all = SampleRows.labeled(5_000, 10, 22);
    private final SampleRows training = all.range(0, 3_000);
    private final SampleRows test = all.range(3_000, 5_000);

    /// The loss of Spark is of half the margin, and its trees fit four times the gradient: a step moves the margin
    /// of a row by `8 * STEP` times the mean gradient. A step of Newton's method divides by the mean hessian, which
    /// is 1/4 at the start: with twice the rate it moves as far.
    @Test
    @DisplayName(
            "boosted trees rank unknown rows as well as those of Spark; with steps as long, their loss is not larger")
    void boosting() throws Exception {
        GBTClassificationModel spark = new GBTClassifier()
                .setMaxDepth(DEPTH)
                .setMaxIter(TREES)
                .setStepSize(STEP)
                .setSeed(1)
                .fit(LocalSpark.dataset(training));
        ToDoubleFunction<double[]> theirs =
                row -> spark.predictProbability(Vectors.dense(row)).apply(1);
        BoostingModel same = fit(STEP);
        BoostingModel asLong = fit(2 * STEP);
        assertThat(Scores.areaUnderRoc(test, same::probability))
                .isGreaterThan(Scores.areaUnderRoc(test, theirs) - 0.01);
        assertThat(Scores.areaUnderRoc(test, asLong::probability))
                .isGreaterThan(Scores.areaUnderRoc(test, theirs) - 0.01);
        assertThat(Scores.logLoss(test, asLong::probability)).isLessThan(Scores.logLoss(test, theirs) + 0.01);
    }

    private BoostingModel fit(double rate) throws Exception {
        return HostedPes.run(2, world -> {
                    SampleRows part = training.part(world.pe(), 2);
                    return new GradientBoosting(TREES, DEPTH, rate)
                            .fit(world, part.rows(), part.labels(), part.width());
                })
                .getFirst();
    }
}

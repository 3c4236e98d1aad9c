// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GradientBoostingTest {
    private static List<BoostingModel> fit(int pes, GradientBoosting settings, SampleRows samples) throws Exception {
        return HostedPes.run(pes, world -> {
            SampleRows part = samples.part(world.pe(), pes);
            return settings.fit(world, part.rows(), part.labels(), part.width());
        });
    }

    private static byte[] bytes(BoostingModel model) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(model);
        }
        return bytes.toByteArray();
    }

    @Test
    @DisplayName("all PEs have the same bits, on any number of PEs, with parts of any size")
    void sameBits() throws Exception {
        SampleRows samples = withGaps(SampleRows.labeled(1_500, 7, 41), 42);
        GradientBoosting settings = new GradientBoosting(12, 5, 0.3);
        byte[] one = bytes(fit(1, settings, samples).getFirst());
        for (int pes = 2; pes <= 4; pes++) {
            for (BoostingModel model : fit(pes, settings, samples)) {
                assertThat(bytes(model)).isEqualTo(one);
            }
        }
    }

    private static SampleRows withGaps(SampleRows samples, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] rows = samples.rows().clone();
        for (int i = 0; i < rows.length; i++) {
            rows[i] = random.nextInt(10) == 0 ? Double.NaN : rows[i];
        }
        return new SampleRows(rows, samples.labels(), samples.width());
    }

    @Test
    @DisplayName("the training loss falls from tree to tree, and is that of the model")
    void losses() throws Exception {
        SampleRows samples = SampleRows.labeled(1_000, 6, 43);
        BoostingModel model = fit(2, new GradientBoosting(15, 4, 0.3), samples).getFirst();
        assertThat(model.trees()).hasSize(15);
        assertThat(model.logLosses()).hasSize(15).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThat(model.logLosses().getLast())
                .isCloseTo(Scores.logLoss(samples, model::probability), within(1e-9))
                .isLessThan(0.8 * model.logLosses().getFirst());
    }

    @Test
    @DisplayName("the trees are those of a plain program that tries each value of each feature as a threshold")
    void plainProgram() throws Exception {
        SampleRows samples = withGaps(SampleRows.labeled(230, 5, 44), 48);
        GradientBoosting settings = new GradientBoosting(6, 4, 0.5, 2, 1.5, 255);
        BoostingModel model = fit(3, settings, samples).getFirst();
        double[] margins = PlainBoosting.margins(settings, samples);
        double[] ours = IntStream.range(0, 230)
                .mapToDouble(row -> model.margin(samples.row(row)))
                .toArray();
        assertThat(ours).containsExactly(margins, within(1e-9));
        assertThat(model.trees()).allMatch(tree -> tree.size() > 7);
    }

    @Test
    @DisplayName("exclusive or of two features is learned, with trees of depth 2")
    void exclusiveOr() throws Exception {
        SampleRows samples = exclusiveOr(1_000, 45);
        BoostingModel deep = fit(2, new GradientBoosting(20, 3, 0.5), samples).getFirst();
        BoostingModel flat = fit(2, new GradientBoosting(20, 1, 0.5), samples).getFirst();
        SampleRows other = exclusiveOr(1_000, 46);
        assertThat(Scores.areaUnderRoc(other, deep::probability)).isGreaterThan(0.99);
        assertThat(Scores.areaUnderRoc(other, flat::probability)).isLessThan(0.7);
    }

    private static SampleRows exclusiveOr(int count, long seed) {
        double[] rows = new SplittableRandom(seed).doubles(2L * count, -1, 1).toArray();
        double[] labels = new double[count];
        Arrays.setAll(labels, row -> rows[2 * row] > 0 ^ rows[2 * row + 1] > 0 ? 1 : 0);
        return new SampleRows(rows, labels, 2);
    }

    @Test
    @DisplayName("the direction of missing values is learned: to the low side, to the high side, and alone")
    void missingValues() throws Exception {
        double gap = Double.NaN;
        assertLearned(new double[] {1, 2, 3, 4, gap}, new double[] {0, 0, 1, 1, 0});
        assertLearned(new double[] {1, 2, 3, 4, gap}, new double[] {0, 0, 1, 1, 1});
        assertLearned(new double[] {1, 2, 3, 4, gap}, new double[] {0, 0, 0, 0, 1});
        assertLearned(new double[] {1, 1, 1, 1, gap}, new double[] {1, 1, 1, 1, 0});
    }

    /// Trains with some rows of each value, and with trees of one split.
    private static void assertLearned(double[] values, double[] labels) throws Exception {
        double[] rows = new double[100];
        double[] all = new double[100];
        Arrays.setAll(rows, i -> values[i % values.length]);
        Arrays.setAll(all, i -> labels[i % labels.length]);
        BoostingModel model = fit(2, new GradientBoosting(30, 1, 0.5), new SampleRows(rows, all, 1))
                .getFirst();
        for (int i = 0; i < values.length; i++) {
            assertThat(model.probability(new double[] {values[i]})).isCloseTo(labels[i], within(0.1));
        }
    }

    @Test
    @DisplayName("labels that are all equal, and rows that are, have a model")
    void withoutSplits() throws Exception {
        BoostingModel ones = fit(2, new GradientBoosting(3, 3, 0.1), new SampleRows(new double[9], filled(9, 1), 1))
                .getFirst();
        assertThat(ones.trees()).allMatch(tree -> tree.size() == 1);
        assertThat(ones.probability(new double[1])).isGreaterThan(0.9);
        BoostingModel flat = fit(
                        1,
                        new GradientBoosting(400, 2, 1, 0, 0.1, 255),
                        new SampleRows(new double[4], new double[4], 1))
                .getFirst();
        assertThat(flat.probability(new double[1])).isBetween(0.0, 1e-6);
    }

    private static double[] filled(int length, double value) {
        double[] array = new double[length];
        Arrays.fill(array, value);
        return array;
    }

    @Test
    @DisplayName("a model can be sent")
    void serialization() throws Exception {
        SampleRows samples = SampleRows.labeled(300, 5, 47);
        BoostingModel model = fit(1, new GradientBoosting(3, 3, 0.1), samples).getFirst();
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes(model)))) {
            BoostingModel copy = (BoostingModel) in.readObject();
            assertThat(copy.probability(samples.row(7))).isEqualTo(model.probability(samples.row(7)));
        }
        assertThatThrownBy(() -> model.probability(new double[4]))
                .hasMessage("BoostingModel: a row of 4 numbers; the model has 5 features");
    }

    @Test
    @DisplayName("settings out of range are refused")
    void settings() {
        assertThatThrownBy(() -> new GradientBoosting(0, 3, 0.1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("GradientBoosting: trees is 0; it is at least 1");
        assertThatThrownBy(() -> new GradientBoosting(1, 17, 0.1)).hasMessageContaining("depth is 17");
        assertThatThrownBy(() -> new GradientBoosting(1, 1, 0)).hasMessageContaining("the learning rate is 0.0");
        assertThatThrownBy(() -> new GradientBoosting(1, 1, 1, -1, 1, 9)).hasMessageContaining("lambda is -1.0");
        assertThatThrownBy(() -> new GradientBoosting(1, 1, 1, 1, 0, 9)).hasMessageContaining("minChildWeight is 0.0");
        assertThatThrownBy(() -> new GradientBoosting(1, 1, 1, 1, 1, 256)).hasMessageContaining("bins is 256");
    }

    @Test
    @DisplayName("all PEs throw alike for the arguments of one of them")
    void wrongArguments() throws Exception {
        double[] infinite = {0, 1, Double.NEGATIVE_INFINITY, 3};
        assertRefused(
                pe -> pe == 1
                        ? new SampleRows(infinite, new double[2], 2)
                        : new SampleRows(new double[2], filled(1, 1), 2),
                "GradientBoosting.fit on PE 1: row 1 of this PE has -Infinity as number 0; only finite numbers and NaN"
                        + " are allowed");
        assertRefused(
                pe -> new SampleRows(new double[4], filled(2, pe == 2 ? 0.5 : 1), 2),
                "GradientBoosting.fit on PE 2: row 0 of this PE has the label 0.5; labels are 0 and 1");
        assertRefused(
                pe -> new SampleRows(new double[4], new double[2 + pe], 2),
                "GradientBoosting.fit on PE 1: 3 labels for 2 rows; each row has one");
        assertRefused(
                pe -> new SampleRows(new double[0], new double[0], 2),
                "GradientBoosting.fit: no PE has rows; at least 1 is needed");
        assertRefused(
                pe -> new SampleRows(new double[0], new double[0], pe + 1),
                "GradientBoosting.fit: the PEs pass different values of features; pass the same on all");
    }

    private static void assertRefused(IntFunction<SampleRows> parts, String message) throws Exception {
        assertThat(HostedPes.failures(3, world -> {
                    SampleRows part = parts.apply(world.pe());
                    return new GradientBoosting(2, 2, 0.1).fit(world, part.rows(), part.labels(), part.width());
                }))
                .hasSize(3)
                .allSatisfy(each -> assertThat(each)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(message));
    }
}

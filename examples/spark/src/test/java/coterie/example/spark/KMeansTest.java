// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KMeansTest {
    private static final int WIDTH = 7; // a group of four dimensions, and three alone

    private static List<KMeansModel> fit(int pes, KMeans settings, SampleRows samples) throws Exception {
        return HostedPes.run(
                pes, world -> settings.fit(world, samples.part(world.pe(), pes).rows(), samples.width()));
    }

    private static double cost(SampleRows samples, KMeansModel model) {
        double cost = 0;
        for (int row = 0; row < samples.count(); row++) {
            double[] center = model.centers()[model.cluster(samples.row(row))];
            for (int d = 0; d < center.length; d++) {
                cost += Math.pow(samples.row(row)[d] - center[d], 2);
            }
        }
        return cost;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    @DisplayName("all PEs have the same bits, and the cost is that of the centers")
    void sameBits(int pes) throws Exception {
        SampleRows samples = SampleRows.blobs(1_003, 6, WIDTH, 2, 1);
        List<KMeansModel> models = fit(pes, new KMeans(6, 5), samples);
        KMeansModel first = models.getFirst();
        assertThat(models).allSatisfy(each -> {
            assertThat(each.centers()).isDeepEqualTo(first.centers());
            assertThat(each.cost()).isEqualTo(first.cost());
            assertThat(each.iterations()).isEqualTo(first.iterations());
            assertThat(each.time()).isEqualTo(first.time()).isPositive();
        });
        assertThat(first.cost()).isCloseTo(cost(samples, first), within(1e-9 * first.cost()));
    }

    @ParameterizedTest
    @CsvSource({"2, 3", "3, 20", "4, 0"})
    @DisplayName("another number of PEs changes the result by rounding alone")
    void anyNumberOfPes(int pes, int maxIterations) throws Exception {
        SampleRows samples = SampleRows.blobs(2_000, 9, WIDTH, 4, 2);
        KMeans settings = new KMeans(9, maxIterations, 0, 11);
        KMeansModel one = fit(1, settings, samples).getFirst();
        KMeansModel many = fit(pes, settings, samples).getFirst();
        assertThat(many.iterations()).isEqualTo(one.iterations());
        assertThat(many.cost()).isCloseTo(one.cost(), within(1e-9 * one.cost()));
        for (int center = 0; center < 9; center++) {
            assertThat(many.centers()[center]).containsExactly(one.centers()[center], within(1e-9));
        }
    }

    @Test
    @DisplayName("the iterations are Lloyd's: a plain program that begins at the same seeds comes to the same centers")
    void plainProgram() throws Exception {
        SampleRows samples = SampleRows.blobs(700, 5, WIDTH, 4, 3);
        double[][] centers = fit(1, new KMeans(5, 0, 0, 4), samples).getFirst().centers();
        for (int i = 0; i < 8; i++) {
            centers = moved(samples, centers);
        }
        KMeansModel model = fit(3, new KMeans(5, 8, 0, 4), samples).getFirst();
        assertThat(model.iterations()).isEqualTo(8);
        for (int center = 0; center < 5; center++) {
            assertThat(model.centers()[center]).containsExactly(centers[center], within(1e-9));
        }
    }

    private static double[][] moved(SampleRows samples, double[][] centers) {
        double[][] sums = new double[centers.length][samples.width()];
        int[] counts = new int[centers.length];
        for (int row = 0; row < samples.count(); row++) {
            int nearest = 0;
            for (int center = 0; center < centers.length; center++) {
                if (square(samples.row(row), centers[center]) < square(samples.row(row), centers[nearest])) {
                    nearest = center;
                }
            }
            counts[nearest]++;
            for (int d = 0; d < samples.width(); d++) {
                sums[nearest][d] += samples.row(row)[d];
            }
        }
        for (int center = 0; center < centers.length; center++) {
            for (int d = 0; d < samples.width(); d++) {
                sums[center][d] = counts[center] == 0 ? centers[center][d] : sums[center][d] / counts[center];
            }
        }
        return sums;
    }

    private static double square(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return sum;
    }

    @Test
    @DisplayName("of twelve rows in three groups, the best of all partitions is found")
    void bestPartition() throws Exception {
        SampleRows samples = SampleRows.blobs(12, 3, 2, 0.5, 6);
        KMeansModel model = fit(2, new KMeans(3, 100, 0, 1), samples).getFirst();
        double best = Double.POSITIVE_INFINITY;
        for (int code = 0; code < 531_441; code++) { // 3^12
            best = Math.min(best, partitionCost(samples, code));
        }
        assertThat(model.cost()).isCloseTo(best, within(1e-9 * best));
    }

    /// Returns the cost of a partition into three: Σ|x|² − Σ|sum of a group|²/its count.
    private static double partitionCost(SampleRows samples, int code) {
        double[] x = new double[3];
        double[] y = new double[3];
        int[] counts = new int[3];
        double cost = 0;
        for (int row = 0, rest = code; row < 12; row++, rest /= 3) {
            double a = samples.rows()[2 * row];
            double b = samples.rows()[2 * row + 1];
            x[rest % 3] += a;
            y[rest % 3] += b;
            counts[rest % 3]++;
            cost += a * a + b * b;
        }
        for (int group = 0; group < 3; group++) {
            cost -= counts[group] == 0 ? 0 : (x[group] * x[group] + y[group] * y[group]) / counts[group];
        }
        return cost;
    }

    @Test
    @DisplayName("if rows are equal, centers without rows keep their place")
    void equalRows() throws Exception {
        double[] rows = new double[2 * 50];
        Arrays.fill(rows, 3);
        rows[0] = 4;
        KMeansModel model =
                fit(3, new KMeans(5, 1), new SampleRows(rows, new double[0], 2)).getFirst();
        assertThat(model.cost()).isZero();
        assertThat(Arrays.stream(model.centers()).map(Arrays::toString))
                .hasSize(5)
                .containsOnly("[4.0, 3.0]", "[3.0, 3.0]");
    }

    @Test
    @DisplayName("the iterations end when no center has moved by more than the tolerance, and not before")
    void tolerance() throws Exception {
        SampleRows samples = SampleRows.blobs(1_000, 8, 3, 3, 8);
        int last = fit(2, new KMeans(8, 500, 0.2, 1), samples).getFirst().iterations();
        double[][][] centers = new double[3][][];
        for (int i = 0; i < 3; i++) {
            centers[i] = fit(2, new KMeans(8, last - 2 + i, 0, 1), samples)
                    .getFirst()
                    .centers();
        }
        assertThat(longestMove(centers[0], centers[1])).isGreaterThan(0.2);
        assertThat(longestMove(centers[1], centers[2])).isBetween(1e-9, 0.2);
    }

    private static double longestMove(double[][] before, double[][] after) {
        return IntStream.range(0, before.length)
                .mapToDouble(center -> Math.sqrt(square(before[center], after[center])))
                .max()
                .orElseThrow();
    }

    @Test
    @DisplayName("settings out of range are refused")
    void settings() {
        assertThatThrownBy(() -> new KMeans(0, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("KMeans: k is 0; at least 1 cluster is needed");
        assertThatThrownBy(() -> new KMeans(2, -1, 0, 1)).hasMessageContaining("maxIterations is -1");
        assertThatThrownBy(() -> new KMeans(2, 1, Double.NaN, 1)).hasMessageContaining("the tolerance is NaN");
    }

    @Test
    @DisplayName("all PEs throw alike for the rows of one of them")
    void wrongRows() throws Exception {
        assertRefused(
                pe -> pe == 2 ? new double[] {1, 2, 3, Double.NaN} : new double[] {1, 2},
                pe -> 2,
                "KMeans.fit on PE 2: row 1 of this PE has NaN as number 1; only finite numbers are allowed");
        assertRefused(
                pe -> pe == 0 ? new double[] {1, 2} : new double[3],
                pe -> 2,
                "KMeans.fit on PE 1: 3 numbers are no whole rows of 2");
        assertRefused(
                pe -> pe == 1 ? null : new double[2],
                pe -> 2,
                "KMeans.fit on PE 1: the rows are null; a PE without rows passes an empty array");
        assertRefused(pe -> new double[2], pe -> 0, "KMeans.fit on PE 0: rows of 0 numbers; a row has at least 1");
        assertRefused(
                pe -> new double[6],
                pe -> pe + 1,
                "KMeans.fit: the PEs pass different values of dimensions; pass the same on all");
        assertRefused(pe -> new double[pe], pe -> 2, "KMeans.fit on PE 1: 1 numbers are no whole rows of 2");
        assertRefused(
                pe -> new double[pe == 1 ? 2 : 0],
                pe -> 2,
                "KMeans.fit: all PEs together have 1 rows; 2 clusters need at least as many");
    }

    private static void assertRefused(IntFunction<double[]> rows, IntUnaryOperator dimensions, String message)
            throws Exception {
        KMeans settings = new KMeans(2, 1);
        assertThat(HostedPes.failures(
                        3, world -> settings.fit(world, rows.apply(world.pe()), dimensions.applyAsInt(world.pe()))))
                .hasSize(3)
                .allSatisfy(each -> assertThat(each)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(message));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @DisplayName("all PEs throw alike if squares are too large")
    void largeRows(int k) throws Exception {
        assertThat(HostedPes.failures(3, world -> new KMeans(k, 1).fit(world, new double[] {world.pe() * 1e200}, 1)))
                .allSatisfy(each -> assertThat(each)
                        .isInstanceOf(ArithmeticException.class)
                        .hasMessage("KMeans.fit: the squared distances of the rows come to Infinity; scale the rows to"
                                + " smaller numbers"));
    }
}

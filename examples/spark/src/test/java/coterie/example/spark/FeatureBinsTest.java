// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FeatureBinsTest {
    @Test
    @DisplayName("few values have a bin each, with cuts in the middle")
    void fewValues() {
        double[] values = {3, 1, Double.NaN, 1, 2, 3, 3};
        assertThat(FeatureBins.cuts(values.clone(), 3)).containsExactly(1.5, 2.5);
        assertThat(FeatureBins.cuts(values.clone(), 255)).containsExactly(1.5, 2.5);
        assertThat(FeatureBins.cuts(values.clone(), 2)).containsExactly(2.5);
        assertThat(FeatureBins.cuts(new double[] {7, 7}, 255)).isEmpty();
        assertThat(FeatureBins.cuts(new double[] {Double.NaN}, 255)).isEmpty();
        assertThat(FeatureBins.cuts(new double[0], 255)).isEmpty();
    }

    @Test
    @DisplayName("a cut is below the upper of two values, also where rounding or overflow leaves no middle")
    void neighbors() {
        double next = Math.nextUp(1.0);
        assertThat(FeatureBins.cuts(new double[] {1, next}, 2)).containsExactly(1.0);
        assertThat(FeatureBins.cuts(new double[] {0, Double.MIN_VALUE}, 2)).containsExactly(0.0);
        assertThat(FeatureBins.cuts(new double[] {-Double.MAX_VALUE, Double.MAX_VALUE}, 2))
                .containsExactly(0.0);
    }

    @Test
    @DisplayName("many values have bins with the same number of rows")
    void quantiles() {
        double[] values = IntStream.range(0, 1_000).mapToDouble(i -> i * i).toArray();
        double[] cuts = FeatureBins.cuts(values.clone(), 10);
        assertThat(cuts).hasSize(9).isSorted();
        Map<Integer, Integer> counts = new HashMap<>();
        for (double value : values) {
            counts.merge((int) Arrays.stream(cuts).filter(cut -> value > cut).count(), 1, Integer::sum);
        }
        assertThat(counts)
                .hasSize(10)
                .allSatisfy((bin, count) -> assertThat(count).isEqualTo(100));
    }

    @Test
    @DisplayName("a value of many rows has one bin, and no cut is there twice")
    void heavyValue() {
        double[] values =
                IntStream.range(0, 1_000).mapToDouble(i -> Math.max(0, i - 700)).toArray();
        double[] cuts = FeatureBins.cuts(values, 10);
        assertThat(cuts).isSorted().doesNotHaveDuplicates().hasSize(3);
        assertThat(cuts[0]).isEqualTo(0.5);
    }

    @Test
    @DisplayName("all PEs have the same cuts, which do not depend on the number of PEs, also of a sample")
    void samePes() throws Exception {
        SampleRows samples = SampleRows.blobs(FeatureBins.SAMPLE + 9_999, 3, 3, 1, 31);
        List<Double> one = thresholds(1, samples).getFirst();
        assertThat(one).hasSize(3 * 19).doesNotContain(Double.POSITIVE_INFINITY);
        for (int pes = 2; pes <= 4; pes++) {
            assertThat(thresholds(pes, samples)).hasSize(pes).containsOnly(one);
        }
    }

    private static List<List<Double>> thresholds(int pes, SampleRows samples) throws Exception {
        return HostedPes.run(pes, world -> {
            SampleRows part = samples.part(world.pe(), pes);
            RowNumbers numbers = RowNumbers.of(world, part.count());
            FeatureBins bins = FeatureBins.of(world.team(), part.rows(), numbers, 3, 20);
            return IntStream.range(0, 3 * 19)
                    .mapToObj(i -> bins.threshold(i / 19, i % 19))
                    .toList();
        });
    }

    @Test
    @DisplayName("codes agree with the thresholds")
    void codes() throws Exception {
        SampleRows samples = SampleRows.blobs(500, 3, 2, 1, 32);
        samples.rows()[7] = Double.NaN;
        HostedPes.run(1, world -> {
            FeatureBins bins = FeatureBins.of(world.team(), samples.rows(), RowNumbers.of(world, 500), 2, 255);
            byte[] codes = bins.codes(samples.rows());
            for (int i = 0; i < codes.length; i++) {
                int code = codes[i] & 0xff;
                double value = samples.rows()[i];
                if (Double.isNaN(value)) {
                    assertThat(code).isEqualTo(bins.missing(i % 2));
                } else {
                    assertThat(value).isLessThanOrEqualTo(bins.threshold(i % 2, code));
                    assertThat(code == 0 || value > bins.threshold(i % 2, code - 1))
                            .isTrue();
                }
            }
            assertThat(bins.slots()).isEqualTo(bins.missing(0) + bins.missing(1) + 2);
            return null;
        });
    }
}

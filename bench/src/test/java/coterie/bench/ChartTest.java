// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChartTest {

    @Test
    @DisplayName("a point lies where its logarithms are, between whole powers of the axes' bases")
    void placesPoints() {
        Chart chart = Chart.byCount("a < b", "PEs", "ns");
        chart.curve("one", Map.of(2.0, 100.0, 8.0, 10_000.0, 4.0, 1000.0));

        assertThat(chart.svg())
                .contains("<polyline points='80.0,380.0 380.0,215.0 680.0,50.0'")
                .contains(">10,000<")
                .contains(">a &lt; b<")
                .endsWith("</svg>\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 7, 12, 20, 23, 31, 40, 62})
    @DisplayName("labels of the horizontal axis leave room between them, and some are there")
    void labelsFit(int powers) {
        for (Chart chart : List.of(Chart.byBytes("", ""), Chart.byCount("", "PEs", ""))) {
            chart.curve("one", Map.of(1.0, 1.0, Math.scalb(1.0, powers), 10.0));
            Matcher labels = Pattern.compile("<text x='([0-9.]+)' y='400.0' text-anchor='middle'>([^<]+)<")
                    .matcher(chart.svg());
            double end = 0;
            int count = 0;
            while (labels.find()) {
                double half = labels.group(2).length() * 8 / 2.0; // a digit has 7 to 8 units at this size
                double middle = Double.parseDouble(labels.group(1));
                assertThat(middle - half).as(labels.group(2)).isGreaterThan(end);
                end = middle + half;
                count++;
            }
            assertThat(count).isGreaterThan(1);
        }
    }

    @Test
    @DisplayName("sizes are written as options take them")
    void sizes() {
        Chart chart = Chart.byBytes("", "");
        chart.curve("one", Map.of(1024.0, 1.0, 2048.0, 1.0, 1048576.0, 10.0));
        assertThat(chart.svg()).contains(">1k<", ">4k<", ">1m<").doesNotContain("1,024");
    }

    @Test
    @DisplayName("values that are all the same leave an axis its width")
    void oneValue() {
        Chart chart = Chart.byCount("", "", "");
        chart.curve("one", Map.of(2.0, 10.0));
        assertThat(chart.svg()).contains("<polyline points='80.0,380.0'").doesNotContain("NaN");
    }

    @Test
    @DisplayName("rows of a sweep become a curve for each exchange")
    void picture() {
        String svg = Plot.picture(List.of(
                Prediction.HEADER,
                "2,barrier,430,2.247,1104980,40769536",
                "2,halo,1152,1.732,1104980,40769536",
                "4,barrier,540,6.916,569960,20756480",
                "4,halo,948,3.763,569960,20756480"));
        assertThat(svg).contains(">barrier<").contains(">halo<").doesNotContain(">sum<");
        assertThat(svg.lines().filter(line -> line.startsWith("<circle"))).hasSize(4);
    }

    @Test
    @DisplayName("a row is read as it was written, and what is none is refused with what a row is")
    void rows() {
        Prediction row = new Prediction(64, Scale.ScaledOperation.SUM, 3540, 16.618, 98_587, 2_196_032);
        assertThat(row.row()).isEqualTo("64,sum,3540,16.618,98587,2196032");
        assertThat(Prediction.parse(row.row())).isEqualTo(row);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prediction.parse("64,sum,3540"))
                .withMessageContaining("has 3 columns, not 6: " + Prediction.HEADER);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Prediction.parse("64,product,3540,1,2,3"))
                .withMessageContaining("is no row of pes,operation");
    }

    @Test
    @DisplayName("in the torus every PE is the neighbour of its neighbours, on the opposite side, at any size")
    void torus() {
        for (int size = 1; size <= 64; size++) {
            for (int pe = 0; pe < size; pe++) {
                int[] neighbours = Scale.neighbours(pe, size);
                for (int side = 0; side < neighbours.length; side++) {
                    assertThat(Scale.neighbours(neighbours[side], size)[side ^ 1])
                            .as("PE %d of %d, side %d", pe, size, side)
                            .isEqualTo(pe);
                }
            }
        }
    }
}

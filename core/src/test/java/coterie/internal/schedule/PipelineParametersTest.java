// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineParametersTest {
    private static final PipelineParameters AUTOMATIC = new PipelineParameters(5, 6, 7, 8, FragmentOrder.ORDERED);

    @Test
    @DisplayName("all words are read, in any order and case, and written again")
    void reads() {
        PipelineParameters all = read("thresh=64k:fragsize=1m:nfrags=4:pdepth=2:ordered");
        assertThat(all).isEqualTo(new PipelineParameters(64 << 10, 1 << 20, 4, 2, FragmentOrder.ORDERED));
        assertThat(read("PARALLEL:pdepth=3:Thresh=0"))
                .isEqualTo(new PipelineParameters(0, Long.MAX_VALUE, 2, 3, FragmentOrder.PARALLEL));
        assertThat(read("thresh=12:fragsize=3GB:order=sequential"))
                .isEqualTo(new PipelineParameters(12, 3L << 30, 2, 2, FragmentOrder.SEQUENTIAL));
        assertThat(all).hasToString("thresh=64k:fragsize=1m:nfrags=4:pdepth=2:ordered");
        for (String text : new String[] {"n", "thresh=0:fragsize=inf:nfrags=1:pdepth=9:parallel", all.toString()}) {
            assertThat(read(text)).hasToString(text);
        }
        assertThat(read("N")).isEqualTo(PipelineParameters.NONE);
        assertThat(read(" auto ")).isSameAs(AUTOMATIC);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', delimiter = '|', textBlock = """
            thresh=64k:fragsize=0        | 12 | fragsize=0 is not a number of bytes in [1, 2^63), such as 64k, or inf
            thresh=64x                   | 1  | thresh=64x is not a number of bytes in [0, 2^63), such as 64k, or inf
            thresh=8388608t              | 1  | thresh=8388608t is not a number of bytes in [0, 2^63), such as 64k, or inf
            thresh=1:nfrags=0            | 10 | nfrags=0 is outside [1, 2147483647]
            thresh=1:nfrags=many         | 10 | nfrags=many is not a number in [1, 2147483647]
            thresh=1:pdepth=2:pdepth=3   | 19 | pdepth is given twice
            thresh=1:ordered:parallel    | 18 | order is given twice
            thresh=1:chaotic             | 10 | 'chaotic' is not one of parallel, ordered, sequential and key=value
            thresh=1::ordered            | 10 | '' is not one of parallel, ordered, sequential and key=value
            thresh=1:depth=2             | 10 | 'depth' is not one of thresh, fragsize, nfrags, pdepth and order
            nfrags=4                     | 1  | thresh is missing; add thresh=0 to fragment messages of every size
            """)
    @DisplayName("what can't be read is refused with its column")
    void refuses(String text, int column, String why) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("pipelining \"" + text + "\", column " + column + ": " + why.replace('\'', '"'));
    }

    @Test
    @DisplayName("data beyond the threshold are cut into fragments that are small enough, and at least so many")
    void fragments() {
        PipelineParameters cut = read("thresh=100:fragsize=50:nfrags=4:pdepth=3");
        assertThat(cut.fragments(0)).isOne();
        assertThat(cut.fragments(100)).isOne();
        assertThat(cut.fragments(101)).isEqualTo(4);
        assertThat(cut.fragments(200)).isEqualTo(4);
        assertThat(cut.fragments(201)).isEqualTo(5);
        assertThat(cut.depth(2)).isEqualTo(2);
        assertThat(cut.depth(5)).isEqualTo(3);
        assertThat(PipelineParameters.NONE.fragments(Long.MAX_VALUE)).isOne();
        assertThat(read("thresh=0:fragsize=1").fragments(1L << 40)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    @DisplayName("fragments share evenly, cover everything once, and none is empty where there is enough")
    void begins() {
        for (long units : new long[] {11, 12, 21, 32, 1L << 40}) {
            long before = 0;
            for (int fragment = 0; fragment < 11; fragment++) {
                assertThat(PipelineParameters.begin(units, 11, fragment)).isEqualTo(before);
                long length = PipelineParameters.begin(units, 11, fragment + 1) - before;
                assertThat(length).isBetween(units / 11, Math.ceilDiv(units, 11));
                before += length;
            }
            assertThat(before).isEqualTo(units);
        }
    }

    private static PipelineParameters read(String text) {
        return PipelineParameters.parse(text, AUTOMATIC);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import coterie.layer.Arguments.Order;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CollectiveShapeTest {
    private static final BlockLayout NONE = BlockLayout.Even.NONE;

    private static BlockLayout blocks(String lengths) {
        return lengths.equals("-")
                ? NONE
                : BlockLayout.Listed.dense(Pattern.compile(" ")
                        .splitAsStream(lengths)
                        .mapToLong(Long::parseLong)
                        .toArray());
    }

    @ParameterizedTest(name = "{0} of member {1}, from {2} to {3}: {4}")
    @CsvSource({
        "BARRIER, 0, -, -, 0",
        "FAN_IN, 0, -, -, 0",
        "FAN_OUT, 0, -, -, 0",
        "BROADCAST, 0, 5, -, 5",
        "BROADCAST, 1, -, 5, 5",
        "ALL_REDUCE, 1, 5, 5, 5",
        "REDUCE, 1, 5, -, 5",
        "ALL_GATHER, 1, 5, 5 5 5, 15",
        "ALL_GATHER_V, 1, 5, 3 5 7, 15",
        "ALL_TO_ALL, 1, 5 5 5, 5 5 5, 15",
        "ALL_TO_ALL_V, 1, 5 6 7, 1 2 3, 0",
        "REDUCE_SCATTER, 1, 5 5 5, 5, 5",
        "REDUCE_SCATTER_V, 1, 3 5 8, 5, 16",
        "GATHER, 0, 5, 5 5 5, 15",
        "GATHER, 1, 5, -, 15",
        "GATHER_V, 0, 5, 5 6 7, 0",
        "SCATTER, 0, 5 5 5, 5, 15",
        "SCATTER, 1, -, 5, 15",
        "SCATTER_V, 1, -, 5, 0",
        "INCLUSIVE_SCAN, 1, 5, 5, 5",
        "EXCLUSIVE_SCAN, 1, 5, 5, 5",
    })
    @DisplayName("the size by which an algorithm is chosen is the same wherever it is asked for")
    void bytes(CollectiveType type, int me, String source, String target, long expected) {
        CollectiveShape shape =
                new CollectiveShape(type, 3, me, 0, 1, Order.ANY, false, blocks(source), blocks(target), 2);
        assertThat(shape.bytes()).isEqualTo(expected);
    }
}

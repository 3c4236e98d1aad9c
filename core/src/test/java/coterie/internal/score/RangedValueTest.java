// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import coterie.collective.MemoryType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangedValueTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0-4K:host:8,auto           | 1024                | 8
                    0-4K:host:8,auto           | 4095                | 8
                    0-4K:host:8,auto           | 4096                | -1
                    0-4K:host:8,auto           | 8192                | -1
                    0-4k:host:8                | 8192                | -1
                    0-4k:8,5                   | 4096                | 5
                    host:3                     | 0                   | 3
                    HOST:0-4k:3,9              | 0                   | 3
                    cuda:0-4k:3,9              | 0                   | 9
                    cuda^host^rocm:0-4k:3,9    | 0                   | 3
                    0-1k:2,0-4k:4,AUTO         | 512                 | 2
                    0-1k:2,0-4k:4,auto         | 1024                | 4
                    4k-inf:inf,2               | 9223372036854775807 | 2147483647
                    7                          | 5                   | 7
                    auto                       | 5                   | -1
                    0                          | 5                   | 0
                    """)
    @DisplayName("UC-10 the first entry that fits holds, auto where none does")
    void values(String text, long bytes, int value) {
        RangedValue ranged = RangedValue.parse("RADIX", text, 0);
        assertThat(ranged.at(MemoryType.HOST, bytes)).isEqualTo(value);
        assertThat(ranged).hasToString(text);
        assertThat(RangedValue.AUTO).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0-4k:host:8:9,auto | 13 | "9" is one part too many
                    0-4k:host:x,auto   | 11 | "x" is not a value
                    0-4k:host:8,x      | 13 | "x" is not a value
                    0-4k:hots:8,auto   | 6  | "hots" is not a memory
                    host^gpu:8         | 6  | "gpu" is not a memory
                    0-4x:host:8,auto   | 1  | "0-4x" is not a range of sizes
                    4k:host:8,auto     | 1  | "4k" is not a range of sizes
                    8k-4k:host:8,auto  | 1  | "8k-4k" is an empty range of sizes
                    host:cuda:8        | 6  | "cuda" does not fit
                    0-1:1-2:8          | 5  | "1-2" is not a memory
                    ''                 | 1  | "" is not a value
                    8,                 | 3  | "" is not a value
                    0-4k:,auto         | 6  | "" is not a value
                    2147483648         | 1  | "2147483648" is not a value
                    -1                 | 1  | "-1" is not a value
                    """)
    @DisplayName("UC-10 what can't be read is reported with its column and what is allowed")
    void refusals(String text, int column, String wrong) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RangedValue.parse("RADIX", text, 0))
                .withMessageStartingWith("RADIX, column %d: %s; allowed: ", column, wrong);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "4096, 4096",
        "64k, 65536",
        "64K, 65536",
        "512m, 536870912",
        "2g, 2147483648",
        "3T, 3298534883328",
        "999999999999999999, 999999999999999999",
        "8388607t, 9223370937343148032",
        "1.5g, 1610612736",
        "3.1M, 3250586",
        ".5m, 524288",
        "20kk, 20480",
        "0.5k, 512",
        "0.0001k, 1",
        "9223372036854775807, 9223372036854775807",
        "0.0009765625k, 1",
        "100.25t, 110226040684544"
    })
    @DisplayName("a number is bytes; k, m, g, t multiply by 1024 each, and a fraction of a byte counts as one")
    void reads(String text, long bytes) {
        assertThat(ByteSize.parse("--heap", text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "0m",
                "-1",
                "k",
                "1_000",
                "8e",
                "1.5",
                "1.g",
                "1.5.5g",
                "1,5g",
                "0x10",
                "m1",
                "8388608t",
                "9999999999999999999",
                "١"
            })
    @DisplayName("anything else is refused with the form that would be right")
    void refuses(String text) {
        assertThatThrownBy(() -> ByteSize.parse("--heap", text))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--heap " + text)
                .hasMessageContaining("512m");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "1 k", "64m ", "\t8"})
    @DisplayName("blanks are refused, and seen in the message")
    void showsBlanks(String text) {
        assertThatThrownBy(() -> ByteSize.parse("--heap", text))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--heap \"" + text + "\": expected a size in [1, 2^63): ");
    }
}

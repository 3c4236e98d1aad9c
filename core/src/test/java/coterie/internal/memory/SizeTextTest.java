// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeTextTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0m, 0",
        "1, 1",
        "64b, 64",
        "0064, 64",
        "64k, 65536",
        "64K, 65536",
        "64kB, 65536",
        "64KiB, 65536",
        "20m, 20971520",
        "3.1M, 3250586",
        ".5m, 524288",
        "0.5m, 524288",
        "1.5g, 1610612736",
        "1GIB, 1073741824",
        "0.0001k, 1",
        "0.00000000000000000001t, 1",
        "100.25t, 110226040684544",
        "8388607t, 9223370937343148032",
        "8388607.999999999999t, 9223372036854775807",
        "9223372036854775807, 9223372036854775807"
    })
    @DisplayName("a size is the least number of bytes that is not below what the text says, in each locale")
    void reads(String text, long bytes) {
        Locale before = Locale.getDefault();
        try {
            for (String tag : new String[] {"en", "tr", "ar-EG"}) {
                Locale.setDefault(Locale.forLanguageTag(tag));
                assertThat(SizeText.parse(text)).as(tag).hasValue(bytes);
                assertThat(SizeText.parseHeap(text)).as(tag).hasValue(bytes);
                assertThat(SizeText.parse(SizeText.format(bytes))).as(tag).hasValue(bytes);
            }
        } finally {
            Locale.setDefault(before);
        }
    }

    @ParameterizedTest
    @CsvSource({"20kk, 20480", "512mega, 536870912", "3.1MM, 3250586"})
    @DisplayName("letters after the unit are ignored for a heap, as by OpenSHMEM, and refused elsewhere")
    void lettersAfterTheUnit(String text, long bytes) {
        assertThat(SizeText.parseHeap(text)).hasValue(bytes);
        assertThat(SizeText.parse(text)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                ".",
                "k",
                ".k",
                "-1",
                "+1",
                "1_000",
                "1,5g",
                "1.5",
                "1.g",
                "1.5.5g",
                "8e",
                "8e3",
                "0x10",
                "m1",
                "1 k",
                " 1k",
                "1k ",
                "1g5",
                "١",
                "١k",
                "1\u212A",
                "inf",
                "NaN",
                "8388608t",
                "9223372036854775808",
                "9223372036854775807.5k"
            })
    @DisplayName("anything else is no size")
    void refuses(String text) {
        assertThat(SizeText.parse(text)).isEmpty();
        assertThat(SizeText.parseHeap(text)).isEmpty();
    }

    @Test
    @DisplayName("a text of any length is answered")
    void longTexts() {
        assertThat(SizeText.parse("1".repeat(100_000))).isEmpty();
        assertThat(SizeText.parse("1." + "1".repeat(100_000) + "k")).isEmpty();
    }
}

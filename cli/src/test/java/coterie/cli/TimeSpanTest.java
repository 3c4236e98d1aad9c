// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeSpanTest {
    @ParameterizedTest
    @CsvSource({
        "500ms, PT0.5S",
        "30s, PT30S",
        "5m, PT5M",
        "1h30m, PT1H30M",
        "2d1ms, PT48H0.001S",
        "PT5M, PT5M",
        "0s, PT0S",
        "3650d, PT87600H"
    })
    @DisplayName("numbers with units add up; ISO forms are read as well")
    void reads(String text, Duration span) {
        assertThat(TimeSpan.parse("--timeout", text)).isEqualTo(span);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "30",
                "s",
                "30 s",
                "-5s",
                "PT-5S",
                "P",
                "1h30",
                "5x",
                "1.5h",
                "3651d",
                "99999999999999999999s"
            })
    @DisplayName("anything else is refused with the form that would be right")
    void refuses(String text) {
        assertThatThrownBy(() -> TimeSpan.parse("--timeout", text))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--timeout " + text)
                .hasMessageContaining("1h30m");
    }
}

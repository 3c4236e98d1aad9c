// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.nvrtc;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.cuda.driver.LibCuda;
import coterie.cuda.fake.FakeDriver;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompilerChoiceTest {
    @ParameterizedTest
    @CsvSource({"12000, libnvrtc.so.12", "12080, libnvrtc.so.12", "13000, ''", "13010, ''"})
    @DisplayName("a driver of CUDA 12 has the compiler of CUDA 12 if both are there, a newer one the newest")
    void forDriver(int version, String first) {
        LibCuda driver = LibCuda.over(new FakeDriver().version(version));
        assertThat(LibNvrtc.nameFor(driver, ""))
                .startsWith(first)
                .isEqualTo(first.isEmpty() ? "" : first + ":libnvrtc.so.13:libnvrtc.so");
    }

    @Test
    @DisplayName("what users have set is used whatever the driver is, also a file with a colon in its name")
    void set() {
        LibCuda driver = LibCuda.over(new FakeDriver().version(12_000));
        assertThat(LibNvrtc.nameFor(driver, "/opt/a:b/libnvrtc.so")).isEqualTo("/opt/a:b/libnvrtc.so");
        assertThat(LibNvrtc.missing("/opt/a:b/libnvrtc.so")).startsWith("/opt/a:b/libnvrtc.so not found");
    }
}

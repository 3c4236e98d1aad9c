// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JdkFaultsTest {
    @ParameterizedTest
    @CsvSource({
        "25, amd64, '', JDK-8377811",
        "25.0.1, aarch64, '', JDK-8377811 JDK-8369506",
        "25.0.2, aarch64, '', JDK-8377811",
        "25.0.2, amd64, -Xmx1g -XX:+UseCompactObjectHeaders, JDK-8377811 JDK-8380060",
        "25.0.3, aarch64, '', ''",
        "25.0.4, amd64, -XX:+UseCompactObjectHeaders, JDK-8380060",
        "26, amd64, -XX:+UseCompactObjectHeaders, ''"
    })
    @DisplayName("each update of JDK 25 has the faults that corrupt data on its processor and with its options")
    void updates(String version, String architecture, String options, String bugs) {
        List<JdkFaults.Fault> faults =
                JdkFaults.of(new JdkFaults.Jvm(Runtime.Version.parse(version), architecture, options));
        assertThat(faults).hasSize(bugs.isEmpty() ? 0 : bugs.split(" ", -1).length);
        for (String bug : bugs.split(" ", -1)) {
            assertThat(String.join(
                            " ", faults.stream().map(JdkFaults.Fault::text).toList()))
                    .contains(bug);
        }
        assertThat(faults).allMatch(fault -> !fault.remedy().isEmpty());
    }
}

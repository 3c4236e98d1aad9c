// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ExecutorJvmTest {
    private static final List<String> G1 = List.of("G1 Young Generation", "G1 Old Generation");
    private static final List<String> PARALLEL = List.of("PS MarkSweep", "PS Scavenge");

    @Test
    void goodJvms() {
        assertThat(ExecutorJvm.warnings(Runtime.Version.parse("25.0.3"), G1, true))
                .isEmpty();
        assertThat(ExecutorJvm.warnings(Runtime.Version.parse("26"), G1, true)).isEmpty();
        assertThat(ExecutorJvm.warnings(Runtime.Version.parse("25"), PARALLEL, true))
                .isEmpty();
    }

    @Test
    void earlyVersionsWithG1() {
        for (String early : List.of("25", "25.0.1", "25.0.2+10-LTS")) {
            assertThat(ExecutorJvm.warnings(Runtime.Version.parse(early), G1, true))
                    .singleElement()
                    .asString()
                    .contains("Java " + early + " with the G1 collector")
                    .contains("JDK-8377811")
                    .contains("spark.executor.extraJavaOptions");
        }
    }

    @Test
    void noNativeAccess() {
        assertThat(ExecutorJvm.warnings(Runtime.Version.parse("25.0.3"), G1, false))
                .singleElement()
                .asString()
                .contains("--enable-native-access=ALL-UNNAMED");
    }
}

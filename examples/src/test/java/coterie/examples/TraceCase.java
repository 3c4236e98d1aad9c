// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/// What the tests of `./coterie trace` have in common.
abstract class TraceCase {
    @TempDir
    Path folder;

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    ProgramRun trace(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("trace", "--timeout", "60s", "-o", folder.toString()));
        command.addAll(List.of(words));
        return ProgramRun.coterie(Map.of(), command);
    }

    static String program(String name) {
        return ProgramRun.EXAMPLES.resolve(name).toString();
    }
}

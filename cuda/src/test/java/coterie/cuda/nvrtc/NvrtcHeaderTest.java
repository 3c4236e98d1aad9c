// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.nvrtc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.cuda.Toolkit;
import coterie.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The table of the binding, compared with `nvrtc.h` by a C compiler. Some installations of the toolkit have no such
/// header; COTERIE_NVRTC_INCLUDE or CUDA_HOME names a folder that has it.
class NvrtcHeaderTest {
    @TempDir
    private Path folder;

    @Test
    @DisplayName("functions of NVRTC have the parameters of the header")
    void functions() throws IOException, InterruptedException {
        Path include = include();
        boolean isThere = Files.exists(include.resolve("nvrtc.h"));
        assumeTrue(isThere, Tool.sentence("nvrtc.h", "set COTERIE_NVRTC_INCLUDE or CUDA_HOME"));
        StringBuilder body = new StringBuilder("#include <nvrtc.h>\n#include <stdio.h>\nint main(void) {\n");
        for (NvrtcFunction each : NvrtcFunction.values()) {
            body.append("_Static_assert(__builtin_types_compatible_p(__typeof__(&" + each.symbol()
                    + "), nvrtcResult (*)(" + each.parameters() + ")), \"" + each + "\");\n");
        }
        Path program = Toolkit.compile(
                folder, body + "puts(\"good\");\nreturn 0;\n}\n", folder.resolve("facts"), "-I" + include);
        assertThat(Toolkit.output(List.of(program.toString())).lines()).containsExactly("good");
    }

    private static Path include() {
        String named = System.getenv("COTERIE_NVRTC_INCLUDE");
        String home = System.getenv("CUDA_HOME");
        return named != null ? Path.of(named) : Path.of(home == null ? "/usr/local/cuda" : home, "include");
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.nccl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.CoterieException;
import coterie.cuda.Toolkit;
import coterie.cuda.fake.FakeNccl;
import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.io.IOException;
import java.lang.foreign.MemoryLayout.PathElement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The binding of NCCL, compared with `nccl.h` by a C compiler, and the library where it is installed: it loads
/// without a device.
class NcclHeaderTest {
    @TempDir
    private Path folder;

    private List<String> lines(String body) throws IOException, InterruptedException {
        String include = System.getenv("COTERIE_NCCL_INCLUDE");
        boolean isThere = include != null && Files.exists(Path.of(include, "nccl.h"));
        assumeTrue(isThere, Tool.sentence("nccl.h", "set COTERIE_NCCL_INCLUDE"));
        Path program = Toolkit.compile(
                folder,
                "#include <nccl.h>\n#include <stddef.h>\n#include <stdio.h>\nint main(void) {\n" + body
                        + "return 0;\n}\n",
                folder.resolve("facts"),
                "-I" + include);
        return Toolkit.output(List.of(program.toString())).lines().toList();
    }

    @Test
    @DisplayName("constants have the values of the header")
    void constants() throws IOException, InterruptedException {
        StringBuilder body = new StringBuilder();
        List<String> ours = new ArrayList<>();
        for (NcclConstant each : NcclConstant.values()) {
            body.append("printf(\"%s %d\\n\", \"" + each + "\", (int) " + each + ");\n");
            ours.add(each + " " + each.value());
        }
        assertThat(lines(body.toString())).isEqualTo(ours);
    }

    @Test
    @DisplayName("functions have the parameters of the header")
    void functions() throws IOException, InterruptedException {
        StringBuilder body = new StringBuilder();
        for (NcclFunction each : NcclFunction.values()) {
            boolean isText = each == NcclFunction.GET_ERROR_STRING || each == NcclFunction.GET_LAST_ERROR;
            body.append("_Static_assert(__builtin_types_compatible_p(__typeof__(&" + each.symbol() + "), "
                    + (isText ? "const char *" : "ncclResult_t") + " (*)(" + each.parameters() + ")), \"" + each
                    + "\");\n");
        }
        // In C, empty parentheses are compatible with (void).
        assertThat(lines(body + "puts(\"good\");\n")).containsExactly("good");
    }

    @Test
    @DisplayName("the structures begin as the header has them")
    void structures() throws IOException, InterruptedException {
        StringBuilder body = new StringBuilder("printf(\"%zu\\n\", sizeof(ncclUniqueId));\n");
        List<String> ours = new ArrayList<>(List.of(Long.toString(LibNccl.ID.byteSize())));
        for (String field : List.of("size", "magic", "version", "blocking")) {
            body.append("printf(\"" + field + " %zu %zu\\n\", offsetof(ncclConfig_t, " + field
                    + "), sizeof(((ncclConfig_t *) 0)->" + field + "));\n");
            ours.add(field + " " + LibNccl.CONFIG.byteOffset(PathElement.groupElement(field)) + " "
                    + LibNccl.CONFIG.select(PathElement.groupElement(field)).byteSize());
        }
        body.append("ncclConfig_t config = NCCL_CONFIG_INITIALIZER;\nprintf(\"%x\\n\", config.magic);\n");
        ours.add(Integer.toHexString(LibNccl.MAGIC));
        body.append("printf(\"%d\\n\", sizeof(ncclConfig_t) > " + LibNccl.CONFIG.byteSize() + ");\n");
        ours.add("1");
        assertThat(lines(body.toString())).isEqualTo(ours);
    }

    @Test
    @NeedsTools(Tool.NCCL)
    @DisplayName("the installed library has all functions, and tells its version")
    void library() {
        String set = System.getenv("COTERIE_NCCL_LIBRARY");
        String name = set == null ? "" : set;
        LibNccl nccl = LibNccl.get(name);
        assertThat(nccl.version()).isGreaterThanOrEqualTo(LibNccl.LEAST_VERSION);
        assertThat(nccl.versionText()).matches("2\\.\\d+\\.\\d+");
        assertThat(nccl.describe(4, 0)).startsWith("ncclInvalidArgument (4), invalid argument");
    }

    @Test
    @DisplayName("a library that is missing, incomplete or too old is refused with the remedy")
    void missing() {
        assertThat(LibNccl.missing("libnccl-not-here.so"))
                .contains("libnccl-not-here.so not found: install NCCL", "COTERIE_NCCL_LIBRARY");
        assertThat(LibNccl.missing("libc.so.6")).contains("can't be used, as it has no ncclGetVersion");
        assertThatThrownBy(() -> LibNccl.over(new FakeNccl().version(21_304)))
                .isInstanceOf(CoterieException.class)
                .hasMessage("it has version 2.13.4");
        assertThat(LibNccl.over(new FakeNccl()).versionText()).isEqualTo("2.30.7");
        assertThat(Arrays.stream(NcclConstant.values()).map(each -> each.name()))
                .allMatch(each -> each.startsWith("nccl"));
    }
}

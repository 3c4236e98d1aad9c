// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.cuda.Device;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How programs include the header: alone, by the compiler at run time.
class DeviceHeaderFilesTest {
    @Test
    @DisplayName("NVRTC compiles every function; what it refuses has its log in the error")
    void nvrtc() throws IOException {
        Optional<RuntimeCompiler> found = RuntimeCompiler.find();
        Device.need("NVRTC", found.isPresent() ? "" : "the loader finds none, see COTERIE_NVRTC_LIBRARY");
        RuntimeCompiler compiler = found.orElseThrow();
        String source = Files.readString(CommandLineTool.resource("everything.cu"));
        String team = Files.readString(CommandLineTool.resource("device_team.cu"));
        compiler.compile("device_team.cu", team, "--gpu-architecture=compute_90"); // the default of NVRTC 12 is too old
        String ptx = compiler.compile("everything.cu", source, "--gpu-architecture=compute_80");
        assertThat(ptx)
                .contains("ld.acquire.sys", "st.release.sys", "fence.acq_rel.sys", "red.release.sys")
                .contains(".entry all_block", ".entry all_warp", ".entry all_gins");
        String wrong = "#include \"coterie.cuh\"\nint x = coterie_nothing();\n";
        assertThatThrownBy(() -> compiler.compile("wrong.cu", wrong, "--gpu-architecture=compute_90"))
                .hasMessageContaining("wrong.cu(2)")
                .hasMessageContaining("coterie_nothing");
    }

    @Test
    @DisplayName("the headers include each other alone")
    void isSelfContained() {
        for (String name : DeviceHeaders.NAMES) {
            Set<String> included = DeviceHeaders.source(name)
                    .lines()
                    .filter(line -> line.startsWith("#include"))
                    .map(line -> line.substring("#include".length()).strip().replaceAll("[<>\"]", ""))
                    .collect(java.util.stream.Collectors.toSet());
            assertThat(DeviceHeaders.NAMES).as(name).containsAll(included);
        }
        assertThatThrownBy(() -> DeviceHeaders.source("cuda.h"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cuda.h");
    }
}

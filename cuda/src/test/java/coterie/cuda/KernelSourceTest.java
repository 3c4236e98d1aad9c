// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.cuda.nvrtc.LibNvrtc;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The source of the kernels for collectives, as the compilers of CUDA see it.
class KernelSourceTest {
    @TempDir
    private Path folder;

    /// Returns the names of the kernels of all pairs that exist.
    static Set<String> names() {
        Set<String> all = new LinkedHashSet<>();
        for (ElementType elements : ElementType.values()) {
            for (DeviceReduction reduction : DeviceReduction.values()) {
                if (reduction.suits(elements)) {
                    all.add(KernelEngine.kernel(reduction, elements));
                }
            }
        }
        return all;
    }

    @Test
    @DisplayName("NVRTC compiles the kernels, each under the name by which the engine asks for it")
    void nvrtc() {
        String set = System.getenv("COTERIE_NVRTC_LIBRARY");
        String name = set == null ? "" : set;
        Device.need("NVRTC", LibNvrtc.missing(name));
        LibNvrtc.Compiled compiled = LibNvrtc.get(name)
                .compile(
                        KernelEngine.SOURCE, KernelEngine.source(), Map.of(), List.of("--gpu-architecture=compute_90"));
        assertThat(compiled.log()).isEmpty();
        String ptx = new String(compiled.image(), StandardCharsets.UTF_8);
        assertThat(names()).hasSize(56).allSatisfy(kernel -> assertThat(ptx).contains(".entry " + kernel + "("));
        assertThat(ptx).as("no multiply and add in one step, which rounds once").doesNotContain("fma.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sm_80", "sm_90"})
    @DisplayName("nvcc compiles the kernels without a warning")
    void nvcc(String architecture) throws IOException, InterruptedException {
        Path code = Toolkit.compileCuda(folder, KernelEngine.source(), architecture);
        assertThat(Files.readAllBytes(code)).startsWith(0x7f, 'E', 'L', 'F');
    }

    @Test
    @DisplayName("the source and the engine agree on the most members")
    void members() {
        assertThat(KernelEngine.source()).contains("#define COTERIE_PARTS " + KernelEngine.MAX_MEMBERS + "\n");
    }
}

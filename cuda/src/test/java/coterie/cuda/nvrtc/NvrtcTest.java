// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.nvrtc;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// NVRTC as it is installed; it needs no device.
@NeedsTools(Tool.NVRTC)
class NvrtcTest {
    private static final String KERNEL = """
            #include "twice.cuh"
            extern "C" __global__ void step(long long *words, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) {
                    words[i] = twice(words[i]) + ADDED;
                }
            }
            """;

    private static final Map<String, String> HEADERS =
            Map.of("twice.cuh", "__device__ inline long long twice(long long x) { return 2 * x; }\n");

    private LibNvrtc compiler;

    @BeforeEach
    void find() {
        compiler = LibNvrtc.get(name());
    }

    private static String name() {
        String set = System.getenv("COTERIE_NVRTC_LIBRARY");
        return set == null ? "" : set;
    }

    private LibNvrtc.Compiled compile(String source, String... options) {
        return compiler.compile("step.cu", source, HEADERS, List.of(options));
    }

    @Test
    @DisplayName("a source with a header and an option becomes machine code of a real architecture")
    void machineCode() {
        int newest = compiler.architectures().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElseThrow();
        LibNvrtc.Compiled compiled = compile(KERNEL, "--gpu-architecture=sm_" + newest, "-DADDED=3");
        assertThat(compiled.result()).as(compiled.log()).isZero();
        assertThat(compiled.image()).startsWith(0x7f, 'E', 'L', 'F');
    }

    @Test
    @DisplayName("a virtual architecture gives PTX, which names the kernel")
    void ptx() {
        LibNvrtc.Compiled compiled = compile(KERNEL, "--gpu-architecture=compute_90", "-DADDED=3");
        assertThat(new String(compiled.image(), StandardCharsets.UTF_8)).contains(".entry step(", ".target sm_90");
    }

    @Test
    @DisplayName("an error comes with the compiler's log, which has file and line")
    void errors() {
        LibNvrtc.Compiled compiled = compile(KERNEL, "--gpu-architecture=compute_90");
        assertThat(compiled.result()).isEqualTo(6);
        assertThat(compiled.image()).isEmpty();
        assertThat(compiled.log()).contains("step.cu(5): error", "ADDED");
    }

    @Test
    @DisplayName("an unknown option and a missing header are errors")
    void misuse() {
        assertThat(compile(KERNEL, "--gpu-architecture=sm_1").result()).isNotZero();
        assertThat(compile("#include \"none.cuh\"\n", "--gpu-architecture=compute_90")
                        .log())
                .contains("none.cuh");
    }

    @Test
    @DisplayName("the version and the architectures are those of a compiler of CUDA 12 or later")
    void version() {
        assertThat(compiler.version()).matches("1[2-9]\\.\\d+");
        assertThat(compiler.architectures()).contains(90).allMatch(each -> each >= 50);
    }

    @Test
    @DisplayName("a library that is not there is named with the remedy")
    void missing() {
        assertThat(LibNvrtc.missing("libnvrtc-not-here.so"))
                .contains("libnvrtc-not-here.so not found", "COTERIE_NVRTC_LIBRARY", "CUDA_HOME");
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.cuda.Device;
import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The device header as compilers for devices read it: every function at every scope, without a warning.
class DeviceHeaderTest {
    /// One of each generation; a compiler may know fewer.
    private static final List<String> GENERATIONS = List.of("sm_70", "sm_75", "sm_80", "sm_90", "sm_100", "sm_120");

    @TempDir
    Path folder;

    @Test
    @NeedsTools(Tool.NVCC)
    @DisplayName(
            "nvcc compiles every function for the oldest and newest device that it knows; in the soak tier for all")
    void nvcc() {
        CommandLineTool nvcc = CommandLineTool.nvcc();
        List<String> known = List.of(nvcc.run("--list-gpu-code").output().split("\\s+"));
        List<String> wanted = GENERATIONS.stream().filter(known::contains).toList();
        assertThat(wanted).contains("sm_80", "sm_90");
        if (!Boolean.getBoolean("coterie.soak")) {
            wanted = List.of(wanted.getFirst(), wanted.getLast());
        }
        List<String> arguments = new ArrayList<>(List.of("-Werror", "all-warnings", "-fatbin"));
        for (String each : wanted) {
            arguments.add("-gencode=arch=" + each.replace("sm", "compute") + ",code=" + each);
        }
        arguments.addAll(List.of("-I", CommandLineTool.headers()));
        arguments.addAll(List.of("-o", folder.resolve("everything.fatbin").toString()));
        arguments.add(CommandLineTool.resource("everything.cu").toString());
        nvcc.compile(arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../examples/gpu/halo.cu",
                "../examples/gpu/dispatch.cu",
                "../bench/programs/gpu/costs.cu",
                "src/test/resources/coterie/cuda/device_team.cu",
                "src/test/resources/coterie/cuda/kernel_checks.cu"
            })
    @NeedsTools(Tool.NVCC)
    @DisplayName("nvcc compiles the kernels of examples, measurements and tests without a warning")
    void kernels(String source) {
        CommandLineTool.nvcc()
                .compile(
                        "-arch=sm_80",
                        "-Werror",
                        "all-warnings",
                        "-ptx",
                        "-I",
                        CommandLineTool.headers(),
                        "-o",
                        folder.resolve("kernel.ptx").toString(),
                        source); // Maven and IDEs start tests in the module's folder
    }

    @Test
    @NeedsTools(Tool.NVCC)
    @DisplayName("nvcc compiles the header as separate and as relocatable code in two files of one program")
    void twoFiles() throws IOException {
        CommandLineTool nvcc = CommandLineTool.nvcc();
        for (String name : List.of("first", "second")) {
            Path source = folder.resolve(name + ".cu");
            Files.writeString(
                    source,
                    "#include \"coterie.cuh\"\nextern \"C\" __global__ void " + name
                            + "(const coterie_team *team) { coterie_barrier_block(team, 0); }\n");
        }
        nvcc.compile(
                "-arch=sm_80",
                "-rdc=true",
                "-shared",
                "-Xcompiler",
                "-fPIC",
                "-I",
                CommandLineTool.headers(),
                "-o",
                folder.resolve("both.so").toString(),
                folder.resolve("first.cu").toString(),
                folder.resolve("second.cu").toString());
    }

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

// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.examples.ProgramRun.Pes;
import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The programs that need a device: with one they check themselves, without one they say so.
class GpuExamplesTest {
    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @ParameterizedTest
    @CsvSource({
        "HaloExchange.java, halo.cu, the plate is that of one thread",
        "TokenDispatch.java, dispatch.cu, the results are those of one thread",
        "GradientDescent.java, allreduce.cu, the weights are those of one thread"
    })
    @DisplayName("with a device on each PE the result is that of one thread; without, each PE says why")
    void runs(String program, String kernels, String result) throws Exception {
        ProgramRun run = ProgramRun.of(new Pes(2, "processes"), "gpu/" + program, "4", "3", "gpu/" + kernels);

        assertThat(run.exitCode()).as(String.join("\n", run.errors())).isZero();
        assertThat(run.output()).isNotEmpty().allMatch(line -> line.contains("no device: ") || line.contains(result));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-n 3 --pes processes | gpu/HaloExchange.java 2 20 gpu/halo.cu | the plate is that of one thread",
                "-n 2 --pes threads | gpu/TokenDispatch.java 8 3 gpu/dispatch.cu | the results are those of one thread",
                "-n 3 --pes threads | gpu/GradientDescent.java 2 5 gpu/allreduce.cu | the weights are those of one thread",
                "-n 2 --pes processes | gpu/GradientDescent.java 1 5 gpu/allreduce.cu | the weights are those of one thread",
                "-n 4 --nodes a:2,b:2 | gpu/HaloExchange.java 2 20 gpu/halo.cu | the plate is that of one thread",
                "-n 2 --nodes a:1,b:1 | gpu/TokenDispatch.java 8 3 gpu/dispatch.cu | the results are those of one thread",
                "-n 2 --pes threads | ../bench/programs/gpu/KernelCosts.java ../bench/programs/gpu/costs.cu try | ,65536,"
            })
    @NeedsTools({Tool.CXX, Tool.NVRTC})
    @DisplayName("on the software device, with memory mapped and by the ring, the results are those of one thread")
    void runsInSoftware(String pes, String program, String result) throws Exception {
        Map<String, String> device = new HashMap<>();
        device.put("COTERIE_CUDA_LIBRARY", softwareDevice().toString());
        device.put("SOFTWARE_DEVICES", "2");
        if (program.startsWith("gpu/")) { // measurements copy too much for a device that orders nothing
            device.put("SOFTWARE_DEVICE_SEED", "1");
        }

        List<String> words = new ArrayList<>(ProgramRun.RUN);
        words.addAll(List.of(pes.split(" ")));
        words.addAll(List.of(program.split(" ")));
        ProgramRun run = ProgramRun.coterie(device, words);

        assertThat(run.exitCode()).as(String.join("\n", run.errors())).isZero();
        assertThat(run.output().getLast()).contains(result);
    }

    /// Builds the software device where the tests of module `cuda` have it.
    private static Path softwareDevice() throws IOException, InterruptedException {
        Path module = ProgramRun.EXAMPLES.resolveSibling("cuda");
        Path folder = module.resolve("target").resolve("software-device");
        Process build = new ProcessBuilder(
                        module.resolve("software-device").resolve("build").toString(), folder.toString())
                .inheritIO()
                .start();
        assertThat(build.waitFor()).isZero();
        return folder.resolve("libcuda.so.1");
    }

    @ParameterizedTest
    @CsvSource({"HaloExchange.java", "TokenDispatch.java", "GradientDescent.java"})
    @DisplayName("each program explains itself, and refuses what it can't read")
    void explains(String program) throws Exception {
        ProgramRun help = ProgramRun.of(new Pes(1, "processes"), "gpu/" + program, "--help");
        ProgramRun nonsense = ProgramRun.of(new Pes(1, "processes"), "gpu/" + program, "no-number");

        assertThat(help.exitCode()).isZero();
        assertThat(help.output()).anyMatch(line -> line.startsWith("usage: coterie run -n PES " + program));
        assertThat(nonsense.exitCode()).isOne();
        assertThat(String.join("\n", nonsense.errors())).contains("no-number");
    }
}

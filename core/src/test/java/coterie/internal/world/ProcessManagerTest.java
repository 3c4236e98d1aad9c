// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessManagerTest {
    private static Map<String, String> environment(String text) {
        return Arrays.stream(text.split(" "))
                .map(each -> each.split("=", 2))
                .collect(Collectors.toMap(each -> each[0], each -> each[1]));
    }

    @ParameterizedTest
    @CsvSource({
        "OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2, 1, OMPI_COMM_WORLD_SIZE",
        "PMI_RANK=0 PMI_SIZE=2, 4, PMI_SIZE",
        "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=2 SLURM_NTASKS=8, 1, SLURM_STEP_NUM_TASKS",
        "SLURM_PROCID=0 SLURM_NTASKS=2, 1, SLURM_NTASKS",
        "MV2_COMM_WORLD_RANK=0 MV2_COMM_WORLD_SIZE=2, 1, MV2_COMM_WORLD_SIZE",
        "PMI_RANK=0 PMI_SIZE=2 SLURM_PROCID=0 SLURM_NTASKS=2, 1, PMI_SIZE"
    })
    @DisplayName("the first process of several of another launcher gets a warning that names variable and remedy")
    void warns(String variables, int pes, String named) {
        assertThat(ProcessManager.warning(environment(variables), pes, () -> "no bootstrap"))
                .get()
                .asString()
                .startsWith("environment variable " + named + " is 2: ")
                .contains("(no bootstrap)")
                .endsWith("use 'coterie run -n 2' without that launcher");
    }

    @ParameterizedTest
    @CsvSource({
        "HOME=/, 1",
        "PMI_RANK=1 PMI_SIZE=2, 1",
        "PMI_RANK=0 PMI_SIZE=1, 1",
        "PMI_RANK=0 PMI_SIZE=many, 1",
        "SLURM_PROCID=0 SLURM_NTASKS=8, 8",
        "SLURM_NTASKS=8, 1",
        "OMPI_COMM_WORLD_LOCAL_RANK=0 OMPI_COMM_WORLD_LOCAL_SIZE=2 OMPI_COMM_WORLD_RANK=2, 1",
        "OMPI_COMM_WORLD_NODE_RANK=0 OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=2, 1",
        "PMI_RANK=0 OTHER_SIZE=2, 1",
        "LOCAL_RANK=0 LOCAL_SIZE=2, 1",
        "WORKER_RANK=0 WORKER_SIZE=100, 1"
    })
    @DisplayName("other processes, lone processes and jobs that a batch script starts get no warning")
    void isSilent(String variables, int pes) {
        assertThat(ProcessManager.warning(environment(variables), pes, () -> "no bootstrap"))
                .isEmpty();
    }

    @Test
    @DisplayName("a program that mpirun starts by plain java logs the warning when it joins")
    void plainJavaWarns() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Joins.class.getName());
        builder.environment().putAll(Map.of("PMI_RANK", "0", "PMI_SIZE", "2"));
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output)
                .containsOnlyOnce("environment variable PMI_SIZE is 2: ")
                .contains("no bootstrap is on the path of this program");
    }

    static final class Joins {
        public static void main(String[] args) {
            coterie.World.join().close();
            coterie.World.join().close();
        }
    }
}

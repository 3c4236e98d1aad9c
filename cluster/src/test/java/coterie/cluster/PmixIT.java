// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Processes that launchers of MPI have started join one job by PMIx.
@NeedsTools(Tool.PMIX)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class PmixIT extends BootstrapCase {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    @NeedsTools(Tool.MPIRUN)
    @DisplayName("processes under mpirun are one job by PMIx, without a launcher of Coterie")
    void mpirun(int size) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", Integer.toString(size)));
        command.addAll(java(late(folder)));
        assertExchanged(output(start(Map.of(), command), 0), size);
    }

    @Test
    @NeedsTools(Tool.MPIRUN)
    @DisplayName("a secret and the names of a scheduler, as in a pod, do not take processes from mpirun")
    void mpirunInPod() throws Exception {
        List<String> command = new ArrayList<>(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"));
        command.addAll(java());
        Map<String, String> pod = Map.of("COTERIE_SECRET_FILE", "/none", "JOB_COMPLETION_INDEX", "0");
        assertExchanged(output(start(pod, command), 0), 2);
    }

    @Test
    @NeedsTools(Tool.PRTE)
    @DisplayName("processes under prun are one job by PMIx; a virtual machine of PRRTE runs several jobs")
    void prun() throws Exception {
        Path address = folder.resolve("address");
        Process machine = start(
                Map.of(),
                List.of("prte", "--allow-run-as-root", "--host", "localhost:4", "--report-uri", address.toString()));
        try {
            String line = machine.inputReader(UTF_8).readLine();
            assertThat(line).contains("DVM ready");
            for (int size : new int[] {2, 4, 3}) {
                List<String> command = new ArrayList<>(List.of("prun", "--allow-run-as-root", "--dvm-uri"));
                command.addAll(List.of("file:" + address, "--bind-to", "none", "-n", Integer.toString(size)));
                command.addAll(java(late(folder)));
                assertExchanged(output(start(Map.of(), command), 0), size);
            }
        } finally {
            machine.destroy();
            machine.waitFor();
        }
    }

    private static void assertExchanged(String output, int size) {
        for (int pe = 0; pe < size; pe++) {
            assertExchanged(output, pe, size);
        }
    }
}

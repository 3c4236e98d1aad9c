// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Processes of a launcher without PMIx, which find each other by the numbers that it sets and by a secret.
@NeedsTools(Tool.MPICH)
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class EnvIT extends EnvJobsCase {
    @Test
    @DisplayName("processes under mpiexec of MPICH are one job by a secret")
    void mpiexec() throws Exception {
        List<String> command = new ArrayList<>(List.of("mpiexec.hydra", "-n", "3"));
        command.addAll(java());
        Map<String, String> environment = Map.of(
                "COTERIE_SECRET_FILE",
                secret("a secret of this job").toString(),
                "COTERIE_COORDINATOR",
                "127.0.0.1:" + freePort());
        String output = output(start(environment, command), 0);
        for (int pe = 0; pe < 3; pe++) {
            assertExchanged(output, pe, 3);
        }
    }
}

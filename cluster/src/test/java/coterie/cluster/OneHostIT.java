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

/// Jobs of one host under `mpirun`, with the UCX of the machine within reach.
@NeedsTools({Tool.PMIX, Tool.MPIRUN})
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class OneHostIT extends OneHostCase {
    @Test
    @DisplayName("PEs under mpirun open nothing but the coordinator of PE 0, to the loopback address")
    void mpirun() throws Exception {
        List<String> command = new ArrayList<>(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3"));
        command.addAll(java());
        assertOpens(BootstrapCase.output(BootstrapCase.start(Map.of(), command), 0), 3, COORDINATOR);
    }
}

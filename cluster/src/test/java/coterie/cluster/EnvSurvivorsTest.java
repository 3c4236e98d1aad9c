// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class EnvSurvivorsTest extends EnvJobsCase {
    @Test
    @DisplayName("a job outlives PE 0, which has the coordinator, and the PE that has taken it over")
    void survivors() throws Exception {
        String place = "127.0.0.1:" + freePort();
        String secret = secret("a secret of survivors").toString();
        List<String> command = new ArrayList<>(java("0", "1"));
        command.replaceAll(
                word -> word.equals(BootstrapProgram.class.getName()) ? SurvivorProgram.class.getName() : word);
        List<Process> processes = new ArrayList<>();
        try {
            for (int pe = 0; pe < 4; pe++) {
                processes.add(start(
                        Map.of(
                                "COTERIE_PE",
                                Integer.toString(pe),
                                "COTERIE_SIZE",
                                "4",
                                "COTERIE_COORDINATOR",
                                place,
                                "COTERIE_SECRET_FILE",
                                secret),
                        command));
            }
            for (int pe = 0; pe < 4; pe++) {
                String output = output(processes.get(pe), pe < 2 ? 137 : 0);
                if (pe > 0) {
                    assertThat(output).contains("PE " + pe + ": 3 live after PE 0");
                }
                if (pe > 1) {
                    assertThat(output).contains("PE " + pe + ": 2 live after PE 1", "PE " + pe + " is done");
                }
            }
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }
}

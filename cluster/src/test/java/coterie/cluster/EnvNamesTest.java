// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The names by which schedulers and users describe a job to its processes.
class EnvNamesTest {
    private static final String HERE = "a:29500";

    /// Returns variables from a text such as `RANK=1 WORLD_SIZE=4`.
    private static Map<String, String> variables(String text) {
        Map<String, String> variables = new HashMap<>();
        Matcher pairs = Pattern.compile("(\\S+?)=(\\S*)").matcher(text);
        while (pairs.find()) {
            variables.put(pairs.group(1), pairs.group(2));
        }
        return variables;
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("each scheduler's names are read, and Coterie's where it has none")
    @CsvSource(
            delimiter = '|',
            value = {
                "COTERIE_PE=1 COTERIE_SIZE=4 | a:29500",
                "RANK=1 WORLD_SIZE=4 MASTER_ADDR=a MASTER_PORT=29500 | ''",
                "PET_NODE_RANK=1 PET_NNODES=4 PET_NPROC_PER_NODE=auto PET_MASTER_ADDR=a PET_MASTER_PORT=29500 | ''",
                "JOB_COMPLETION_INDEX=1 COTERIE_SIZE=4 | a:29500",
                "JOB_COMPLETION_INDEX=1 PET_NODE_RANK=1 PET_NNODES=4 PET_MASTER_ADDR=A PET_MASTER_PORT=29500 | a:29500",
                "SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=4 | a:29500",
                "SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=4 SLURM_STEP_NODELIST=a,b[1-2]"
                        + " SLURM_STEP_RESV_PORTS=29500-29501 | ''",
                "PMI_RANK=1 PMI_SIZE=4 | a:29500",
                "COTERIE_PE=1 COTERIE_SIZE=4 RANK=0 WORLD_SIZE=1 MASTER_ADDR=b MASTER_PORT=1 | a:29500"
            })
    void schedulers(String variables, String coordinator) {
        assertThat(EnvNames.of(variables(variables), coordinator)).isEqualTo(new EnvNames(1, 4, "a", 29500));
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("the first host of Slurm's lists is that of PE 0")
    @CsvSource(
            delimiter = '|',
            value = {
                "n[01-04,9],m | n01",
                "n[7] | n7",
                "n3 | n3",
                "rack[2-3]node[1,4]-ib,x | rack2node1-ib",
                "a,b[1-2] | a"
            })
    void firstHost(String list, String first) {
        Map<String, String> variables = variables("SLURM_STEP_ID=0 SLURM_PROCID=1 SLURM_STEP_NUM_TASKS=4"
                + " SLURM_STEP_RESV_PORTS=12000 SLURM_STEP_NODELIST=" + list);
        assertThat(EnvNames.of(variables, "").host()).isEqualTo(first);
    }

    @Test
    @DisplayName("a coordinator is HOST:PORT, or an address of IPv6 in brackets")
    void coordinator() {
        Map<String, String> variables = variables("COTERIE_PE=1 COTERIE_SIZE=4");
        assertThat(EnvNames.of(variables, "[fd00::7]:1").host()).isEqualTo("fd00::7");
        assertThat(EnvNames.of(variables, "10.0.0.7:65535").port()).isEqualTo(65535);
        for (String wrong : new String[] {"a", "a:", ":1", "fd00::7:1", "a:b", "a b:1"}) {
            assertThatThrownBy(() -> EnvNames.of(variables, wrong))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContainingAll("COTERIE_COORDINATOR", "\"" + wrong + "\"", "HOST:PORT");
        }
        assertThat(EnvNames.of(variables, "[::ffff:10.0.0.7]:1").host()).isEqualTo("::ffff:10.0.0.7");
        for (String wrong : new String[] {"a:0", "a:65536"}) {
            assertThatThrownBy(() -> EnvNames.of(variables, wrong)).hasMessageContaining("outside [1, 65535]");
        }
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("an address of IPv6 that other hosts can't use is refused, with the variable and the reason")
    @CsvSource(
            delimiter = '|',
            value = {
                "[fe80::7]:1 | an address of one link",
                "[fe80::7%eth1]:1 | an address of one link",
                "[FEBF::7%3]:1 | an address of one link",
                "[fd00::7%eth1]:1 | the zone of one host; leave out what begins with %",
                "[fd00::7::1]:1 | no address of IPv6",
                "[fd00::7]1 | HOST:PORT",
                "[fd00::7] | HOST:PORT",
                "fd00::7%eth1:1 | HOST:PORT"
            })
    void zones(String coordinator, String why) {
        String shown = coordinator.replaceFirst("^\\[(.*)]:1$", "$1");
        assertThatThrownBy(() -> EnvNames.of(variables("COTERIE_PE=1 COTERIE_SIZE=4"), coordinator))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll("COTERIE_COORDINATOR", "\"" + shown, why);
    }

    @Test
    @DisplayName("the address of a scheduler's PE 0 may be one of IPv6, in brackets or without, as its port is apart")
    void addressOfScheduler() {
        for (String address : new String[] {"fd00::7", "[fd00::7]"}) {
            Map<String, String> torch = variables("RANK=1 WORLD_SIZE=4 MASTER_PORT=29500 MASTER_ADDR=" + address);
            assertThat(EnvNames.of(torch, "")).isEqualTo(new EnvNames(1, 4, "fd00::7", 29500));
        }
        assertThatThrownBy(() ->
                        EnvNames.of(variables("RANK=1 WORLD_SIZE=4 MASTER_PORT=29500 MASTER_ADDR=fe80::7%eth0"), ""))
                .hasMessageContainingAll("MASTER_ADDR", "\"fe80::7%eth0\"", "one link");
        assertThatThrownBy(
                        () -> EnvNames.of(variables("RANK=1 WORLD_SIZE=4 MASTER_PORT=29500 MASTER_ADDR=a:29500"), ""))
                .hasMessageContainingAll("MASTER_ADDR", "\"a:29500\"", "the port has a place of its own");
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("what is missing, wrong or contradictory is named, with the variables")
    @CsvSource(
            delimiter = '|',
            value = {
                "COTERIE_SIZE=4 | neither COTERIE_PE nor | JOB_COMPLETION_INDEX",
                "JOB_COMPLETION_INDEX=0 WORLD_SIZE=4 | neither COTERIE_SIZE nor | WORLD_SIZE beside RANK",
                "SLURM_PROCID=0 SLURM_NTASKS=4 | neither COTERIE_PE nor | SLURM_PROCID beside SLURM_STEP_ID",
                "RANK=1 WORLD_SIZE=4 JOB_COMPLETION_INDEX=2 | RANK is \"1\" | JOB_COMPLETION_INDEX is \"2\"",
                "RANK=1 WORLD_SIZE=4 PET_NODE_RANK=1 PET_NNODES=2 | WORLD_SIZE is \"4\" | PET_NNODES is \"2\"",
                "RANK=4 WORLD_SIZE=4 | RANK is 4, and WORLD_SIZE is 4 | the numbers 0 to 3",
                "RANK=-1 WORLD_SIZE=4 | RANK is \"-1\" | no number",
                "PET_NODE_RANK=0 PET_NNODES=1:4 | PET_NNODES is \"1:4\" | no number",
                "RANK=0 WORLD_SIZE=0 | WORLD_SIZE is 0 | outside [1, 1048576]"
            })
    void refusals(String variables, String first, String second) {
        assertThatThrownBy(() -> EnvNames.of(variables(variables), HERE))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll(first, second);
    }

    @Test
    @DisplayName("without an address the message has the names of all places for it")
    void noAddress() {
        assertThatThrownBy(() -> EnvNames.of(variables("RANK=1 WORLD_SIZE=4 MASTER_ADDR=a"), ""))
                .hasMessageContainingAll("neither COTERIE_COORDINATOR nor", "MASTER_PORT beside RANK")
                .hasMessageContaining("COTERIE_BOOTSTRAP");
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.internal.launch.CpuBinding;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobOptionsTest {
    private static final JobSpec.Program PROGRAM = new JobSpec.Program("A", null, List.of(), List.of(), List.of());

    private static JobSpec spec(String... words) {
        ParsedArguments arguments = ParsedArguments.parse(Command.RUN, Arrays.asList(words));
        return new JobOptions(arguments, Map.of("HERE", "there"), 1).spec("A", PROGRAM, null);
    }

    private static JobSpec specOf(Map<String, String> environment, String... words) {
        ParsedArguments arguments = ParsedArguments.parse(Command.RUN, Arrays.asList(words));
        return new JobOptions(arguments, environment, 1).spec("A", PROGRAM, null);
    }

    @Test
    @DisplayName("without options a job is what JobSpec says, with one PE")
    void defaults() {
        assertThat(spec()).usingRecursiveComparison().isEqualTo(JobSpec.of("A", 1, PROGRAM));
    }

    @Test
    @DisplayName("each option reaches the job")
    void eachOptionCounts() {
        assertThat(spec("-n", "3").pes()).isEqualTo(3);
        assertThat(spec("--pes", "threads").mode()).isEqualTo(PeMode.THREADS);
        assertThat(spec("--pes=processes").mode()).isEqualTo(PeMode.PROCESSES);
        assertThat(spec("--nodes", "a:2,b:1,a:1").nodes()).containsExactly(0, 0, 1, 0);
        assertThat(spec("--heap", "64m").heapBytes()).isEqualTo(64L << 20);
        assertThat(spec("--bind", "core").binding()).isEqualTo(CpuBinding.CORE);
        assertThat(spec("--bind", "numa").binding()).isEqualTo(CpuBinding.NUMA);
        assertThat(spec("--timeout", "1m").timeout()).isEqualTo(Duration.ofMinutes(1));
        assertThat(spec("--grace", "0s").grace()).isEqualTo(Duration.ZERO);
        assertThat(spec("--on-failure=continue").onFailure()).isEqualTo(OnFailure.CONTINUE);
        assertThat(spec("--tag-output").output()).isEqualTo(new JobSpec.Output.Console(true));
        assertThat(spec("--output-dir", "o").output()).isEqualTo(new JobSpec.Output.Folder(Path.of("o")));
        assertThat(spec("--stdin", "none").input()).isEqualTo(JobSpec.Input.NONE);
        assertThat(spec("--env", "A=b=c", "--env=HERE").environment()).isEqualTo(Map.of("A", "b=c", "HERE", "there"));
        assertThat(spec("-J-ea", "-J", "-Xmx1g").jvmOptions()).containsExactly("-ea", "-Xmx1g");
        assertThat(spec("--debug").debugPort()).isEqualTo(5005);
        assertThat(spec("--debug=6000").debugPort()).isEqualTo(6000);
        assertThat(spec("--name", "storm").name()).isEqualTo("storm");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    -n 0              | -n 0: expected a number of PEs in [1, 1024]
                    -n 1025           | [1, 1024]
                    -n two            | -n two: expected a number of PEs in [1, 1024]
                    --pes fibres      | --pes fibres: expected one of processes|threads
                    --nodes a         | --nodes a: "a" is not NAME:N
                    --nodes a:2,b:0   | "b:0" is not NAME:N, N PEs in [1, 1024] on a node; write a:3,b:2 for example
                    --nodes=          | "" is not NAME:N
                    --nodes a:9,b:1016 | --nodes a:9,b:1016: 1025 PEs are outside [1, 1024]
                    -n 4 --nodes a:3,b:2 | --nodes a:3,b:2: names the nodes of 5 PEs, but -n is 4
                    --heap 1q         | 512m or 1.5g
                    --bind socket     | expected one of none|core|numa
                    --timeout 30      | 30s, 5m or 1h30m
                    --timeout 0s      | --timeout
                    --grace soon      | 30s, 5m or 1h30m
                    --on-failure stop | expected one of end|continue
                    --stdin all       | expected one of first|none
                    --env =x          | NAME=VALUE
                    --env ABSENT      | ABSENT=VALUE
                    --debug=0         | expected a port
                    --debug=65536     | [1, 65535]
                    """)
    @DisplayName("a value out of range is refused, and the message has the form that would be right")
    void refuses(String words, String form) {
        assertThatThrownBy(() -> spec(words.split(" ")))
                .isInstanceOf(UsageException.class)
                .message()
                .contains(form);
    }

    @Test
    @DisplayName("the last PE's debug port is a port too")
    void debugPortsFit() {
        assertThat(spec("-n", "2", "--debug=65534").debugPort()).isEqualTo(65534);
        assertThatThrownBy(() -> spec("-n", "2", "--debug=65535")).hasMessageContaining("[1, 65534]");
    }

    @Test
    @DisplayName("nodes say how many PEs there are, unless -n says the same")
    void nodesCount() {
        assertThat(spec("--nodes", "a:3,b:2").pes()).isEqualTo(5);
        assertThat(spec("-n", "5", "--nodes=a:3,b:2").pes()).isEqualTo(5);
        assertThatThrownBy(() -> spec("--nodes", "a:2,b:2", "--debug=65533")).hasMessageContaining("[1, 65532]");
    }

    @Test
    @DisplayName("COTERIE_HEAP is the symmetric memory of each PE unless --heap gives another size")
    void heapOfTheEnvironment() {
        assertThat(specOf(Map.of("COTERIE_HEAP", "3.5m")).heapBytes()).isEqualTo(7L << 19);
        assertThat(specOf(Map.of("COTERIE_HEAP", "abc"), "--heap", "64m").heapBytes())
                .isEqualTo(64L << 20);
        assertThat(specOf(Map.of("COTERIE_HEAP", "")))
                .usingRecursiveComparison()
                .isEqualTo(spec());
        assertThatThrownBy(() -> specOf(Map.of("COTERIE_HEAP", "abc")))
                .isInstanceOf(UsageException.class)
                .hasMessage("environment variable COTERIE_HEAP abc: expected a size in [1, 2^63): a number of bytes, or"
                        + " a number with k, m, g or t such as 512m or 1.5g");
        assertThatThrownBy(() -> specOf(Map.of("COTERIE_HEAP", "100t")))
                .hasMessageStartingWith("environment variable COTERIE_HEAP 100t: expected a size in [4k, ");
    }

    @Test
    @DisplayName("the largest symmetric memory depends on how many each process maps")
    void heapRange() {
        assertThat(spec("--heap", "4k").heapBytes()).isEqualTo(4096);
        assertThat(spec("-n", "4", "--heap", "16t").heapBytes()).isEqualTo(16L << 40);
        assertThatThrownBy(() -> spec("-n", "5", "--heap", "16t"))
                .hasMessage("--heap 16t: expected a size in [4k, 13107g] for 5 PEs: a process maps the memory of all"
                        + " PEs, 64t at most");
        assertThatThrownBy(() -> spec("-n", "5", "--pes", "threads", "--heap", "3t"))
                .hasMessageStartingWith("--heap 3t: expected a size in [4k, 2621g] for 5 PEs");
    }

    @Test
    @DisplayName("output goes to one place")
    void oneOutput() {
        assertThatThrownBy(() -> spec("--tag-output", "--output-dir", "x")).isInstanceOf(UsageException.class);
    }
}

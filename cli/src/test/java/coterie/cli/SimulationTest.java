// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.internal.launch.JobSpec;
import coterie.internal.launch.PeMode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The command line's options for simulated networks.
class SimulationTest {
    private static final JobSpec.Program PROGRAM = new JobSpec.Program("A", null, List.of(), List.of(), List.of());

    private static ParsedArguments run(String words) {
        return ParsedArguments.parse(Command.RUN, Arrays.asList(words.split(" ")));
    }

    private static Simulation simulation(String words) {
        return Objects.requireNonNull(Simulation.of(run("--conduit sim " + words)), "a simulation");
    }

    private static JobSpec spec(String words) {
        return new JobOptions(run(words), Map.of(), 1).spec("A", PROGRAM, null);
    }

    @Test
    @DisplayName("mapped is the conduit without the option")
    void mappedIsTheDefault() {
        assertThat(Simulation.of(run("-n 2"))).isNull();
        assertThat(spec("--conduit mapped --pes threads").mode()).isEqualTo(PeMode.THREADS);
    }

    @Test
    @DisplayName("seed and settings become the simulator's script, and there can be 4096 PEs")
    void theScriptHasAll() {
        JobSpec spec = spec("-n 4096 --conduit sim --seed 7 --sim order=weak,far=1:2:3");
        assertThat(spec.mode()).isEqualTo(PeMode.SIMULATED);
        assertThat(spec.simulator())
                .isEqualTo(new JobSpec.SimulatorSpec(
                        "sim", "order=weak,far=1:2:3,seed=7", JobSpec.SimulatorSpec.RunScope.WHOLE_PROGRAM));
        assertThat(simulation("--sim seed=9,schedule=a").script()).hasToString("seed=9,schedule=a");
        assertThat(simulation("-n 1").script()).hasToString("seed=0");
    }

    @Test
    @DisplayName("several seeds are a range, its ends included")
    void seedsAreARange() {
        Simulation simulation = simulation("--seeds 3..9223372036854775807 --no-shrink");
        assertThat(simulation.firstSeed()).isEqualTo(3);
        assertThat(simulation.lastSeed()).isEqualTo(Long.MAX_VALUE);
        assertThat(simulation.shrinks()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --seed 7                                  | --seed applies to simulated networks only; add --conduit sim
                    --conduit mapped --no-shrink              | --no-shrink applies to simulated networks only
                    --conduit tcp                             | --conduit tcp: expected one of mapped, sim
                    --conduit sim --bind core                 | --bind applies to PEs that are processes or threads
                    --conduit sim --pes threads               | --pes applies to PEs that are processes or threads
                    --conduit sim --seed -1                   | --seed -1: expected a seed in [0, 2^63)
                    --conduit sim --seed 9223372036854775808  | expected a seed in [0, 2^63)
                    --conduit sim --sim seed=x                | --sim seed=x: expected a seed in
                    --conduit sim --sim weak                  | --sim weak: "weak" is not key=value
                    --conduit sim --seed 1 --sim seed=2       | --seed 1: --sim sets seed=2; leave one out
                    --conduit sim --seed 1 --seeds 0..2       | --seeds 0..2: --seed or --sim selects one seed, too
                    --conduit sim --seeds 5                   | --seeds 5: expected FROM..TO, such as 0..99
                    --conduit sim --seeds 5..4                | --seeds 5..4: the first seed is greater than the last; write 4..5
                    -n 4097 --conduit sim                     | -n 4097: expected a number of PEs in [1, 4096]
                    """)
    @DisplayName("options that contradict each other are refused, and the message has the remedy")
    void refuses(String words, String form) {
        assertThatThrownBy(() -> spec(words))
                .isInstanceOf(UsageException.class)
                .message()
                .contains(form);
    }

    @Test
    @DisplayName("a command line is given again with another value, quoted where a shell needs it")
    void commandLinesAreGivenAgain() {
        ParsedArguments arguments = ParsedArguments.parse(
                Command.RUN,
                List.of(
                        "-n4",
                        "--conduit=sim",
                        "--seeds",
                        "0..9",
                        "--debug=1",
                        "-cp",
                        "a b:c",
                        "my.Main",
                        "it's",
                        "--x"));
        assertThat(arguments.commandLine(
                        Command.RUN, Option.SIM, "seed=7,schedule=m1.2:3+p0.1:2", Set.of(Option.SEEDS)))
                .isEqualTo("coterie run -n 4 --conduit sim --sim seed=7,schedule=m1.2:3+p0.1:2 -cp 'a b:c' --debug=1"
                        + " my.Main 'it'\\''s' --x");
        assertThat(run("-J-ea -jar a.jar -n 2").commandLine(Command.RUN, Option.SIM, "", Set.of()))
                .isEqualTo("coterie run --sim '' -J -ea -jar a.jar -n 2");
    }
}

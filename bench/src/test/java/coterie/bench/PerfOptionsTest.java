// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import coterie.bench.PerfOptions.Purpose;
import coterie.bench.PerfOptions.Sizes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PerfOptionsTest {

    @Test
    @DisplayName("options in any form and order")
    void readsOptions() {
        PerfOptions options = PerfOptions.parse(
                new String[] {"--ops=put,barrier", "-m", "8:64", "-i", "10", "--warmup", "3", "-f", "-c", "--first"});

        assertThat(options.operations()).containsExactly(Operation.PUT, Operation.BARRIER);
        assertThat(options.sizes()).isEqualTo(new Sizes(8, 64));
        assertThat(options.iterations()).isEqualTo(10);
        assertThat(options.warmUp()).isEqualTo(3);
        assertThat(options.full()).isTrue();
        assertThat(options.check()).isTrue();
        assertThat(options.first()).isTrue();
        assertThat(options.csv()).isFalse();
        assertThat(PerfOptions.parse(new String[] {"--class", "A,S,A"}).problemClasses())
                .containsExactly("A", "S");
        assertThat(PerfOptions.parse(new String[] {"--csv", "--system", "new-2"})
                        .system())
                .isEqualTo("new-2");
        assertThat(options.purpose()).isEqualTo(Purpose.MEASURE);
    }

    @ParameterizedTest
    @CsvSource({"8:64k, 8, 65536", "1K:2m, 1024, 2097152", "4k, 4096, 4096", "1:1t, 1, 1099511627776"})
    @DisplayName("sizes are bytes, or whole numbers of units")
    void readsSizes(String text, long least, long most) {
        assertThat(PerfOptions.parse(new String[] {"--sizes", text}).sizes()).isEqualTo(new Sizes(least, most));
    }

    @Test
    @DisplayName("nothing said: everything, found by itself")
    void hasDefaults() {
        assertThat(PerfOptions.parse(new String[] {}))
                .isEqualTo(new PerfOptions(
                        null, null, 0, 0, List.of("S"), false, "coterie", null, false, false, false, Purpose.MEASURE));
    }

    @Test
    @DisplayName("families and all stand for their operations, none of which is taken twice")
    void readsFamilies() {
        assertThat(PerfOptions.parse(new String[] {"--ops", "barrier,collectives"})
                        .operations())
                .containsExactly(
                        Operation.BARRIER,
                        Operation.REDUCE,
                        Operation.BCAST,
                        Operation.INSCAN,
                        Operation.EXSCAN,
                        Operation.REDUCE_SCATTER,
                        Operation.FCOLLECT,
                        Operation.COLLECT,
                        Operation.ALLTOALL,
                        Operation.REDUCE_REQUEST,
                        Operation.BARRIER_REQUEST,
                        Operation.SYNC,
                        Operation.SUM,
                        Operation.SPLIT);
        assertThat(PerfOptions.parse(new String[] {"-o", "all"}).operations()).containsExactly(Operation.values());
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "--ops, 'put,', there is no \"\"",
        "--opps, put, there is no option \"--opps\"",
        "-o, putt, 'there is no \"putt\"; similar are put, '",
        "-o, colectives, similar are collect, collectives",
        "-o, barier, similar are barrier",
        "-o, allReduce, 'there is no \"allReduce\"; similar are reduce, '",
        "-o, xyz, 'there is no \"xyz\"; families are copies, '",
        "-m, 8:4:2, is not MIN:MAX",
        "-m, 64:8, is not MIN:MAX",
        "-m, 0:8, '\"0:8\" is not MIN:MAX, such as 8:64k'",
        "-m, 8:64q, is not MIN:MAX",
        "-m, 8:8388608t, is not MIN:MAX",
        "-m, 8:, is not MIN:MAX",
        "-i, many, is not a whole number",
        "--class, X, '--class: \"X\" is no problem class of npb; these are S, W, A, B'",
        "--class, 'S,', '\"\" is no problem class'",
        "--class, SW, '\"SW\" is no problem class'",
        "--system, 'a,b', 'is no name: letters, digits'",
        "-f, -x, -x needs a value"
    })
    @DisplayName("what is wrong is named")
    void namesWhatIsWrong(String option, String value, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PerfOptions.parse(new String[] {option, value}))
                .withMessageContaining(message);
    }

    @Test
    @DisplayName("every option of the help is understood")
    void helpIsTrue() {
        Matcher names = Pattern.compile("--[a-z]+").matcher(PerfOptions.HELP);
        TreeSet<String> found = new TreeSet<>();
        while (names.find()) {
            found.add(names.group());
        }
        assertThat(found).hasSize(13);
        Map<String, String> values = Map.of(
                "--ops",
                "put",
                "--sizes",
                "8:8",
                "--iterations",
                "1",
                "--warmup",
                "1",
                "--class",
                "S",
                "--system",
                "x",
                "--plot",
                "p.svg");
        for (String name : found) {
            String value = values.get(name);
            String[] arguments = value == null ? new String[] {name} : new String[] {name, value};
            assertThat(Objects.toString(PerfOptions.parse(arguments))).isNotEmpty();
        }
    }

    @Test
    @DisplayName("numbers of the environment have defaults and must be numbers")
    void readsEnvironment() {
        assertThat(PerfOptions.environmentNumber(Map.of(), "BENCH_REPS", 7)).isEqualTo(7);
        assertThat(PerfOptions.environmentNumber(Map.of("BENCH_REPS", "3"), "BENCH_REPS", 7))
                .isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PerfOptions.environmentNumber(Map.of("BENCH_REPS", "x"), "BENCH_REPS", 7))
                .withMessageContaining("BENCH_REPS");
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ParsedArgumentsTest {
    private static ParsedArguments run(String... words) {
        return ParsedArguments.parse(Command.RUN, List.of(words));
    }

    @ParameterizedTest
    @EnumSource(Command.class)
    @DisplayName("each name of each option is understood, with its value in every form it may have")
    void understandsTheTable(Command command) {
        for (Option option : command.options()) {
            for (String name : option.names()) {
                for (List<String> words : forms(option, name)) {
                    ParsedArguments parsed = ParsedArguments.parse(command, words);
                    assertThat(parsed.has(option)).as("%s", words).isTrue();
                    assertThat(parsed.value(option)).as("%s", words).isIn("", "7");
                    assertThat(parsed.operands()).as("%s", words).isEmpty();
                }
            }
        }
    }

    private static List<List<String>> forms(Option option, String name) {
        return switch (option.takes()) {
            case NOTHING -> List.of(List.of(name));
            case PERHAPS_VALUE -> List.of(List.of(name), List.of(name + "=7"));
            case VALUE, VALUES, PROGRAM -> List.of(List.of(name, "7"), List.of(name + "=7"));
        };
    }

    @Test
    @DisplayName("options end at the program; what follows is its own, dashes and all")
    void endsAtTheProgram() {
        ParsedArguments parsed = run("-n", "2", "Ring.java", "-n", "3", "--help", "--");
        assertThat(parsed.value(Option.PES)).isEqualTo("2");
        assertThat(parsed.has(Option.HELP)).isFalse();
        assertThat(parsed.operands()).containsExactly("Ring.java", "-n", "3", "--help", "--");
    }

    @Test
    @DisplayName("-jar and -m name the program, so that options end there too")
    void endsAtJarAndModule() {
        assertThat(run("-n2", "-jar", "a.jar", "-n", "3").operands()).containsExactly("-n", "3");
        assertThat(run("-m", "a/b.C", "--heap").operands()).containsExactly("--heap");
    }

    @Test
    @DisplayName("-- ends the options")
    void dashesEndOptions() {
        assertThat(run("--tag-output", "--", "-odd.java", "x").operands()).containsExactly("-odd.java", "x");
    }

    @Test
    @DisplayName("values may follow at once where the option has one letter")
    void attachedValues() {
        ParsedArguments parsed = run("-n4", "-J-Xmx1g", "-J", "-Dx=y", "-J=-ea", "A.java");
        assertThat(parsed.value(Option.PES)).isEqualTo("4");
        assertThat(parsed.all(Option.JVM)).containsExactly("-Xmx1g", "-Dx=y", "-ea");
    }

    @Test
    @DisplayName("of options that stand for one value, the last counts")
    void lastCounts() {
        assertThat(run("-n", "2", "-np", "3", "A.java").value(Option.PES)).isEqualTo("3");
    }

    @Test
    @DisplayName("a word that is no option is refused, with the nearest one that is")
    void suggests() {
        assertThatThrownBy(() -> run("--heep=3", "A.java")).hasMessage("unknown option --heep; did you mean --heap?");
        assertThatThrownBy(() -> run("--tga-output")).hasMessageContaining("did you mean --tag-output?");
        assertThatThrownBy(() -> run("--qwertyuiop")).hasMessage("unknown option --qwertyuiop");
        assertThatThrownBy(() -> run("-name", "x")).hasMessageContaining("unknown option -name");
    }

    @ParameterizedTest
    @EnumSource(Option.class)
    @DisplayName("a missing or a needless value is refused, with the form that would be right")
    void missingValues(Option option) {
        Command command = Arrays.stream(Command.values())
                .filter(each -> each.options().contains(option))
                .findFirst()
                .orElseThrow();
        String name = option.longestName();
        switch (option.takes()) {
            case NOTHING ->
                assertThatThrownBy(() -> ParsedArguments.parse(command, List.of(name + "=x")))
                        .isInstanceOf(UsageException.class)
                        .hasMessageContaining(name + " takes no value");
            case PERHAPS_VALUE ->
                assertThat(ParsedArguments.parse(command, List.of(name, "x")).operands())
                        .containsExactly("x");
            case VALUE, VALUES, PROGRAM ->
                assertThatThrownBy(() -> ParsedArguments.parse(command, List.of(name)))
                        .isInstanceOf(UsageException.class)
                        .hasMessage(name + " needs a value: " + name + " " + option.label());
        }
    }

    @Test
    @DisplayName("perf takes launch options, and leaves all others to the benchmark in their order")
    void perfPassesOn() {
        ParsedArguments parsed = ParsedArguments.parse(
                Command.PERF, List.of("--csv", "-n", "2", "put", "-J-Xint", "--only", "x", "--", "-n", "9"));
        assertThat(parsed.value(Option.PES)).isEqualTo("2");
        assertThat(parsed.all(Option.JVM)).containsExactly("-Xint");
        assertThat(parsed.operands()).containsExactly("--csv", "put", "--only", "x", "-n", "9");
    }

    @Test
    @DisplayName("--debug takes a number that follows as its port, and leaves any other word to be the program")
    void debugTakesNumbers() {
        ParsedArguments parsed = run("--debug", "6105", "X.java", "7");
        assertThat(parsed.value(Option.DEBUG)).isEqualTo("6105");
        assertThat(parsed.operands()).containsExactly("X.java", "7");
        assertThat(run("--debug", "X.java").operands()).containsExactly("X.java");
        assertThat(run("--debug", "6X.java").operands()).containsExactly("6X.java");
        assertThat(run("--debug").value(Option.DEBUG)).isEmpty();
    }

    @Test
    @DisplayName("no two options of a command share a name")
    void namesAreUnique() {
        for (Command command : Command.values()) {
            List<String> names = new ArrayList<>();
            command.options().forEach(option -> names.addAll(option.names()));
            assertThat(names).doesNotHaveDuplicates();
        }
    }
}

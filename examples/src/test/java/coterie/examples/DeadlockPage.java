// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The page with the reports of the programs of `examples/deadlocks`.
final class DeadlockPage {
    private static final Pattern SECTION = Pattern.compile("(?ms)^## (\\w+): [^\n]*\n\n[A-Z].*?^```\n(.*?)^```$");

    private DeadlockPage() {}

    /// Returns the lines of the block of each program: the command, and what it prints.
    static Map<String, List<String>> read() throws IOException {
        String page = Files.readString(ProgramRun.EXAMPLES.resolveSibling("docs/observing/deadlocks.md"));
        Map<String, List<String>> blocks = new LinkedHashMap<>();
        for (MatchResult each : SECTION.matcher(page).results().toList()) {
            blocks.put(each.group(1), each.group(2).lines().toList());
        }
        return blocks;
    }

    /// Compares the page with what a broken program has printed: all of a report of a deadlock. Of exceptions, which
    /// several PEs may throw and others not any more, it compares the lines that the page has.
    static void check(DeadlockExamplesTest.Scenario scenario, ProgramRun run) throws IOException {
        List<String> block = read().getOrDefault(scenario.name(), List.of());
        assertThat(block)
                .first()
                .isEqualTo("$ coterie run -n " + scenario.pes() + " --on-deadlock abort deadlocks/" + scenario.name()
                        + ".java broken");
        List<String> shown = normalised(block.subList(1, block.size()), scenario);
        List<String> printed = new ArrayList<>(run.errors());
        printed.addAll(run.output());
        if (scenario.exitCode() == ExitCode.DEADLOCK.code()) {
            assertThat(normalised(printed, scenario)).containsExactlyElementsOf(shown);
        } else {
            assertThat(shown).isNotEmpty();
            assertThat(normalised(printed, scenario)).containsSubsequence(shown);
        }
    }

    /// Leaves out what differs from run to run.
    private static List<String> normalised(List<String> lines, DeadlockExamplesTest.Scenario scenario) {
        Stream<String> stable = lines.stream()
                .filter(line -> !line.startsWith("\t") && !line.isEmpty())
                .map(line -> line.replaceAll("\\d+\\.\\d+ s\\b", "n s")
                        .replaceAll("\\(pid \\d+\\)", "(pid n)")
                        .replaceAll("which is [12], to be EQ 3", "which is n, to be EQ 3")
                        .replaceAll("( after n s); PE.*", "$1")); // what the others did just then
        return scenario.name().equals("SharedTeam") // whose PEs do the same
                ? stable.map(line -> line.replaceAll("PE \\d", "PE n"))
                        .distinct()
                        .toList()
                : stable.toList();
    }
}

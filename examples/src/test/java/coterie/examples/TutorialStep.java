// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A step of the tutorial: a program, a command, and what it prints.
///
/// @param code of the program
/// @param words of the command, from `run` or `trace` on
/// @param prints lines of the page: those of the program, then the launcher's report
record TutorialStep(String code, List<String> words, List<String> prints) {
    private static final Path PAGE = ProgramRun.EXAMPLES.resolveSibling("docs/tutorial.md");

    private static final Pattern STEP = Pattern.compile(
            "(?ms)^## \\d+\\. [^\n]+\n\n^```java\n(.*?)^```\n\n^```\n\\$ \\./coterie ([^\n]+)\n(.*?)^```$");

    /// Returns the steps of the page.
    static List<TutorialStep> all() throws IOException {
        return STEP.matcher(Files.readString(PAGE))
                .results()
                .map(TutorialStep::of)
                .toList();
    }

    private static TutorialStep of(MatchResult step) {
        return new TutorialStep(
                step.group(1),
                Arrays.asList(step.group(2).split(" ")),
                step.group(3).lines().toList());
    }

    /// Returns the step whose program has this name.
    static TutorialStep named(String name) throws IOException {
        return all().stream()
                .filter(step -> step.toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    Path program() {
        return ProgramRun.EXAMPLES.resolveSibling(words.getLast());
    }

    /// Returns what the program prints.
    List<String> output() {
        return prints.stream().takeWhile(line -> !line.startsWith("coterie: ")).toList();
    }

    /// Returns what the launcher reports.
    String report() {
        return prints.stream().skip(output().size()).collect(Collectors.joining("\n"));
    }

    /// Runs the command of the page with another program in place of its own.
    ///
    /// @param mode `processes` or `threads`, as `--pes` takes it
    /// @param options that the page does not have
    ProgramRun run(String mode, Path other, String... options) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(words);
        all.set(all.size() - 1, other.toString());
        all.addAll(1, List.of("--pes", mode, "--timeout", "60s"));
        all.addAll(1, ProgramRun.RUN.subList(1, ProgramRun.RUN.size()));
        all.addAll(1, List.of(options));
        return ProgramRun.coterie(Map.of(), all);
    }

    @Override
    public String toString() {
        return program().getFileName().toString().replace(".java", "");
    }
}

// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Counts the tests that did not run, by the tool that they lack or another reason.
///
/// ```
/// java coterie.testing.SkippedTests ROOT START TOOL...
/// ```
///
/// prints how many tests of the build that started at `START` did not run for each of some tools, which `.ci/run` could
/// not install.
///
/// @param byTool   how many tests lack a tool
/// @param byReason how many tests have another reason
record SkippedTests(Map<String, Integer> byTool, Map<String, Integer> byReason) {

    /// The sentence of a test that lacks a tool; an assumption puts words before it.
    private static final Pattern LACKS_TOOL = Pattern.compile("\\bneeds (.+?), which is not here\\b");

    public static void main(String[] args) throws IOException {
        SkippedTests skipped = of(TestReport.readAll(Path.of(args[0]), List.of(), Instant.parse(args[1])));
        Arrays.stream(args).skip(2).map(skipped::lineFor).forEach(System.out::println);
    }

    static SkippedTests of(List<TestReport> reports) {
        Map<String, Integer> byTool = new TreeMap<>();
        Map<String, Integer> byReason = new TreeMap<>();
        for (TestReport report : reports) {
            for (String reason : report.skipped()) {
                Matcher lacks = LACKS_TOOL.matcher(reason);
                if (lacks.find()) {
                    byTool.merge(lacks.group(1), 1, Integer::sum);
                } else {
                    byReason.merge(firstLine(reason), 1, Integer::sum);
                }
            }
        }
        return new SkippedTests(byTool, byReason);
    }

    /// Lines for the end of a build, one for each tool and reason.
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        byTool.forEach((tool, number) -> lines.add(number + " for lack of " + tool));
        byReason.forEach((reason, number) -> lines.add(number + ": " + reason));
        return lines;
    }

    String lineFor(String tool) {
        return "== not installed: " + tool + "; tests that did not run for it: " + byTool.getOrDefault(tool, 0);
    }

    private static String firstLine(String reason) {
        return reason.lines().findFirst().orElse("");
    }
}

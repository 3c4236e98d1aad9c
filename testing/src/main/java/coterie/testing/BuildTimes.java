// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Says at the end of a build what it took: each module, the slowest test classes, and the tests that did not run. It
/// fails if a class took longer than the tier allows.
///
/// ```
/// java coterie.testing.BuildTimes ROOT START LIMIT
/// ```
///
/// `ROOT` is the folder of the project and `START` when the build started, as `2026-01-31T12:00:00.000Z`: what is older
/// belongs to other builds. `LIMIT` is how many seconds a class may take, or `Infinity`. The last module runs it; after
/// a build that failed, `.ci/run` does.
final class BuildTimes {
    private static final int SLOWEST = 25;

    private final List<ModuleTime> modules;
    private final List<TestReport> reports;
    private final Duration total;
    private final int processors;

    BuildTimes(List<ModuleTime> modules, List<TestReport> reports, Duration total, int processors) {
        this.modules = modules;
        this.reports = reports.stream()
                .sorted(Comparator.comparingDouble(TestReport::seconds).reversed())
                .toList();
        this.total = total;
        this.processors = processors;
    }

    public static void main(String[] args) throws IOException {
        Instant start = Instant.parse(args[1]);
        int processors = Runtime.getRuntime().availableProcessors();
        BuildTimes times = read(Path.of(args[0]), start, Instant.now(), processors);
        ClassLimit.Verdicts verdicts = times.judge(new ClassLimit(
                Double.parseDouble(args[2]), processors, MachineSpeed::slowdown, OverdueClasses.REASONS.keySet()));
        times.lines().forEach(System.out::println);
        verdicts.withheld().forEach(System.out::println);
        verdicts.failures().forEach(System.err::println);
        System.exit(verdicts.failures().isEmpty() ? 0 : 1);
    }

    /// Reads what the modules of a build left: those that ended have notes, and others may have reports.
    static BuildTimes read(Path root, Instant start, Instant now, int processors) throws IOException {
        List<ClockSample> samples = ClockSample.readAll(root.resolve("target/times"), start);
        List<TestReport> reports = TestReport.readAll(root, samples, start);
        List<ModuleTime> modules = ModuleTime.of(ClockSample.first(start), samples);
        return new BuildTimes(modules, reports, Duration.between(start, now), processors);
    }

    ClassLimit.Verdicts judge(ClassLimit limit) {
        return limit.judge(reports, modules.stream().collect(Collectors.toMap(ModuleTime::name, Function.identity())));
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        addModules(lines);
        addClasses(lines);
        addSkipped(lines);
        return lines;
    }

    private void addModules(List<String> lines) {
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "%-12s %9s %9s %12s %5s %9s",
                "module",
                "ended at",
                "wall s",
                "processor s",
                "busy",
                "others s"));
        double wall = 0;
        for (ModuleTime module : modules) {
            wall += module.wallSeconds();
            lines.add(
                    module.isSeparable()
                            ? row(module.name(), wall, module.wallSeconds(), module.processorSeconds())
                                    + column(" %9.1f", module.foreignSeconds())
                            : String.format(Locale.ROOT, "%-12s %9.1f  beside others", module.name(), wall));
        }
        Long ticks = modules.isEmpty() ? null : modules.getLast().end().mavenTicks();
        OptionalDouble processor =
                ticks == null ? OptionalDouble.empty() : OptionalDouble.of(ticks / MachineTicks.PER_SECOND);
        double seconds = total.toMillis() / 1e3;
        lines.add(row("the build", seconds, seconds, processor));
    }

    private String row(String name, double end, double wall, OptionalDouble processor) {
        OptionalDouble busy = processor.stream()
                .map(seconds -> 100 * seconds / (wall * processors))
                .findFirst();
        return String.format(Locale.ROOT, "%-12s %9.1f %9.1f", name, end, wall)
                + column(" %12.1f", processor)
                + column(" %3.0f %%", busy);
    }

    /// Empty where the number is unknown.
    private static String column(String format, OptionalDouble number) {
        return number.isPresent() ? String.format(Locale.ROOT, format, number.getAsDouble()) : "";
    }

    private void addClasses(List<String> lines) {
        lines.add("");
        lines.add(String.format(Locale.ROOT, "%9s %6s  %s", "wall s", "tests", "class (module, tier)"));
        for (TestReport report : reports.subList(0, Math.min(SLOWEST, reports.size()))) {
            lines.add(String.format(Locale.ROOT, "%9.1f %6d  %s", report.seconds(), report.tests(), report));
        }
        lines.add(String.format(
                Locale.ROOT,
                "%9.1f %6d  all classes: %d",
                reports.stream().mapToDouble(TestReport::seconds).sum(),
                reports.stream().mapToInt(TestReport::tests).sum(),
                reports.size()));
    }

    private void addSkipped(List<String> lines) {
        lines.add("");
        List<String> skipped = SkippedTests.of(reports).lines();
        lines.add(skipped.isEmpty() ? "all tests ran" : "tests that did not run:");
        skipped.forEach(line -> lines.add("  " + line));
    }
}

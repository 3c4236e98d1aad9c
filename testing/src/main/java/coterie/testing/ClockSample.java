// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What the script `testing/clock` noted when a module had ended.
///
/// @param target     the module's folder of results
/// @param build      when the build started
/// @param threads    how many modules the build may run side by side
/// @param micros     the time of the note, since 1970
/// @param machine    null where there is no `/proc`
/// @param mavenTicks processor time of Maven and of the processes that it has waited for; null if it is unknown
/// @param throttled  how often a control group made the build wait for processor time
record ClockSample(
        String module,
        Path target,
        Instant build,
        int threads,
        long micros,
        @Nullable MachineTicks machine,
        @Nullable Long mavenTicks,
        long throttled) {

    /// The sample that a build begins with: Maven has used no time yet, and nothing has looked at the machine.
    static ClockSample first(Instant build) {
        long micros = ChronoUnit.MICROS.between(Instant.EPOCH, build);
        return new ClockSample("", Path.of(""), build, 1, micros, null, 0L, 0);
    }

    static ClockSample parse(List<String> lines) {
        Map<String, String> values = lines.stream()
                .map(line -> line.split("=", 2))
                .filter(pair -> !pair[1].isEmpty())
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        String machine = values.get("machine");
        String maven = values.get("maven");
        return new ClockSample(
                required(values, "module"),
                Path.of(required(values, "target")),
                Instant.parse(required(values, "build")),
                Integer.parseInt(required(values, "threads")),
                Long.parseLong(required(values, "micros")),
                machine == null ? null : MachineTicks.parse(machine, Integer.parseInt(required(values, "processors"))),
                maven == null ? null : Long.valueOf(maven),
                Long.parseLong(values.getOrDefault("throttled", "0")));
    }

    /// Returns the samples of builds that started at a time or later, in the order in which their modules ended.
    static List<ClockSample> readAll(Path folder, Instant since) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Path> files;
        try (Stream<Path> found = Files.list(folder)) {
            files = found.toList();
        }
        var samples = new ArrayList<ClockSample>();
        for (Path file : files) {
            samples.add(parse(Files.readAllLines(file)));
        }
        return samples.stream()
                .filter(sample -> !sample.build.isBefore(since))
                .sorted(Comparator.comparingLong(ClockSample::micros))
                .toList();
    }

    private static String required(Map<String, String> values, String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("a note of testing/clock has no " + name + ": " + values);
        }
        return value;
    }
}

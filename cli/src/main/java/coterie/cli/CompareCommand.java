// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.JobSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `coterie compare`: prints measurements of several systems side by side.
final class CompareCommand {
    private static final String PROGRAM = "coterie.bench.SystemComparison";

    private CompareCommand() {}

    static int run(ParsedArguments arguments) throws IOException {
        if (arguments.operands().isEmpty()) {
            throw new UsageException(
                    "no FILE; name at least one file of measurements, such as the output of 'coterie perf --csv'");
        }
        List<String> rows = new ArrayList<>();
        for (String name : arguments.operands()) {
            Path file = Path.of(name);
            if (!Files.isReadable(file)) {
                throw new CannotRunException(ExitCode.NOT_FOUND, "can't read the measurements in " + file);
            }
            rows.add("#file " + name);
            try {
                rows.addAll(Files.readAllLines(file));
            } catch (IOException e) {
                throw new CannotRunException(ExitCode.NOT_FOUND, "can't read the measurements in " + file + ": " + e);
            }
        }
        List<String> words = new ArrayList<>();
        String plot = arguments.value(Option.PLOT);
        words.add(plot == null ? "-" : plot);
        String operations = arguments.value(Option.OPS);
        if (operations != null) {
            words.addAll(List.of(operations.split(",")));
        }
        try (SignalForwarding signals = new SignalForwarding(JobSpec.DEFAULT_GRACE)) {
            return BenchProgram.run("compare", PROGRAM, words, rows, signals);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Jobs;
import coterie.internal.launch.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// `coterie ps`: prints a paragraph for each running job, or for those it names, with a line for each PE.
final class PsCommand {
    private final CommandEnvironment commandEnvironment;

    PsCommand(CommandEnvironment commandEnvironment) {
        this.commandEnvironment = commandEnvironment;
    }

    int run(ParsedArguments arguments) {
        Jobs.Listing listing = Jobs.list();
        List<Jobs.Running> jobs = SelectedJobs.ofAll(listing, arguments.operands());
        if (arguments.has(Option.JSON)) {
            commandEnvironment
                    .out()
                    .println(Json.of(jobs.stream().map(PsCommand::facts).toList()));
        } else if (jobs.isEmpty()) {
            commandEnvironment.out().println("no jobs");
        } else {
            jobs.forEach(this::print);
        }
        listing.unreadable().forEach(why -> commandEnvironment.err().println("coterie ps: " + why));
        return ExitCode.SUCCESS.code();
    }

    private void print(Jobs.Running job) {
        double seconds = Duration.between(job.started(), Instant.now()).toMillis() / 1e3;
        commandEnvironment
                .out()
                .printf(
                        Locale.ROOT,
                        "%s: %d %s, launcher %d, running for %.1f s, %s of symmetric memory each%n",
                        job.name(),
                        job.pes().size(),
                        job.pes().size() == 1 ? "PE" : "PEs",
                        job.launcherPid(),
                        seconds,
                        ByteSize.format(job.heapBytes()));
        boolean severalNodes = job.pes().stream()
                .anyMatch(pe -> pe.node() != job.pes().getFirst().node());
        commandEnvironment
                .out()
                .printf(
                        "%6s%s %8s %-9s %12s %12s %12s  %s%n",
                        "PE", severalNodes ? "  node" : "", "pid", "state", "puts", "gets", "collectives", "doing");
        for (Jobs.Pe pe : job.pes()) {
            Map<String, Long> counters = pe.counters();
            commandEnvironment
                    .out()
                    .printf(
                            Locale.ROOT,
                            "%6d%s %8d %-9s %12d %12d %12d  %s%n",
                            pe.pe(),
                            severalNodes ? String.format(Locale.ROOT, " %5d", pe.node()) : "",
                            pe.pid(),
                            pe.state(),
                            counters.getOrDefault("puts", 0L),
                            counters.getOrDefault("gets", 0L),
                            counters.getOrDefault("collectives", 0L),
                            doing(pe));
        }
    }

    private static String doing(Jobs.Pe pe) {
        return pe.waitedNanos() == 0
                ? pe.doing()
                : pe.doing() + String.format(Locale.ROOT, ", for %.1f s", pe.waitedNanos() / 1e9);
    }

    private static Map<String, Object> facts(Jobs.Running job) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", job.name());
        facts.put("launcher", job.launcherPid());
        facts.put("started", job.started().toString());
        facts.put("heap bytes", job.heapBytes());
        List<Object> pes = new ArrayList<>();
        for (Jobs.Pe pe : job.pes()) {
            Map<String, Object> row = new LinkedHashMap<>();
            row.put("pe", pe.pe());
            row.put("node", pe.node());
            row.put("pid", pe.pid());
            row.put("state", pe.state());
            row.put("doing", pe.doing());
            row.put("waited nanoseconds", pe.waitedNanos());
            row.put("counters", pe.counters());
            pes.add(row);
        }
        facts.put("pes", pes);
        return facts;
    }
}

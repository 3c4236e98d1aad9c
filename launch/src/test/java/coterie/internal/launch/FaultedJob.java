// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.JobSpec.Input;
import coterie.internal.launch.JobSpec.Output;
import coterie.internal.launch.JobSpec.Program;
import coterie.internal.memory.JobSegment;
import coterie.internal.world.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A job of [FaultedWork] with faults.
///
/// @param pes how many
/// @param faults see [Setting#FAULT]
record FaultedJob(Way way, int pes, String faults) {
    /// Separates a survivor that hangs from one that a loaded machine slows down.
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private static final Pattern STRUCK = Pattern.compile("fault \\S+@(\\d+)\\S* at (\\d+)");

    /// How the members of a team synchronize and move data.
    enum Way {
        DIRECT,
        CONDUIT,
        TREE,
        PLANS,
        NODES;

        private Map<Setting, String> settings() {
            return switch (this) {
                case DIRECT, NODES -> Map.of();
                case CONDUIT -> Map.of(Setting.LOAD_STORE, "false");
                case TREE -> Map.of(Setting.TREE_SYNC_ABOVE, "2");
                case PLANS -> Map.of(Setting.TLS, "p2p", Setting.TL_P2P_TUNE, "barrier:@knomial:inf");
            };
        }

        /// PEs of different nodes do not load and store each other's memory.
        private List<Integer> nodes(int pes) {
            return this == NODES
                    ? IntStream.range(0, pes).map(pe -> pe % 2).boxed().toList()
                    : List.of();
        }
    }

    /// What was seen of a job.
    ///
    /// @param out lines of each PE
    /// @param err lines of all PEs
    record Outcome(int exitCode, List<List<String>> out, List<String> err) {
        /// The PEs that a fault has killed, and when.
        Map<Integer, Long> killed() {
            Map<Integer, Long> killed = new TreeMap<>();
            for (String line : err) {
                Matcher struck = STRUCK.matcher(line);
                if (struck.find()) {
                    killed.put(Integer.parseInt(struck.group(1)), Long.parseLong(struck.group(2)));
                }
            }
            return killed;
        }

        /// The rest of a PE's last line with this first word, or an empty string.
        String last(int pe, String word) {
            return out.get(pe).stream()
                    .filter(line -> line.startsWith(word + " "))
                    .map(line -> line.substring(word.length() + 1))
                    .reduce("", (first, second) -> second);
        }

        /// From each death to the moment at which a survivor has learnt of it.
        List<Long> delays() {
            Map<Integer, Long> killed = killed();
            List<Long> delays = new ArrayList<>();
            for (int pe = 0; pe < out.size(); pe++) {
                for (String line : killed.containsKey(pe) ? List.<String>of() : out.get(pe)) {
                    String[] words = line.split(" ", -1);
                    if (words[0].equals("learnt")) {
                        delays.add(Long.parseLong(words[3]) - killed.get(Integer.parseInt(words[2])));
                    }
                }
            }
            return delays;
        }
    }

    /// Runs the job, and checks what holds wherever a PE dies: the survivors end well and agree on a team without
    /// the dead, and nothing is left.
    Outcome run() {
        Set<String> before = segments();
        Outcome outcome = launch();
        Map<Integer, Long> killed = outcome.killed();
        assertThat(outcome.exitCode).as("%s", outcome).isZero();
        List<Integer> survivors = IntStream.range(0, pes)
                .filter(pe -> !killed.containsKey(pe))
                .boxed()
                .toList();
        String team = outcome.last(survivors.getFirst(), "done");
        String end = outcome.last(survivors.getFirst(), "passed");
        for (int pe : survivors) {
            assertThat(outcome.last(pe, "done"))
                    .as("PE %s of %s", pe, outcome)
                    .isNotEmpty()
                    .isEqualTo(team);
        }
        List<String> members = List.of(team.replaceAll("[\\[\\] ]", "").split(",", -1));
        assertThat(members)
                .as("%s", outcome)
                .containsAll(survivors.stream().map(String::valueOf).toList());
        for (int pe : killed.keySet()) {
            if (!outcome.last(pe, "passed").equals(end)) { // it was not killed after the survivors' last pass
                assertThat(members).as("%s", outcome).doesNotContain("" + pe);
            }
        }
        assertThat(segments()).isEqualTo(before);
        return outcome;
    }

    private Outcome launch() {
        String marker = UUID.randomUUID().toString();
        List<List<String>> out = new ArrayList<>();
        List<String> err = new CopyOnWriteArrayList<>();
        IntStream.range(0, pes).forEach(pe -> out.add(new CopyOnWriteArrayList<>()));
        CachedClasses classes = CachedClasses.ofThisRun();
        List<String> options = new ArrayList<>(CachedClasses.JVM_OPTIONS);
        way.settings().forEach((setting, value) -> options.add("-D" + setting.property() + "=" + value));
        options.add("-D" + Setting.FAULT.property() + "=" + faults);
        Program program = new Program(FaultedWork.class.getName(), null, classes.classPath(), List.of(), List.of());
        JobSpec spec = JobSpec.of("faults", pes, program)
                .withStartupCache(classes.peCache())
                .withHeapBytes(8 << 20)
                .withNodes(way.nodes(pes))
                .withJvmOptions(options)
                .withEnvironment(Map.of(Launch.MARKER, marker))
                .withTimeout(LIMIT)
                .withInput(Input.NONE)
                .withOnFailure(OnFailure.CONTINUE)
                .withOutput(new Output.Lines((pe, isError, line) -> (isError ? err : out.get(pe)).add(line)));
        try (Job job = Job.start(spec)) {
            int exitCode = job.await();
            assertThat(Launch.processes(marker)).isEmpty();
            return new Outcome(exitCode, out, err);
        }
    }

    /// The segments of jobs that this process has open.
    private static Set<String> segments() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.map(FaultedJob::target)
                    .filter(name -> name.contains(JobSegment.NAME_PREFIX))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }

    @Override
    public String toString() {
        return way + ", " + pes + " PEs, " + faults;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.FaultedJob.Outcome;
import coterie.internal.launch.FaultedJob.Way;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The steps that the PEs of a job without faults reach, as they print them: a new step of an algorithm, or a new
/// algorithm, has its faults without a word in the tests.
///
/// @param times how often each PE has reached each step, by `ALGORITHM:step@pe`
/// @param files the source files with a line that names the step, by the same
record FaultedSteps(Way way, int pes, Map<String, Integer> times, Map<String, Set<String>> files) {
    private static final Pattern STEP = Pattern.compile("step (\\w+:\\d+@\\d+)#(\\d+) (\\S+):\\d+");

    static FaultedSteps of(Way way, int pes) {
        Outcome outcome = new FaultedJob(way, pes, "steps").run();
        Map<String, Integer> times = new TreeMap<>();
        Map<String, Set<String>> files = new TreeMap<>();
        for (String line : outcome.err()) {
            Matcher step = STEP.matcher(line);
            if (step.find()) {
                times.put(step.group(1), Integer.parseInt(step.group(2)));
                files.computeIfAbsent(step.group(1), _ -> new TreeSet<>()).add(step.group(3));
            }
        }
        assertThat(times).as("%s", outcome).isNotEmpty();
        return new FaultedSteps(way, pes, times, files);
    }

    /// Makes a product in which a step that several ways reach in one source file is struck in one of them: these
    /// steps of each way.
    static List<FaultedSteps> apart(List<FaultedSteps> ways) {
        Map<String, List<FaultedSteps>> reached = new TreeMap<>();
        for (FaultedSteps each : ways) {
            each.files.forEach((step, files) ->
                    files.forEach(file -> reached.computeIfAbsent(step + " " + file, _ -> new ArrayList<>())
                            .add(each)));
        }
        Map<Way, Set<String>> chosen = new EnumMap<>(Way.class);
        Random random = new Random(ways.getFirst().seed());
        reached.forEach((place, ofWays) -> chosen.computeIfAbsent(
                        ofWays.get(random.nextInt(ofWays.size())).way, _ -> new TreeSet<>())
                .add(place.substring(0, place.indexOf(' '))));
        return ways.stream()
                .filter(each -> chosen.containsKey(each.way))
                .map(each -> each.only(chosen.get(each.way)))
                .toList();
    }

    private FaultedSteps only(Set<String> steps) {
        Map<String, Integer> some = new TreeMap<>(times);
        some.keySet().retainAll(steps);
        return new FaultedSteps(way, pes, some, files);
    }

    private long seed() {
        return way.name().hashCode() + 100L * pes;
    }

    /// A job for each step of each PE, in which signal 9 kills the PE at one of the times at which it reaches it.
    Stream<FaultedJob> deaths() {
        Random random = new Random(seed());
        return times.entrySet().stream()
                .map(step -> step.getKey() + "#" + (1 + random.nextInt(step.getValue())) + "=kill")
                .map(fault -> new FaultedJob(way, pes, fault));
    }

    /// The same, where one more PE dies as the others agree on the survivors: at each of the agreement's steps.
    Stream<FaultedJob> deathsInRecovery() {
        if (pes < 3) {
            return Stream.empty(); // no PE would be left
        }
        Random random = new Random(seed() + 1);
        List<FaultedJob> first = deaths().toList();
        return times.keySet().stream()
                .filter(step -> step.startsWith("S") && step.matches("(SYNC_LIVING|SURVIVORS):.*"))
                .flatMap(step -> {
                    FaultedJob other = first.get(random.nextInt(first.size()));
                    boolean isSame = other.faults().contains(step.substring(step.indexOf('@')) + "#");
                    return isSame
                            ? Stream.empty()
                            : Stream.of(new FaultedJob(way, pes, other.faults() + "," + step + "=kill"));
                });
    }
}

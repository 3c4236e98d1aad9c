// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.FaultedJob.Outcome;
import coterie.internal.launch.FaultedJob.Way;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The steps that the PEs of a job without faults reach, as they print them: a new step of an algorithm, or a new
/// algorithm, has its faults without a word in the tests.
///
/// @param times how often each PE has reached each step, by `ALGORITHM:step@pe`
/// @param places each step's algorithm and number, with the file of the line that names it: `BARRIER 1
///     FlatRound.java`
record FaultedSteps(Way way, int pes, Map<String, Integer> times, List<String> places) {
    private static final Pattern STEP = Pattern.compile("step ((\\w+):(\\d+)@\\d+)#(\\d+) (\\S+):\\d+");

    static FaultedSteps of(Way way, int pes) {
        Outcome outcome = new FaultedJob(way, pes, "steps").run();
        Map<String, Integer> times = new TreeMap<>();
        List<String> places = outcome.err().stream()
                .map(STEP::matcher)
                .filter(Matcher::find)
                .peek(step -> times.put(step.group(1), Integer.parseInt(step.group(4))))
                .map(step -> step.group(2) + " " + step.group(3) + " " + step.group(5))
                .distinct()
                .toList();
        assertThat(times).as("%s", outcome).isNotEmpty();
        return new FaultedSteps(way, pes, times, places);
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

// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/// Checks a trace as a viewer would: names of all processes and threads, slices that nest, arrows and pairs with both
/// ends.
public final class TraceCheck {
    private static final double HALF_NANO = 0.0005; // times are decimal microseconds in doubles

    private final Map<String, Object> trace;
    private final List<Map<String, Object>> events;

    private TraceCheck(String json) {
        this.trace = JsonText.object(json);
        this.events = list(trace.get("traceEvents"));
    }

    /// Reads and checks a file, compressed or not.
    public static TraceCheck of(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in) {
            return of(new String(plain.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    static TraceCheck of(MergedTrace trace, JobFacts facts) throws IOException {
        StringWriter out = new StringWriter();
        PerfettoTrace.write(trace, facts, out);
        return of(out.toString());
    }

    private static TraceCheck of(String json) {
        TraceCheck check = new TraceCheck(json);
        check.names();
        check.nesting();
        check.pairs("s", "f");
        check.pairs("b", "e");
        return check;
    }

    /// Returns the events of a phase.
    public List<Map<String, Object>> phase(String phase) {
        return events.stream().filter(event -> phase.equals(event.get("ph"))).toList();
    }

    /// Returns the names of the slices.
    public List<String> slices() {
        return phase("X").stream().map(event -> text(event, "name")).toList();
    }

    /// Returns the names of processes or threads.
    public Set<String> names(String what) {
        Set<String> names = new HashSet<>();
        phase("M").stream()
                .filter(event -> what.equals(event.get("name")))
                .forEach(event -> names.add(text(arguments(event), "name")));
        return names;
    }

    /// Returns the facts about the job.
    @SuppressWarnings("unchecked")
    public Map<String, Object> metadata() {
        return (Map<String, Object>) Objects.requireNonNull(trace.get("otherData"));
    }

    /// Returns the arguments of an event.
    @SuppressWarnings("unchecked")
    public static Map<String, Object> arguments(Map<String, Object> event) {
        return (Map<String, Object>) Objects.requireNonNull(event.get("args"));
    }

    /// Returns a field as text.
    public static String text(Map<String, Object> event, String field) {
        return String.valueOf(event.get(field));
    }

    private void names() {
        Set<String> processes = new HashSet<>();
        Set<String> threads = new HashSet<>();
        for (Map<String, Object> event : phase("M")) {
            if ("process_name".equals(event.get("name"))) {
                processes.add(text(event, "pid"));
            } else if ("thread_name".equals(event.get("name"))) {
                threads.add(text(event, "pid") + "/" + text(event, "tid"));
            }
        }
        for (Map<String, Object> event : phase("X")) {
            require(processes.contains(text(event, "pid")), "a process without a name", event);
            require(threads.contains(text(event, "pid") + "/" + text(event, "tid")), "a thread without a name", event);
            require(number(event, "ts") >= 0, "a slice before the first join", event);
        }
    }

    private void nesting() {
        Map<String, List<Map<String, Object>>> threads = new HashMap<>();
        for (Map<String, Object> event : phase("X")) {
            threads.computeIfAbsent(text(event, "pid") + "/" + text(event, "tid"), key -> new ArrayList<>())
                    .add(event);
        }
        for (List<Map<String, Object>> slices : threads.values()) {
            slices.sort(Comparator.comparingDouble(event -> number(event, "ts")));
            Deque<Double> ends = new ArrayDeque<>();
            for (Map<String, Object> slice : slices) {
                double end = number(slice, "ts") + number(slice, "dur");
                while (!ends.isEmpty() && ends.getLast() <= number(slice, "ts") + 2 * HALF_NANO) {
                    ends.removeLast();
                }
                require(
                        ends.isEmpty() || end <= ends.getLast() + 2 * HALF_NANO,
                        "a slice that overlaps another",
                        slice);
                ends.addLast(end);
            }
        }
    }

    private void pairs(String begin, String end) {
        Map<String, Double> begins = new HashMap<>();
        for (Map<String, Object> event : phase(begin)) {
            require(begins.put(text(event, "id"), number(event, "ts")) == null, "a second begin", event);
        }
        for (Map<String, Object> event : phase(end)) {
            Double from = begins.remove(text(event, "id"));
            require(from != null && from <= number(event, "ts") + HALF_NANO, "an end without a begin before", event);
        }
        require(begins.isEmpty(), "begins without an end: " + begins.keySet(), Map.of());
    }

    private static double number(Map<String, Object> event, String field) {
        return ((Number) Objects.requireNonNull(event.get(field))).doubleValue();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object value) {
        return (List<Map<String, Object>>) Objects.requireNonNull(value);
    }

    private static void require(boolean holds, String problem, Map<String, Object> event) {
        if (!holds) {
            throw new AssertionError(problem + ": " + event);
        }
    }
}

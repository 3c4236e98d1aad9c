// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import coterie.internal.trace.EventKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// The data of a report, for its script: maps, lists, strings and numbers. Times are in nanoseconds from the first
/// join on.
final class ReportData {
    /// Operations that the timeline draws: some 10 MB of the page. The tables count all.
    static final int MOST_DRAWN = 150_000;

    /// Rows of the table of waits.
    private static final int MOST_WAITS = 200;

    private final MergedTrace trace;
    private final JobFacts facts;
    private final Map<String, Integer> texts = new LinkedHashMap<>();

    private ReportData(MergedTrace trace, JobFacts facts) {
        this.trace = trace;
        this.facts = facts;
    }

    static Map<String, Object> of(MergedTrace trace, JobFacts facts) {
        return new ReportData(trace, facts).all();
    }

    private Map<String, Object> all() {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("job", job());
        data.put("lanes", lanes());
        data.put(
                "kinds", Arrays.stream(EventKind.values()).map(EventKind::label).toList());
        BitSet drawn = drawn();
        int[] places = new int[trace.events().size()];
        List<Object> events = new ArrayList<>();
        drawn.stream().forEach(number -> {
            places[number] = events.size();
            events.add(event(number));
        });
        data.put("events", events);
        data.put(
                "arrows",
                trace.causes().stream()
                        .filter(cause -> drawn.get(cause.waiter()) && drawn.get(cause.cause()))
                        .sorted(Comparator.comparingLong(cause -> -cause.nanos()))
                        .map(cause -> List.of(places[cause.cause()], places[cause.waiter()]))
                        .toList());
        data.put("texts", List.copyOf(texts.keySet()));
        traffic(data);
        waits(data);
        data.put("operations", operations());
        data.put("diagnosis", facts.diagnosis());
        data.put("diagnosisText", facts.diagnosisText());
        data.put("diagnosedAt", facts.diagnosis().isEmpty() ? -1 : facts.diagnosisNanos() - trace.beginNanos());
        return data;
    }

    private Map<String, Object> job() {
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("name", facts.name());
        job.put("command", facts.command());
        job.put("mode", facts.mode());
        job.put("pes", trace.size());
        job.put("exitCode", facts.exitCode());
        job.put("ending", facts.ending());
        job.put("nanos", facts.endNanos() - facts.startNanos());
        job.put("tracedNanos", trace.endNanos() - trace.beginNanos());
        job.put(
                "wallMillis",
                trace.pes().stream().mapToLong(PeEvents::wallMillis).min().orElse(0));
        job.put("events", trace.events().size());
        job.put("dropped", trace.dropped());
        job.put("maxEvents", facts.maxEvents());
        job.put("notDrawn", Math.max(0, trace.events().size() - MOST_DRAWN));
        return job;
    }

    private List<Object> lanes() {
        List<Object> lanes = new ArrayList<>();
        for (PeEvents pe : trace.pes()) {
            for (int lane = 0; lane < pe.lanes().size(); lane++) {
                lanes.add(List.of(pe.pe(), lane, pe.lanes().get(lane)));
            }
        }
        return lanes;
    }

    /// Of too many operations, the longest.
    private BitSet drawn() {
        BitSet drawn = new BitSet();
        int size = trace.events().size();
        if (size <= MOST_DRAWN) {
            drawn.set(0, size);
            return drawn;
        }
        IntStream.range(0, size)
                .boxed()
                .sorted(Comparator.comparingLong(
                        number -> -trace.events().get(number).nanos()))
                .limit(MOST_DRAWN)
                .forEach(drawn::set);
        return drawn;
    }

    /// PE, lane, begin, duration, kind, text, line, whether it has no end.
    private List<Object> event(int number) {
        RecordedEvent event = trace.events().get(number);
        return List.of(
                event.pe(),
                event.lane(),
                event.beginNanos() - trace.beginNanos(),
                event.nanos(),
                event.kind().ordinal(),
                text(event.text()),
                text(event.site()),
                trace.open().get(number) ? 1 : 0);
    }

    private int text(String text) {
        Integer known = texts.putIfAbsent(text, texts.size());
        return known == null ? texts.size() - 1 : known;
    }

    /// Bytes and counts of what each PE sends to and fetches from each.
    private void traffic(Map<String, Object> data) {
        int size = trace.size();
        long[][] bytes = new long[size][size];
        long[][] counts = new long[size][size];
        for (RecordedEvent event : trace.events()) {
            boolean moves = event.kind().movesBytes() || event.kind() == EventKind.ATOMIC;
            if (moves && event.peer() >= 0 && event.peer() < size) {
                bytes[event.pe()][event.peer()] += event.bytes();
                counts[event.pe()][event.peer()]++;
            }
        }
        data.put("bytes", rows(bytes));
        data.put("counts", rows(counts));
    }

    private void waits(Map<String, Object> data) {
        int size = trace.size();
        long[][] waited = new long[size][size];
        for (WaitCause cause : trace.causes()) {
            waited[trace.events().get(cause.waiter()).pe()][
                    trace.events().get(cause.cause()).pe()] += cause.nanos();
        }
        data.put("waited", rows(waited));
        Map<Integer, WaitCause> causes = new HashMap<>();
        trace.causes().forEach(cause -> causes.put(cause.waiter(), cause));
        data.put(
                "waits",
                IntStream.range(0, trace.events().size())
                        .filter(number -> trace.events().get(number).isWait())
                        .boxed()
                        .sorted(Comparator.comparingLong(
                                number -> -trace.events().get(number).nanos()))
                        .limit(MOST_WAITS)
                        .map(number -> wait(number, causes.get(number)))
                        .toList());
    }

    private Map<String, Object> wait(int number, @org.jspecify.annotations.Nullable WaitCause cause) {
        RecordedEvent event = trace.events().get(number);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("pe", event.pe());
        row.put(
                "lane",
                trace.pes().stream()
                        .filter(pe -> pe.pe() == event.pe())
                        .map(pe -> pe.lanes().get(event.lane()))
                        .findFirst()
                        .orElse(""));
        row.put("begin", event.beginNanos() - trace.beginNanos());
        row.put("nanos", event.nanos());
        row.put("operation", event.text());
        row.put("site", event.site());
        row.put("open", trace.open().get(number));
        if (cause != null) {
            RecordedEvent by = trace.events().get(cause.cause());
            row.put("byPe", by.pe());
            row.put("by", by.text());
            row.put("bySite", by.site());
        }
        return row;
    }

    /// A row for each label: kind, label, count, bytes, total, median and longest time.
    private List<Object> operations() {
        Map<String, List<RecordedEvent>> groups = new LinkedHashMap<>();
        for (RecordedEvent event : trace.events()) {
            groups.computeIfAbsent(event.kind().ordinal() + " " + event.label(), key -> new ArrayList<>())
                    .add(event);
        }
        return groups.values().stream()
                .sorted(Comparator.comparingLong(group -> -total(group).sum()))
                .map(this::row)
                .toList();
    }

    private static LongStream total(List<RecordedEvent> group) {
        return group.stream().mapToLong(RecordedEvent::nanos);
    }

    private Object row(List<RecordedEvent> group) {
        long[] sorted = total(group).sorted().toArray();
        RecordedEvent first = group.getFirst();
        long bytes = first.isWait() && first.kind() != EventKind.COLLECTIVE
                ? 0
                : group.stream().mapToLong(RecordedEvent::bytes).sum();
        return List.of(
                first.kind().ordinal(),
                first.label(),
                sorted.length,
                bytes,
                Arrays.stream(sorted).sum(),
                sorted[sorted.length / 2],
                sorted[sorted.length - 1]);
    }

    private static List<List<Long>> rows(long[][] matrix) {
        return Arrays.stream(matrix)
                .map(row -> Arrays.stream(row).boxed().toList())
                .toList();
    }
}

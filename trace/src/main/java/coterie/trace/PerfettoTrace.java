// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import coterie.internal.launch.Json;
import coterie.internal.trace.TraceLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Writes a trace in the JSON format that Perfetto and the browsers' tracing pages read: a process for each PE, a
/// thread for each lane.
///
/// | phase | what |
/// | --- | --- |
/// | `M` | names and order of processes and threads |
/// | `X` | an operation |
/// | `b`, `e` | what overlaps: operations that go on after their call, and those of threads that share a lane |
/// | `s`, `f` | an arrow from what has ended a wait to the wait's end |
/// | `C` | operations of a PE that go on after their call |
/// | `i` | the diagnosis of a stuck job |
final class PerfettoTrace {
    private static final double NANOS_PER_MICRO = 1000;

    private final MergedTrace trace;
    private final JobFacts facts;
    private final Appendable out;
    private String separator = "\n";

    private PerfettoTrace(MergedTrace trace, JobFacts facts, Appendable out) {
        this.trace = trace;
        this.facts = facts;
        this.out = out;
    }

    static void write(MergedTrace trace, JobFacts facts, Appendable out) throws IOException {
        new PerfettoTrace(trace, facts, out).write();
    }

    private void write() throws IOException {
        out.append("{\"displayTimeUnit\":\"ns\",\"otherData\":").append(Json.of(metadata()));
        out.append(",\"traceEvents\":[");
        names();
        BitSet overlapping = SliceNesting.overlapping(trace.events());
        for (int number = 0; number < trace.events().size(); number++) {
            operation(number, overlapping.get(number));
        }
        for (int arrow = 0; arrow < trace.causes().size(); arrow++) {
            arrow(arrow, trace.causes().get(arrow), overlapping);
        }
        transfers();
        if (!facts.diagnosis().isEmpty()) {
            Map<String, Object> event = event("i", "diagnosis", facts.diagnosisNanos(), 0, 0);
            event.put("name", String.valueOf(facts.diagnosis().get("verdict")));
            event.put("s", "g");
            event.put("args", Map.of("report", facts.diagnosisText()));
            add(event);
        }
        out.append("\n]}\n");
    }

    private Map<String, Object> metadata() {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("job", facts.name());
        metadata.put("command", facts.command());
        metadata.put("pes", trace.size());
        metadata.put("exitCode", facts.exitCode());
        metadata.put("clock", "CLOCK_MONOTONIC of one machine for all PEs; 0 is the first join");
        metadata.put("beginNanos", trace.beginNanos());
        metadata.put("maxEventsPerPe", facts.maxEvents());
        metadata.put("droppedEvents", trace.dropped());
        Map<String, Object> dropped = new LinkedHashMap<>();
        trace.pes().stream().filter(pe -> pe.dropped() > 0).forEach(pe -> dropped.put("PE " + pe.pe(), pe.dropped()));
        metadata.put("droppedOldestByPe", dropped);
        return metadata;
    }

    private void names() throws IOException {
        for (PeEvents pe : trace.pes()) {
            name("process_name", pe.pe(), 0, "name", "PE " + pe.pe());
            name("process_sort_index", pe.pe(), 0, "sort_index", pe.pe());
            for (int lane = 0; lane < pe.lanes().size(); lane++) {
                name("thread_name", pe.pe(), lane, "name", pe.lanes().get(lane));
                name("thread_sort_index", pe.pe(), lane, "sort_index", lane);
            }
        }
    }

    private void name(String name, int pe, int lane, String key, Object value) throws IOException {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("ph", "M");
        event.put("name", name);
        event.put("pid", pe);
        event.put("tid", lane);
        event.put("args", Map.of(key, value));
        add(event);
    }

    private void operation(int number, boolean isOverlapping) throws IOException {
        RecordedEvent event = trace.events().get(number);
        if (isOverlapping) {
            pair(event.label(), event, "n" + number, event.endNanos());
            return;
        }
        Map<String, Object> slice = event("X", category(event), event.beginNanos(), event.pe(), event.lane());
        slice.put("name", event.label());
        slice.put("dur", Math.max(1, event.nanos()) / NANOS_PER_MICRO);
        slice.put("args", arguments(number, event));
        add(slice);
    }

    private static String category(RecordedEvent event) {
        return event.isWait() ? "wait" : event.kind().label();
    }

    private Map<String, Object> arguments(int number, RecordedEvent event) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        arguments.put("operation", event.text());
        if (!event.site().isEmpty()) {
            arguments.put("line", event.site());
        }
        if (event.peer() >= 0 && !event.isWait()) {
            arguments.put("peer", event.peer());
        }
        if (event.bytes() > 0) {
            arguments.put("bytes", event.bytes());
        }
        if (trace.open().get(number)) {
            arguments.put("unfinished", true);
        }
        if (event.has(TraceLayout.FAILED)) {
            arguments.put("failed", true);
        }
        return arguments;
    }

    private void pair(String name, RecordedEvent event, String id, long endNanos) throws IOException {
        Map<String, Object> begin = event("b", category(event), event.beginNanos(), event.pe(), event.lane());
        begin.put("name", name);
        begin.put("id", id);
        begin.put("args", Map.of("operation", event.text()));
        add(begin);
        Map<String, Object> end = event("e", category(event), endNanos, event.pe(), event.lane());
        end.put("name", name);
        end.put("id", id);
        add(end);
    }

    /// The finish binds to the slice around it, so that it is a nanosecond before the wait's end.
    private void arrow(int id, WaitCause cause, BitSet overlapping) throws IOException {
        if (overlapping.get(cause.waiter()) || overlapping.get(cause.cause())) {
            return;
        }
        RecordedEvent from = trace.events().get(cause.cause());
        RecordedEvent to = trace.events().get(cause.waiter());
        Map<String, Object> start = event("s", "ends wait", from.beginNanos(), from.pe(), from.lane());
        start.put("name", "ends wait");
        start.put("id", id);
        add(start);
        long at = Math.max(to.beginNanos(), to.endNanos() - 1);
        Map<String, Object> finish = event("f", "ends wait", at, to.pe(), to.lane());
        finish.put("name", "ends wait");
        finish.put("id", id);
        finish.put("bp", "e");
        add(finish);
    }

    private void transfers() throws IOException {
        List<PendingTransfers.Transfer> transfers = PendingTransfers.of(trace.events(), trace.endNanos());
        List<long[]> changes = new ArrayList<>(); // time, PE, +1 or -1
        for (PendingTransfers.Transfer transfer : transfers) {
            RecordedEvent call = trace.events().get(transfer.call());
            pair(call.label() + " until complete", call, "t" + transfer.call(), transfer.endNanos());
            changes.add(new long[] {call.beginNanos(), call.pe(), 1});
            changes.add(new long[] {transfer.endNanos(), call.pe(), -1});
        }
        changes.sort(Comparator.comparingLong(change -> change[0]));
        Map<Long, Long> counts = new LinkedHashMap<>();
        for (long[] change : changes) {
            Map<String, Object> counter = event("C", "transfers", change[0], (int) change[1], 0);
            counter.put("name", "outstanding transfers");
            counter.put("args", Map.of("transfers", counts.merge(change[1], change[2], Long::sum)));
            add(counter);
        }
    }

    private Map<String, Object> event(String phase, String category, long nanos, int pe, int lane) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("ph", phase);
        event.put("cat", category);
        event.put("ts", (nanos - trace.beginNanos()) / NANOS_PER_MICRO);
        event.put("pid", pe);
        event.put("tid", lane);
        return event;
    }

    private void add(Map<String, Object> event) throws IOException {
        out.append(separator).append(Json.of(event));
        separator = ",\n";
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import coterie.Comparison;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.TraceLayout;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Events and jobs of tests.
final class TestTraces {
    private TestTraces() {}

    static RecordedEvent event(EventKind kind, int pe, long begin, long end) {
        return new RecordedEvent(
                pe, 0, begin, end, kind, Comparison.GE, 0, kind.label(), "A.java:1", -1, 0, 0, 0, 0, "");
    }

    /// A put of a word.
    static RecordedEvent put(int pe, int peer, long place, long value, long begin, long end) {
        return new RecordedEvent(
                pe,
                0,
                begin,
                end,
                EventKind.PUT,
                Comparison.EQ,
                TraceLayout.SETS,
                "put",
                "A.java:2",
                peer,
                place,
                value,
                8,
                0,
                "");
    }

    static RecordedEvent await(int pe, long place, long found, long begin, long end) {
        return new RecordedEvent(
                pe,
                0,
                begin,
                end,
                EventKind.WAIT,
                Comparison.GE,
                0,
                "waitUntil",
                "A.java:3",
                pe,
                place,
                1,
                8,
                found,
                "");
    }

    static RecordedEvent barrier(int pe, long number, long begin, long end) {
        return new RecordedEvent(
                pe,
                0,
                begin,
                end,
                EventKind.COLLECTIVE,
                Comparison.EQ,
                0,
                "barrier",
                "A.java:4",
                -1,
                0,
                number,
                0,
                0,
                "world=0:1:3");
    }

    /// A merged trace of these events.
    static MergedTrace trace(int pes, RecordedEvent... events) {
        List<PeEvents> all = IntStream.range(0, pes)
                .mapToObj(pe -> {
                    List<RecordedEvent> mine = List.of(events).stream()
                            .filter(event -> event.pe() == pe)
                            .toList();
                    return new PeEvents(pe, pes, 0, 0, List.of("main", "S"), mine.size(), mine);
                })
                .toList();
        return MergedTrace.of(all, 1000);
    }

    static JobFacts facts(Map<String, Object> diagnosis) {
        return new JobFacts(
                "Test", "coterie trace Test.java", "processes", 0, "fine", 100, 0, 1000, diagnosis, "text", 900);
    }
}

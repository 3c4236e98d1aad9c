// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.PeTracer;
import coterie.internal.trace.TraceLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventFileTest {
    @TempDir
    Path folder;

    private PeTracer tracer(long events) {
        return PeTracer.open(folder, 3, 5, events);
    }

    private PeEvents read() throws IOException {
        return EventFile.read(folder.resolve("pe-3.events")).orElseThrow();
    }

    @Test
    @DisplayName("what a PE writes, a reader reads: times, kind, peer, place, operands, texts, lane")
    void readsWhatWasWritten() throws IOException {
        PeTracer tracer = tracer(10);
        long began = tracer.begin();
        tracer.end(began, EventKind.PUT_SIGNAL, "putSignal", 4, 0x1_0000_0000L, 816, -7, TraceLayout.SETS, 99);
        PeEvents events = read();
        assertThat(events.pe()).isEqualTo(3);
        assertThat(events.pes()).isEqualTo(5);
        assertThat(events.lanes()).containsExactly(Thread.currentThread().getName());
        assertThat(events.dropped()).isZero();
        RecordedEvent event = events.events().getFirst();
        assertThat(event.beginNanos()).isEqualTo(began);
        assertThat(event.endNanos()).isGreaterThanOrEqualTo(began);
        assertThat(event)
                .extracting(
                        RecordedEvent::kind,
                        RecordedEvent::label,
                        RecordedEvent::peer,
                        RecordedEvent::place,
                        RecordedEvent::bytes,
                        RecordedEvent::value,
                        RecordedEvent::flags,
                        RecordedEvent::extra)
                .containsExactly(
                        EventKind.PUT_SIGNAL, "putSignal", 4, 0x1_0000_0000L, 816L, -7L, TraceLayout.SETS, 99L);
    }

    @Test
    @DisplayName("a full ring keeps the latest events, and says how many older ones it has dropped")
    void keepsTheLatest() throws IOException {
        PeTracer tracer = tracer(4);
        for (int i = 0; i < 11; i++) {
            tracer.end(tracer.begin(), EventKind.PUT, "put", 0, i, 8, 0);
        }
        PeEvents events = read();
        assertThat(events.events()).extracting(RecordedEvent::place).containsExactly(7L, 8L, 9L, 10L);
        assertThat(events.dropped()).isEqualTo(7);
    }

    @Test
    @DisplayName("an operation that has not ended is there, without an end; afterwards once, with its end")
    void readsOpenOperations() throws IOException {
        PeTracer tracer = tracer(4);
        tracer.enter(EventKind.WAIT, "waitUntil", 3, 64, 8, Comparison.GE, 5);
        RecordedEvent open = read().events().getFirst();
        assertThat(open.isOpen()).isTrue();
        assertThat(open.text()).isEqualTo("waitUntil: word 0x40 GE 5");
        tracer.leave(6, 0);
        List<RecordedEvent> events = read().events();
        assertThat(events).hasSize(1);
        assertThat(events.getFirst().isOpen()).isFalse();
        assertThat(events.getFirst().extra()).isEqualTo(6);
    }

    @Test
    @DisplayName("what a thread does within a collective, or in a progress hook, is not recorded")
    void recordsTheOutermostAlone() throws IOException {
        PeTracer tracer = tracer(9);
        tracer.enterCollective(this, "barrier", "world=0:1:5", 0);
        tracer.end(tracer.begin(), EventKind.PUT, "put", 0, 0, 8, 0);
        tracer.enter(EventKind.WAIT, "waitUntil", 3, 0, 8, Comparison.EQ, 0);
        tracer.leave(0, 0);
        tracer.enterCollective("another team", "barrier", "row=0:1:2", 0);
        tracer.leaveCollective("another team");
        tracer.collectiveBytes(40);
        tracer.leaveCollective(this);
        tracer.mute();
        tracer.end(tracer.begin(), EventKind.PUT, "put", 0, 0, 8, 0);
        tracer.unmute();
        List<RecordedEvent> events = read().events();
        assertThat(events).extracting(RecordedEvent::text).containsExactly("barrier #0 of team \"world\"");
        assertThat(events.getFirst().bytes()).isEqualTo(40);
    }

    @Test
    @DisplayName("of many operations the first 256 have their line, and each one that waits long, beside quick ones")
    void knowsLines() throws IOException {
        PeTracer tracer = tracer(1000);
        for (int i = 0; i < 300; i++) {
            tracer.end(tracer.begin(), EventKind.PUT, "put", 0, 0, 8, 0);
        }
        tracer.enter(EventKind.WAIT, "waitUntil", 3, 0, 8, Comparison.EQ, 0);
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < 30_000) {
            Thread.onSpinWait();
        }
        tracer.leave(0, 0);
        List<RecordedEvent> events = read().events();
        assertThat(events.subList(0, 256)).noneMatch(event -> event.site().isEmpty());
        assertThat(events.subList(256, 300)).allMatch(event -> event.site().isEmpty());
        assertThat(events.getLast().site()).startsWith("EventFileTest.java:");
    }

    @Test
    @DisplayName("each thread has a lane of its own")
    void hasLanes() throws Exception {
        PeTracer tracer = tracer(9);
        tracer.end(tracer.begin(), EventKind.PUT, "put", 0, 0, 8, 0);
        Thread other = Thread.ofPlatform()
                .name("other")
                .start(() -> tracer.end(tracer.begin(), EventKind.GET, "get", 0, 0, 8, 0));
        other.join();
        PeEvents events = read();
        assertThat(events.lanes()).hasSize(2).last().isEqualTo("other");
        assertThat(events.events()).extracting(RecordedEvent::lane).containsExactly(0, 1);
    }

    @Test
    @DisplayName("a slot that a killed PE has not finished is left out; a file without a header is none")
    void survivesAKill() throws IOException {
        PeTracer tracer = tracer(4);
        tracer.end(tracer.begin(), EventKind.PUT, "put", 0, 1, 8, 0);
        tracer.end(tracer.begin(), EventKind.PUT, "put", 0, 2, 8, 0);
        Path path = folder.resolve("pe-3.events");
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(TraceLayout.RING + TraceLayout.KIND);
            file.writeLong(0);
        }
        assertThat(read().events()).extracting(RecordedEvent::place).containsExactly(2L);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.writeLong(0);
        }
        assertThat(EventFile.read(path)).isEmpty();
    }

    @Test
    @DisplayName("a second world of a PE goes on in the file of the first")
    void goesOn() throws IOException {
        tracer(4).end(System.nanoTime(), EventKind.PUT, "put", 0, 1, 8, 0);
        tracer(4).end(System.nanoTime(), EventKind.GET, "get", 0, 2, 8, 0);
        assertThat(read().events()).extracting(RecordedEvent::label).containsExactly("put", "get");
    }
}

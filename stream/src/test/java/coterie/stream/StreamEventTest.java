// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// Events, and failures, which go along them.
class StreamEventTest {

    private static void assertError(StreamError error, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StreamException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S03 a wait for an event without a record is a no-op, and warns")
    void neverRecorded(World world) {
        List<String> warnings = new ArrayList<>();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            runtime.onWarning(warnings::add);
            WorkStream first = runtime.createStream("first");
            WorkStream second = runtime.createStream("second");
            StreamEvent event = runtime.createEvent();
            assertThat(event.query()).isTrue();
            event.synchronize();
            second.waitEvent(event);
            first.executeUntil(() -> second.pending() == 0); // would never end if the wait took the later record
            second.execute(() -> {});
            first.record(event);
        }
        assertThat(warnings)
                .singleElement()
                .satisfies(text ->
                        assertThat(text).contains("EVENT_NEVER_RECORDED", "\"second\"", "StreamEventTest.java:"));
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a wait is for the record at its call, a later record does not change it")
    void captures(World world) {
        List<String> log = new ArrayList<>();
        boolean[] isOpen = {false};
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream first = runtime.createStream();
            WorkStream second = runtime.createStream();
            StreamEvent event = runtime.createEvent();
            first.execute(() -> log.add("before"));
            first.record(event);
            second.waitEvent(event);
            second.execute(() -> log.add("after"));
            first.executeUntil(() -> isOpen[0]);
            first.record(event);
            second.synchronize();
            assertThat(log).containsExactly("before", "after");
            assertThat(event.query()).isFalse();
            isOpen[0] = true;
            event.synchronize();
            assertThat(event.query()).isTrue();
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "ST-S06 elapsed time: INVALID_EVENT without record or stamps, NOT_READY while pending, else no less than 0")
    void elapsed(World world) {
        boolean[] isOpen = {false};
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream();
            StreamEvent start = runtime.createEvent();
            StreamEvent end = runtime.createEvent();
            StreamEvent untimed = runtime.createEvent(EventOption.DISABLE_TIMING);
            assertError(StreamError.INVALID_EVENT, () -> end.elapsedNanosSince(start));
            stream.record(start);
            stream.record(untimed);
            stream.executeUntil(() -> isOpen[0]);
            stream.record(end);
            assertError(StreamError.INVALID_EVENT, () -> end.elapsedNanosSince(untimed));
            assertError(StreamError.NOT_READY, () -> end.elapsedNanosSince(start));
            isOpen[0] = true;
            stream.synchronize();
            assertThat(end.elapsedNanosSince(start)).isNotNegative();
            assertError(StreamError.INVALID_EVENT, () -> untimed.elapsedNanosSince(start));
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S05 a stream that waits for an event after a failure fails with the same cause; others go on")
    void failuresGoAlongEvents(World world) {
        RuntimeException cause = new IllegalStateException("on purpose");
        List<String> log = new ArrayList<>();
        StreamRuntime runtime = StreamRuntime.open(world);
        WorkStream failing = runtime.createStream("failing");
        WorkStream waiting = runtime.createStream("waiting");
        WorkStream free = runtime.createStream("free");
        StreamEvent before = runtime.createEvent();
        StreamEvent after = runtime.createEvent();
        failing.record(before);
        failing.execute(() -> {
            throw cause;
        });
        failing.record(after);
        free.waitEvent(before);
        waiting.waitEvent(after);
        waiting.execute(() -> log.add("waiting"));
        free.execute(() -> log.add("free"));
        assertThatThrownBy(waiting::synchronize)
                .isInstanceOf(StreamException.class)
                .satisfies(e -> assertThat(e.getCause()).isSameAs(cause))
                .hasMessageContaining("waiting#0, wait for an event, after failing#1, host function")
                .hasMessageContaining("skipped: waiting#1");
        assertThatThrownBy(after::synchronize)
                .satisfies(e -> assertThat(e.getCause()).isSameAs(cause));
        assertThatThrownBy(after::query).satisfies(e -> assertThat(e.getCause()).isSameAs(cause));
        before.synchronize();
        free.synchronize();
        assertThat(log).containsExactly("free");
        runtime.close(); // all failures have been thrown
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S10 query, synchronize and later calls throw the first cause, and name the skipped operations")
    void poison(World world) {
        AssertionError cause = new AssertionError("on purpose");
        List<String> log = new ArrayList<>();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("bad");
            StreamEvent event = runtime.createEvent();
            stream.execute(() -> log.add("ran"));
            stream.execute(() -> {
                throw cause;
            });
            stream.execute(() -> {
                throw new IllegalStateException("a second failure");
            });
            stream.record(event);
            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    stream::synchronize,
                    stream::query,
                    () -> stream.execute(() -> {}),
                    stream::fence,
                    () -> stream.barrier(world.team()),
                    stream::synchronize)) {
                assertThatThrownBy(call)
                        .isInstanceOfSatisfying(StreamException.class, e -> {
                            assertThat(e.error()).isEqualTo(StreamError.FAILED);
                            assertThat(e.skipped()).containsExactly("bad#2", "bad#3");
                        })
                        .satisfies(e -> assertThat(e.getCause()).isSameAs(cause))
                        .hasMessageContaining("bad#1, host function, has failed: " + cause)
                        .hasMessageContaining("skipped: bad#2, bad#3");
            }
            assertThat(stream.pending()).isZero();
        }
        assertThat(log).containsExactly("ran");
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a failure that no call has thrown leaves the runtime's close; arguments out of range fail a stream")
    void unreported(World world) {
        try (SymmetricMemory memory = world.allocate(8)) {
            StreamRuntime runtime = StreamRuntime.open(world);
            runtime.createStream("outside").put(memory.longs(), 1, 1L, 0);
            assertThatThrownBy(runtime::close)
                    .isInstanceOf(StreamException.class)
                    .hasCauseInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("\"outside\"")
                    .hasMessageContaining("element 1 is outside the 1");
            runtime.close();
            assertThatThrownBy(runtime::createStream).isInstanceOf(IllegalStateException.class);
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S31 an allReduce on one PE and a barrier on the other is a mismatch, and not a hang")
    void mismatch(World world) {
        Team team = world.team().duplicate();
        try (SymmetricMemory memory = world.allocate(16);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream();
            if (world.pe() == 0) {
                stream.collective(
                        team,
                        Collective.allReduce(Reduction.SUM)
                                .source(memory.longs(), 0, 1)
                                .target(memory.longs(), 1, 1));
            } else {
                stream.barrier(team);
            }
            assertThatThrownBy(stream::synchronize)
                    .isInstanceOf(StreamException.class)
                    .hasCauseInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("allReduce")
                    .hasMessageContaining("barrier");
        }
        team.close();
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a stream waits for an event of another runtime, with its failures; only the record must match")
    void acrossRuntimes(World world) {
        RuntimeException cause = new IllegalStateException("on purpose");
        List<String> log = new ArrayList<>();
        boolean[] isOpen = {false};
        StreamRuntime first = StreamRuntime.open(world);
        try (StreamRuntime second = StreamRuntime.open(world)) {
            WorkStream recording = first.createStream("recording");
            WorkStream waiting = second.createStream("waiting");
            StreamEvent event = first.createEvent();
            assertThatThrownBy(() -> waiting.record(event)).isInstanceOf(IllegalArgumentException.class);
            waiting.waitEvent(event); // no record yet
            recording.executeUntil(() -> isOpen[0]);
            recording.execute(() -> log.add("recorded"));
            recording.record(event);
            waiting.waitEvent(event);
            waiting.execute(() -> log.add("waited"));
            world.progress();
            assertThat(waiting.query()).isFalse();
            isOpen[0] = true;
            waiting.synchronize();
            assertThat(log).containsExactly("recorded", "waited");
            waiting.beginCapture();
            assertError(StreamError.PROHIBITED, () -> waiting.waitEvent(event));
            waiting.endCapture().close();
            recording.execute(() -> {
                throw cause;
            });
            recording.record(event);
            waiting.waitEvent(event);
            assertThatThrownBy(waiting::synchronize)
                    .satisfies(e -> assertThat(e.getCause()).isSameAs(cause))
                    .hasMessageContaining("after recording#3, host function");
            assertThatThrownBy(first::close)
                    .satisfies(e -> assertThat(e.getCause()).isSameAs(cause));
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("an event with BLOCKING_SYNC is synchronized; one between processes is UNSUPPORTED")
    void options(World world) {
        int[] polls = {0};
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream();
            StreamEvent event = runtime.createEvent(EventOption.BLOCKING_SYNC, EventOption.DISABLE_TIMING);
            stream.executeUntil(() -> ++polls[0] == 100);
            stream.record(event);
            event.synchronize();
            assertThat(polls[0]).isEqualTo(100);
            assertThatThrownBy(() -> runtime.createEvent(EventOption.INTERPROCESS, EventOption.DISABLE_TIMING))
                    .isInstanceOfSatisfying(
                            StreamException.class, e -> assertThat(e.error()).isEqualTo(StreamError.UNSUPPORTED))
                    .hasMessageContaining("createEvent on PE " + world.pe())
                    .hasMessageContaining("put with a signal");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.Comparison;
import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.ThreadLevel;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// What a capture prohibits, what it can capture, and what its end does.
class StreamCaptureTest {

    private static void assertError(StreamError error, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StreamException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    /// Runs code in a thread of its own, and returns what it has thrown.
    private static Throwable inThread(ThrowingCallable call) throws Exception {
        FutureTask<Throwable> task = new FutureTask<>(() -> catchThrowable(call));
        Thread.ofPlatform().start(task);
        return task.get();
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S13: allocations, frees and copies from the host are PROHIBITED while a stream captures, unless"
            + " the capture is relaxed")
    void allocations(World world) {
        MemorySegment one = MemorySegment.ofArray(new long[] {1});
        try (SymmetricMemory memory = world.allocate(8);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("S");
            for (CaptureMode mode : CaptureMode.values()) {
                stream.beginCapture(mode);
                if (mode == CaptureMode.RELAXED) {
                    world.allocate(8).close();
                    runtime.copy(memory.longs(), 0, one, 0, 1);
                } else {
                    assertThatThrownBy(() -> world.allocate(8))
                            .isInstanceOf(StreamException.class)
                            .hasMessageContaining("allocate on PE " + world.pe() + ": stream \"S\" captures in mode")
                            .hasMessageContaining("RELAXED");
                    assertError(StreamError.PROHIBITED, () -> world.allocate(8));
                    assertError(StreamError.PROHIBITED, memory::free);
                    assertError(StreamError.PROHIBITED, () -> runtime.copy(memory.longs(), 0, one, 0, 1));
                }
                stream.endCapture().close();
                world.allocate(8).close();
            }
            assertThat(memory.longs().get(0)).isEqualTo(1);
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("the capture of a thread ends in this thread, unless it is relaxed; a global one prohibits calls of"
            + " all threads")
    void threads() throws Exception {
        try (World world = World.join(ThreadLevel.SERIALIZED);
                SymmetricMemory memory = world.allocate(8);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("S");
            ThrowingCallable copy = () -> runtime.copy(memory.longs(), 0, MemorySegment.ofArray(new long[] {1}), 0, 1);
            for (CaptureMode mode : CaptureMode.values()) {
                stream.beginCapture(mode);
                if (mode == CaptureMode.GLOBAL) {
                    assertThat(inThread(copy)).isInstanceOf(StreamException.class);
                } else {
                    assertThat(inThread(copy)).isNull();
                }
                if (mode == CaptureMode.RELAXED) {
                    assertThat(inThread(() -> stream.endCapture().close())).isNull();
                } else {
                    assertThat(inThread(stream::endCapture))
                            .isInstanceOfSatisfying(
                                    StreamException.class,
                                    e -> assertThat(e.error()).isEqualTo(StreamError.WRONG_THREAD));
                    stream.endCapture().close();
                }
            }
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("COLLECTIVE_DURING_CAPTURE: a collective without a stream runs at once, and a warning says so")
    void collectiveDuringCapture(World world) {
        List<String> warnings = new ArrayList<>();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            runtime.onWarning(warnings::add);
            WorkStream stream = runtime.createStream("S");
            stream.beginCapture();
            stream.barrier(world.team());
            world.team().barrier();
            world.team().barrier();
            stream.endCapture().close();
            world.team().barrier();
            stream.beginCapture(CaptureMode.RELAXED);
            world.team().barrier();
            stream.endCapture().close();
        }
        assertThat(warnings)
                .singleElement()
                .satisfies(text -> assertThat(text)
                        .startsWith("COLLECTIVE_DURING_CAPTURE: barrier on PE " + world.pe()
                                + " at StreamCaptureTest.java:")
                        .contains("stream \"S\" captures in mode GLOBAL", "not part of the graph"));
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a kernel becomes part of a graph, and runs anew in each launch")
    void kernels(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8L * 8);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            AtomicInteger threads = new AtomicInteger();
            WorkStream stream = runtime.createStream("S");
            stream.beginCapture();
            stream.launch(Extent.of(3), Extent.of(4), thread -> {
                threads.incrementAndGet();
                thread.grid().sync();
                if (thread.grid().rank() == 0) {
                    thread.put(longs, 0, longs.get(1) + 1, right);
                    thread.quiet();
                }
            });
            stream.barrier(world.team());
            stream.execute(() -> longs.set(1, longs.get(0)));
            stream.barrier(world.team());
            StreamGraph graph = stream.endCapture();
            assertThat(threads.get()).isZero();
            for (int launch = 1; launch <= 5; launch++) {
                stream.launch(graph);
                stream.synchronize();
                assertThat(threads.get()).isEqualTo(12 * launch);
                assertThat(longs.get(1)).isEqualTo(launch);
            }
            graph.close();
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a runtime closes during a capture: the capture is lost, and the runtime is no hook any more")
    void closeDuringCapture(World world) {
        List<String> log = new ArrayList<>();
        StreamRuntime runtime = StreamRuntime.open(world);
        WorkStream stream = runtime.createStream();
        WorkStream side = runtime.createStream();
        StreamEvent fork = runtime.createEvent();
        stream.execute(() -> log.add("before"));
        stream.beginCapture();
        stream.execute(() -> log.add("captured"));
        stream.barrier(world.team());
        stream.record(fork);
        side.waitEvent(fork);
        runtime.close();
        assertThat(log).containsExactly("before");
        assertThatThrownBy(runtime::createStream).hasMessageContaining("closed");
        assertError(StreamError.PROHIBITED, stream::endCapture);
        world.allocate(8).close(); // which the capture no longer prohibits
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a graph of another runtime is refused")
    void foreignGraph(World world) {
        try (StreamRuntime first = StreamRuntime.open(world);
                StreamRuntime second = StreamRuntime.open(world)) {
            WorkStream mine = first.createStream("mine");
            WorkStream other = second.createStream();
            other.beginCapture();
            StreamGraph graph = other.endCapture();
            assertThatThrownBy(() -> mine.launch(graph))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("launch on stream \"mine\", PE " + world.pe())
                    .hasMessageContaining("another runtime");
            assertThat(mine.pending()).isZero();
            graph.close();
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "each launch of a graph waits for its own value of a signal, if the values go on from launch to launch")
    void relativeValues(World world) {
        int launches = 20;
        int other = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(8L * 8);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            SignalWord added = memory.signal(0);
            SignalWord set = memory.signal(1);
            MemorySegment source = longs.segment();
            List<Long> seen = new ArrayList<>();
            WorkStream stream = runtime.createStream("S");
            stream.beginCapture();
            if (world.pe() == 0) {
                stream.putSignal(longs, 4, source, 5, 1, added.adding(1), other);
                stream.waitUntil(set, Comparison.EQ, 10);
            } else {
                stream.waitUntil(added, Comparison.GE, 1);
                stream.execute(() -> seen.add(longs.get(4)));
                stream.signal(set.setting(10), other);
                stream.writeValue(longs, 2, 7, other);
            }
            StreamGraph graph = stream.endCapture();
            if (world.pe() == 0) {
                graph.advancing(set, 3);
                assertThatThrownBy(() -> graph.advancing(added, 1)) // which it only adds to
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("no captured operation waits for the word at byte 0");
            } else {
                graph.advancing(added, 1).advancing(set, 3).advancing(longs, 2, -1);
            }
            for (int launch = 0; launch < launches; launch++) {
                long round = launch;
                if (world.pe() == 0) {
                    stream.execute(() -> longs.set(5, round));
                }
                stream.launch(graph);
            }
            stream.barrier(world.team());
            stream.synchronize();
            if (world.pe() == 0) {
                assertThat(set.fetch()).isEqualTo(10 + 3 * (launches - 1));
                assertThat(longs.get(2)).isEqualTo(7 - (launches - 1));
            } else {
                assertThat(added.fetch()).isEqualTo(launches);
                for (int launch = 0; launch < launches; launch++) {
                    assertThat(seen.get(launch)).isEqualTo(launch);
                }
            }
            assertThatThrownBy(() -> graph.advancing(set, 3)).isInstanceOf(IllegalStateException.class);
            graph.close();
        }
    }
}

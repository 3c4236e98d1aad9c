// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// The order of operations in a stream and between streams, without communication.
class StreamOrderTest {

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S01 operations of a stream run in the order of their calls")
    void first(World world) {
        List<Integer> log = new ArrayList<>();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream();
            for (int i = 0; i < 1000; i++) {
                int number = i;
                stream.execute(() -> log.add(number));
            }
            assertThat(log).as("an enqueue runs nothing").isEmpty();
            assertThat(stream.pending()).isEqualTo(1000);
            stream.synchronize();
            assertThat(stream.pending()).isZero();
        }
        assertThat(log).isEqualTo(IntStream.range(0, 1000).boxed().toList());
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S02 operations of two streams that wait for each other both complete, in 1,000 pairs of streams")
    void rendezvous(World world) {
        int pairs = 1000;
        boolean[] hasCome = new boolean[2 * pairs];
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            for (int i = 0; i < 2 * pairs; i++) {
                int mine = i;
                runtime.createStream().executeUntil(() -> {
                    hasCome[mine] = true;
                    return hasCome[mine ^ 1];
                });
            }
            assertThat(runtime.pending()).isEqualTo(2L * pairs);
        }
        assertThat(hasCome).doesNotContain(false);
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S07 a stream with pending work closes at once, its operations still run, the handle is invalid")
    void closes(World world) {
        List<Integer> log = new ArrayList<>();
        boolean[] isOpen = {false};
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("short");
            stream.executeUntil(() -> isOpen[0]);
            stream.execute(() -> log.add(1));
            stream.close();
            stream.close();
            assertThat(log).isEmpty();
            for (Runnable call : List.<Runnable>of(
                    stream::query, stream::synchronize, stream::quiet, () -> stream.execute(() -> {}))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("\"short\"")
                        .hasMessageContaining("closed");
            }
            isOpen[0] = true;
        }
        assertThat(log).containsExactly(1);
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S08 the legacy default stream is ordered with blocking streams both ways, not with others")
    void legacy(World world) {
        List<String> log = new ArrayList<>();
        boolean[] isOpen = {false};
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream blocking = runtime.createStream();
            WorkStream free = runtime.createStream("free", StreamOption.NON_BLOCKING);
            blocking.executeUntil(() -> isOpen[0]);
            blocking.execute(() -> log.add("before"));
            runtime.legacyStream().execute(() -> log.add("legacy"));
            blocking.execute(() -> log.add("after"));
            runtime.createStream().execute(() -> log.add("another"));
            free.execute(() -> log.add("free"));
            free.synchronize();
            assertThat(log).containsExactly("free");
            isOpen[0] = true;
        }
        assertThat(log).startsWith("free", "before", "legacy").hasSize(5);
    }

    @SpmdTest(pes = 1)
    @DisplayName("ST-S09 the default streams of two threads are independent, and both are ordered with the legacy one")
    void threadStreams(World world) throws Exception {
        List<String> log = new ArrayList<>();
        boolean[] isOpen = {false};
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream mine = runtime.threadStream();
            assertThat(runtime.threadStream()).isSameAs(mine);
            mine.executeUntil(() -> isOpen[0]);
            mine.execute(() -> log.add("mine"));
            FutureTask<WorkStream> other = new FutureTask<>(() -> {
                runtime.threadStream().execute(() -> log.add("other"));
                return runtime.threadStream();
            });
            Thread thread = new Thread(other);
            thread.start();
            WorkStream its = other.get();
            thread.join();
            assertThat(its).isNotSameAs(mine);
            its.synchronize();
            assertThat(log).containsExactly("other");
            runtime.legacyStream().execute(() -> log.add("legacy"));
            its.execute(() -> log.add("its"));
            world.progress();
            assertThat(log).containsExactly("other");
            isOpen[0] = true;
        }
        assertThat(log).containsExactly("other", "mine", "legacy", "its");
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S11 priorities outside the range count as its bounds, and no order in a stream changes")
    void priorities(World world) {
        List<String> log = new ArrayList<>();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream low = runtime.createStream("low", 99);
            WorkStream high = runtime.createStream("high", -99);
            assertThat(low.priority()).isEqualTo(StreamRuntime.LEAST_PRIORITY);
            assertThat(high.priority()).isEqualTo(StreamRuntime.GREATEST_PRIORITY);
            for (int i = 0; i < 3; i++) {
                int number = i;
                low.execute(() -> log.add("low" + number));
                high.execute(() -> log.add("high" + number));
            }
        }
        assertThat(log).containsExactly("high0", "high1", "high2", "low0", "low1", "low2");
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S12 a host function enqueues to its own stream; its wait for a stream throws SELF_WAIT")
    void hostFunctions(World world) {
        List<String> log = new ArrayList<>();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("own");
            WorkStream other = runtime.createStream("other");
            stream.execute(() -> {
                stream.execute(() -> log.add("second"));
                other.execute(() -> log.add("other"));
                for (WorkStream each : List.of(stream, other)) {
                    assertThatThrownBy(each::synchronize)
                            .isInstanceOfSatisfying(
                                    StreamException.class,
                                    e -> assertThat(e.error()).isEqualTo(StreamError.SELF_WAIT))
                            .hasMessageContaining(each.name() + "#");
                }
                log.add("first");
            });
            stream.synchronize();
            stream.synchronize();
        }
        assertThat(log).containsExactlyInAnyOrder("first", "second", "other").startsWith("first");
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("1,000 streams that wait for words go on by the waits of one thread, in the order of their signals")
    void manyWaits(World world) {
        int streams = 1000;
        try (SymmetricMemory memory = world.allocate(8L * (streams + 1));
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            for (int i = 0; i < streams; i++) {
                WorkStream stream = runtime.createStream();
                stream.waitUntil(longs, i, Comparison.EQ, 1);
                stream.put(longs, i + 1, 1, world.pe()); // lets the next one go on
            }
            world.progress();
            assertThat(runtime.pending()).isEqualTo(2L * streams);
            longs.put(0, 1, world.pe());
            longs.waitUntil(streams, Comparison.EQ, 1); // a wait of core, which knows nothing of streams
        }
    }
}

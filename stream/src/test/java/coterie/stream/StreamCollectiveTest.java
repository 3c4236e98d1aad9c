// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.LongView;
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

/// Collectives in streams, and graphs.
class StreamCollectiveTest {

    private static void assertError(StreamError error, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StreamException.class, e -> assertThat(e.error()).isEqualTo(error));
    }

    @SpmdTest(
            pes = {1, 2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("every kind of collective runs in a stream; a barrier completes what the stream has put")
    void collectives(World world) {
        int n = world.size();
        int me = world.pe();
        Team team = world.team().splitStrided(n - 1, -1, n);
        try (SymmetricMemory memory = world.allocate(8L * (16 + 4 * n));
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            int blocks = 16;
            int gathered = 16 + n;
            WorkStream stream = runtime.createStream();
            Collective sum =
                    Collective.allReduce(Reduction.SUM).source(longs, 0, 1).target(longs, 1, 1);
            for (int round = 1; round <= 3; round++) {
                long mine = 10L * round + team.member();
                stream.execute(() -> longs.set(0, mine));
                stream.sync(team);
                stream.collective(team, sum);
            }
            stream.collective(
                    team, Collective.broadcast(n - 1).source(longs, 0, 1).target(longs, 2, 1));
            stream.collective(
                    team,
                    Collective.exclusiveScan(Reduction.SUM).source(longs, 0, 1).target(longs, 3, 1));
            stream.collective(team, Collective.allGather().source(longs, 0, 1).target(longs, blocks, n));
            stream.collective(
                    team, Collective.allToAll().source(longs, blocks, n).target(longs, gathered, n));
            stream.collective(
                    team,
                    Collective.reduceScatter(Reduction.MAX)
                            .source(longs, blocks, n)
                            .target(longs, 4, 1));
            stream.put(longs, 5, 500 + me, (me + 1) % n);
            stream.barrier(team);
            stream.execute(() -> longs.set(6, longs.get(5)));
            stream.synchronize();
            assertThat(longs.get(1)).isEqualTo(30L * n + n * (n - 1) / 2);
            assertThat(longs.get(2)).isEqualTo(30 + n - 1);
            assertThat(longs.get(3)).isEqualTo(30L * team.member() + team.member() * (team.member() - 1) / 2);
            assertThat(longs.get(4)).isEqualTo(30 + team.member());
            for (int i = 0; i < n; i++) {
                assertThat(longs.get(blocks + i)).isEqualTo(30 + i);
                assertThat(longs.get(gathered + i)).isEqualTo(30 + team.member());
            }
            assertThat(longs.get(6)).isEqualTo(500 + (me + n - 1) % n);
        }
        team.close();
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S21, ST-S29 barriers and allocations of the host pass while a stream's barrier is pending")
    void host(World world) {
        Team other = world.team().duplicate();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            boolean[] isOpen = {world.pe() != 0};
            WorkStream stream = runtime.createStream();
            stream.executeUntil(() -> isOpen[0]);
            stream.barrier(world.team());
            other.barrier();
            try (SymmetricMemory memory = world.allocate(8)) { // a collective of the same team, without a stream
                memory.longs().put(0, 1, (world.pe() + 1) % world.size());
                world.team().barrier();
                assertThat(memory.longs().get(0)).isEqualTo(1);
                assertThat(stream.query()).isFalse();
                other.barrier();
            }
            isOpen[0] = true;
            stream.synchronize();
        }
        other.close();
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S28 collectives of a team in unordered streams throw with both places; events, waits of the host"
            + " and SERIALIZED order them")
    void concurrentUse(World world) {
        Team team = world.team();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream first = runtime.createStream("first", StreamOption.NON_BLOCKING);
            WorkStream second = runtime.createStream("second", StreamOption.NON_BLOCKING);
            WorkStream third = runtime.createStream("third", StreamOption.NON_BLOCKING);
            StreamEvent event = runtime.createEvent();
            first.record(event);
            first.barrier(team);
            second.waitEvent(event); // a record before the barrier is not enough
            assertThatThrownBy(() -> second.barrier(team))
                    .isInstanceOfSatisfying(
                            StreamException.class, e -> assertThat(e.error()).isEqualTo(StreamError.TEAM_CONCURRENT))
                    .hasMessageContaining("first#1 (first enqueued at StreamCollectiveTest.java:")
                    .hasMessageContaining("\"second\"")
                    .hasMessageContaining("order the streams by an event");
            first.record(event);
            third.waitEvent(event);
            third.record(event);
            second.waitEvent(event); // transitive
            second.barrier(team);
            second.synchronize();
            first.sync(team); // the program has seen the barrier complete
            first.synchronize();
        }
        try (StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.SERIALIZED)) {
            boolean[] isOpen = {false};
            WorkStream first = runtime.createStream();
            WorkStream second = runtime.createStream();
            first.executeUntil(() -> isOpen[0]);
            first.barrier(team);
            second.barrier(team);
            world.progress();
            assertThat(second.query()).isFalse();
            isOpen[0] = true;
        }
    }

    @SpmdTest(
            pes = {1, 2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a graph of two streams runs at each launch what it has captured, and nothing at the capture")
    void graphs(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        List<String> log = new ArrayList<>();
        try (SymmetricMemory memory = world.allocate(8 * 4);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            WorkStream main = runtime.createStream("main");
            WorkStream side = runtime.createStream("side");
            StreamEvent fork = runtime.createEvent();
            StreamEvent join = runtime.createEvent();
            main.beginCapture();
            main.execute(() -> log.add("first"));
            main.record(fork);
            side.waitEvent(fork);
            side.put(longs, 0, 100 + world.pe(), right);
            side.execute(() -> log.add("side"));
            side.record(join);
            main.waitEvent(join);
            main.barrier(world.team());
            main.execute(() -> longs.set(1, longs.get(0)));
            main.barrier(world.team()); // before the puts of the next launch
            StreamGraph graph = main.endCapture();
            side.synchronize();
            main.synchronize();
            assertThat(log).isEmpty();
            for (int launch = 1; launch <= 3; launch++) {
                longs.set(0, 0);
                world.team().barrier();
                main.launch(graph);
                main.synchronize();
                assertThat(log).hasSize(2 * launch).endsWith("first", "side");
                assertThat(longs.get(1)).isEqualTo(100 + left);
            }
            StreamEvent launched = runtime.createEvent();
            main.launch(graph);
            main.record(launched);
            side.waitEvent(launched);
            side.launch(graph);
            graph.close();
            assertThatThrownBy(() -> main.launch(graph)).isInstanceOf(IllegalStateException.class);
            side.synchronize();
            assertThat(log).hasSize(10);
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S13 captures: a fork without join is UNJOINED, waits are PROHIBITED, a captured event is no event")
    void captureErrors(World world) {
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream main = runtime.createStream("main");
            WorkStream side = runtime.createStream("side");
            StreamEvent fork = runtime.createEvent();
            StreamEvent outside = runtime.createEvent();
            runtime.createStream().record(outside);
            main.beginCapture();
            main.record(fork);
            side.waitEvent(fork);
            side.execute(() -> {});
            assertError(StreamError.PROHIBITED, main::synchronize);
            assertError(StreamError.PROHIBITED, side::query);
            assertError(StreamError.PROHIBITED, main::close);
            assertError(StreamError.PROHIBITED, main::beginCapture);
            assertError(StreamError.PROHIBITED, side::endCapture);
            assertError(StreamError.PROHIBITED, () -> main.waitEvent(outside));
            assertError(StreamError.PROHIBITED, () -> runtime.legacyStream().execute(() -> {}));
            assertError(StreamError.CAPTURED_EVENT, fork::query);
            assertError(StreamError.CAPTURED_EVENT, fork::synchronize);
            assertThatThrownBy(main::endCapture)
                    .isInstanceOfSatisfying(
                            StreamException.class, e -> assertThat(e.error()).isEqualTo(StreamError.UNJOINED))
                    .hasMessageContaining("\"side\"")
                    .hasMessageContaining("side#0");
            assertError(StreamError.CAPTURED_EVENT, () -> side.waitEvent(fork));
            assertError(StreamError.PROHIBITED, () -> runtime.legacyStream().beginCapture());
            main.barrier(world.team()); // both streams are as before the capture
            main.synchronize();
            side.synchronize();
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a failure in a graph fails the stream of the launch with its cause, and ends the graph")
    void graphFails(World world) {
        RuntimeException cause = new IllegalStateException("on purpose");
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("main");
            stream.beginCapture();
            stream.execute(() -> {});
            stream.execute(() -> {
                throw cause;
            });
            StreamGraph graph = stream.endCapture();
            stream.launch(graph);
            assertThatThrownBy(stream::synchronize)
                    .satisfies(e -> assertThat(e.getCause()).isSameAs(cause))
                    .hasMessageContaining("main#0, graph, after main#1, host function");
            WorkStream again = runtime.createStream();
            again.launch(graph);
            assertThatThrownBy(again::synchronize).hasMessageContaining("earlier launch");
            graph.close();
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("a stream that makes a new Collective for each call keeps its memory: old requests are released")
    void manyCollectives(World world) {
        try (SymmetricMemory memory = world.allocate(8 * 2);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            longs.set(0, 1);
            WorkStream stream = runtime.createStream();
            for (int round = 0; round < 200; round++) {
                stream.collective(
                        world.team(),
                        Collective.allReduce(Reduction.SUM).source(longs, 0, 1).target(longs, 1, 1));
                stream.synchronize();
            }
            assertThat(longs.test(1, Comparison.EQ, world.size())).isTrue();
        }
    }
}

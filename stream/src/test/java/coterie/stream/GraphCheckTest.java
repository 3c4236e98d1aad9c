// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.LongView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.diagnosis.Diagnosis;
import coterie.diagnosis.StuckOperation;
import coterie.diagnosis.Verdict;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;

/// What a check says about the graphs of all PEs, none of which has run.
class GraphCheckTest {
    private static StreamGraph capture(WorkStream stream, Runnable operations) {
        stream.beginCapture();
        operations.run();
        return stream.endCapture();
    }

    private static List<String> ids(Diagnosis diagnosis) {
        return diagnosis.stuck().stream().map(StuckOperation::id).toList();
    }

    /// Captures an operation in each of two streams; if ordered, the second one waits for an event after the first.
    private static StreamGraph twoStreams(
            StreamRuntime runtime, Consumer<WorkStream> first, Consumer<WorkStream> second, boolean isOrdered) {
        WorkStream one = runtime.createStream("one");
        WorkStream two = runtime.createStream("two");
        StreamEvent fork = runtime.createEvent();
        StreamEvent join = runtime.createEvent();
        return capture(one, () -> {
            if (isOrdered) {
                first.accept(one);
            }
            one.record(fork);
            two.waitEvent(fork);
            if (!isOrdered) {
                first.accept(one);
            }
            second.accept(two);
            two.record(join);
            one.waitEvent(join);
        });
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("collectives of two teams in two streams are a HAZARD before they run, in opposite orders a DEADLOCK,"
            + " and nothing in one order")
    void twoTeams(World world) {
        Team team = world.team();
        DeviceLimits oneQueue = DeviceLimits.DEFAULT.withQueues(1);
        try (Team other = team.duplicate();
                StreamRuntime runtime = StreamRuntime.open(world, TeamOrder.CHECKED, oneQueue)) {
            boolean isOpposite = world.pe() == 1;
            Team first = isOpposite ? other : team;
            Team second = isOpposite ? team : other;
            Diagnosis hazard = twoStreams(runtime, s -> s.barrier(first), s -> s.barrier(second), false)
                    .check(team);
            assertThat(hazard.verdict()).as(hazard.text()).isEqualTo(Verdict.HAZARD);
            assertThat(hazard.order()).isNotEmpty();
            assertThat(hazard.suggestions()).anyMatch(each -> each.contains("event"));

            Diagnosis deadlock = twoStreams(runtime, s -> s.barrier(first), s -> s.barrier(second), true)
                    .check(team);
            assertThat(deadlock.verdict()).as(deadlock.text()).isEqualTo(Verdict.DEADLOCK);
            assertThat(ids(deadlock)).contains("P0.one.graph#0", "P0.two.graph#1", "P1.one.graph#0", "P1.two.graph#1");
            assertThat(deadlock.text())
                    .startsWith("DEADLOCK: no schedule can complete these operations (graphs of team \"world\", 2 PEs)")
                    .containsPattern("GraphCheckTest.java:\\d+ .*barrier of team \"world\"");

            StreamGraph fine = twoStreams(runtime, s -> s.barrier(team), s -> s.barrier(other), true);
            WorkStream stream = runtime.createStream("launches");
            for (int launch = 0; launch < 2; launch++) {
                Diagnosis none = fine.check(team);
                assertThat(none.verdict()).as(none.text()).isEqualTo(Verdict.NONE);
                stream.launch(fine);
                stream.synchronize();
            }
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("ST-S22: the circle of a barrier and a signal is found before it runs, unless the signal is there")
    void circle(World world) {
        Team team = world.team();
        try (SymmetricMemory memory = world.allocate(Long.BYTES);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            SignalWord signal = memory.signal(0);
            StreamGraph graph = capture(runtime.createStream("S"), () -> {});
            WorkStream stream = runtime.createStream("S");
            StreamGraph circle = capture(stream, () -> {
                if (world.pe() == 1) {
                    stream.waitUntil(signal, Comparison.GE, 1);
                }
                stream.barrier(team);
                if (world.pe() == 0) {
                    stream.signal(signal.setting(1), 1);
                }
            });
            Diagnosis deadlock = circle.check(team);
            assertThat(deadlock.verdict()).as(deadlock.text()).isEqualTo(Verdict.DEADLOCK);
            assertThat(ids(deadlock)).contains("P0.S.graph#0", "P0.S.graph#1", "P1.S.graph#0", "P1.S.graph#1");
            assertThat(deadlock.suggestions()).anyMatch(each -> each.startsWith("enqueue P"));
            assertThat(graph.check(team).verdict()).isEqualTo(Verdict.NONE);
            signal.set(1, world.pe());
            world.context().quiet();
            assertThat(circle.check(team).verdict()).isEqualTo(Verdict.NONE);
            stream.launch(circle);
            stream.synchronize();
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("members that call different collectives are a MISMATCH; a wait that no graph ends is STALLED")
    void others(World world) {
        Team team = world.team();
        boolean isFirst = world.pe() == 0;
        try (SymmetricMemory memory = world.allocate(4 * Long.BYTES);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            SignalWord signal = memory.signal(0);
            LongView longs = memory.longs();
            Collective sum =
                    Collective.allReduce(Reduction.SUM).source(longs, 1, 1).target(longs, 2, 1);
            WorkStream stream = runtime.createStream("S");
            Diagnosis mismatch = capture(stream, () -> {
                        stream.barrier(team);
                        if (isFirst) {
                            stream.barrier(team);
                        } else {
                            stream.collective(team, sum);
                        }
                    })
                    .check(team);
            assertThat(mismatch.verdict()).as(mismatch.text()).isEqualTo(Verdict.MISMATCH);
            assertThat(mismatch.causes().getFirst())
                    .contains("collective 1 of team \"world\" is barrier in P0.S.graph#1");
            Diagnosis stalled = capture(stream, () -> {
                        if (isFirst) {
                            stream.waitUntil(signal, Comparison.GE, 1);
                        }
                    })
                    .check(team);
            assertThat(stalled.verdict()).as(stalled.text()).isEqualTo(Verdict.STALLED);
            assertThat(ids(stalled)).contains("P0.S.graph#0").doesNotContain("P1.S.graph#0");
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("collectives of a team have the order of their calls, whatever streams they are in")
    void numbers(World world) {
        Team team = world.team();
        try (SymmetricMemory memory = world.allocate(2 * Long.BYTES);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            Collective sum =
                    Collective.allReduce(Reduction.SUM).source(longs, 0, 1).target(longs, 1, 1);
            WorkStream one = runtime.createStream("one");
            WorkStream two = world.pe() == 0 ? runtime.createStream("two") : one;
            StreamEvent fork = runtime.createEvent();
            StreamEvent join = runtime.createEvent();
            StreamGraph graph = capture(one, () -> {
                one.barrier(team);
                one.record(fork);
                two.waitEvent(fork);
                two.collective(team, sum);
                two.record(join);
                one.waitEvent(join);
                one.barrier(team);
            });
            Diagnosis none = graph.check(team);
            assertThat(none.verdict()).as(none.text()).isEqualTo(Verdict.NONE);
            longs.set(0, 1);
            one.launch(graph);
            one.synchronize();
            assertThat(longs.get(1)).isEqualTo(2);
        }
    }

    @SpmdTest(pes = 3)
    @DisplayName("a PE outside the team may do what a graph waits for")
    void outsiders(World world) {
        Team pair = world.team().splitStrided(0, 1, 2);
        try (SymmetricMemory memory = world.allocate(Long.BYTES);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            if (pair.isValid()) {
                SignalWord signal = memory.signal(0);
                WorkStream stream = runtime.createStream("S");
                Diagnosis stalled = capture(stream, () -> stream.waitUntil(signal, Comparison.GE, 1))
                        .check(pair);
                assertThat(stalled.verdict()).as(stalled.text()).isEqualTo(Verdict.STALLED);
                assertThat(stalled.unknown()).containsExactly("what PE 2 does (it has no part in the check)");
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("a graph that is closed can't be checked, and that of an open capture neither")
    void errors(World world) {
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("S");
            StreamGraph graph = capture(stream, () -> {});
            graph.close();
            assertThatThrownBy(() -> graph.check(world.team()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "check of a graph of stream \"S\", PE " + world.pe() + ": the graph is closed");
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("values that go on from launch to launch are those of the next launch")
    void advancing(World world) {
        try (SymmetricMemory memory = world.allocate(Long.BYTES);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            SignalWord signal = memory.signal(0);
            WorkStream stream = runtime.createStream("S");
            StreamGraph graph = capture(stream, () -> stream.waitUntil(signal, Comparison.GE, 1))
                    .advancing(signal, 1);
            signal.set(1, world.pe());
            world.context().quiet();
            assertThat(graph.check(world.team()).verdict()).isEqualTo(Verdict.NONE);
            stream.launch(graph);
            stream.synchronize();
            Diagnosis second = graph.check(world.team());
            assertThat(second.verdict()).as(second.text()).isEqualTo(Verdict.DEADLOCK);
            assertThat(second.text())
                    .containsPattern("waits for word 0 of allocation 1.* \\(8 B\\) on PE 0, which is 1, to be GE 2");
            stream.launch(graph);
            assertThatThrownBy(() -> graph.check(world.team()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("1 launches are not over");
            signal.set(2, world.pe());
            world.context().quiet();
            stream.synchronize();
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.SIM)
    @DisplayName("a job without records can't check graphs, and all members get the error")
    void simulated(World world) {
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("S");
            StreamGraph graph = capture(stream, () -> stream.barrier(world.team()));
            assertThatThrownBy(() -> graph.check(world.team()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("has no records of operations");
        }
    }
}

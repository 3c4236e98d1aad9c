// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;

/// Graphs that advance one word, and are launched in turns.
class AdvancingWordsTest {
    private static StreamGraph capture(WorkStream stream, Consumer<WorkStream> operations) {
        stream.beginCapture();
        operations.accept(stream);
        return stream.endCapture();
    }

    /// Launches a graph that waits, checks that it waits, and lets it go on.
    private static void launch(World world, WorkStream stream, StreamGraph graph, Runnable before, Runnable after) {
        before.run();
        stream.launch(graph);
        for (int i = 0; i < 3; i++) {
            world.progress();
        }
        assertThat(stream.pending()).isEqualTo(1);
        after.run();
        stream.synchronize();
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("a launch waits for a value of its own, whichever graph has been launched before; by views, too")
    void turns(World world) {
        try (SymmetricMemory memory = world.allocate(64);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("S");
            SignalWord word = memory.signal(1);
            LongView longs = memory.longs();
            StreamGraph one =
                    capture(stream, to -> to.waitUntil(word, Comparison.GE, 1)).advancing(word, 1);
            StreamGraph two = capture(stream, to -> to.waitUntil(longs, 1, Comparison.GE, 2))
                    .advancing(longs, 1, 2);
            long sum = 0;
            for (StreamGraph graph : List.of(one, two, two, one, one, two)) {
                long wanted = sum + (graph.equals(one) ? 1 : 2);
                launch(world, stream, graph, () -> longs.set(1, wanted - 1), () -> longs.set(1, wanted));
                sum = wanted;
            }
            one.close();
            StreamGraph three =
                    capture(stream, to -> to.waitUntil(word, Comparison.GE, 1)).advancing(word, 1);
            long wanted = sum + 1;
            launch(world, stream, three, () -> longs.set(1, wanted - 1), () -> longs.set(1, wanted));
            two.close();
            three.close();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("another word, and a word of memory that is allocated anew, begin with the captured values")
    void otherWords(World world) {
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("S");
            for (int round = 0; round < 3; round++) {
                try (SymmetricMemory memory = world.allocate(64)) {
                    memory.segment().fill((byte) 0);
                    for (int index = 0; index < 2; index++) {
                        SignalWord word = memory.signal(index);
                        StreamGraph graph = capture(stream, to -> to.waitUntil(word, Comparison.EQ, 1))
                                .advancing(word, 1);
                        launch(world, stream, graph, () -> {}, () -> word.set(1, world.pe()));
                        graph.close();
                    }
                }
            }
        }
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("senders and receivers agree: no launch of two graphs in turns reads what an earlier one has sent")
    void rings(World world) {
        int pes = world.size();
        int right = (world.pe() + 1) % pes;
        int left = (world.pe() + pes - 1) % pes;
        try (SymmetricMemory memory = world.allocate(64);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("S");
            LongView longs = memory.longs();
            SignalWord sent = memory.signal(0);
            SignalWord taken = memory.signal(1);
            MemorySegment source = longs.segment();
            List<Long> seen = new ArrayList<>();
            List<StreamGraph> graphs = new ArrayList<>();
            for (int step = 1; step <= 2; step++) {
                long by = step;
                graphs.add(capture(stream, to -> {
                            to.putSignal(longs, 2, source, 3, 1, sent.setting(by), right);
                            to.waitUntil(sent, Comparison.EQ, by);
                            to.execute(() -> seen.add(longs.get(2)));
                            to.signal(taken.adding(1), left);
                            to.waitUntil(taken, Comparison.GE, 1);
                        })
                        .advancing(sent, by)
                        .advancing(taken, 1));
            }
            List<Long> expected = new ArrayList<>();
            int[] turns = {0, 1, 0, 0, 1, 1};
            for (int i = 0; i < turns.length; i++) {
                long value = 10L * i + world.pe();
                stream.execute(() -> longs.set(3, value));
                stream.launch(graphs.get(turns[i]));
                expected.add(10L * i + left);
            }
            stream.synchronize();
            assertThat(seen).isEqualTo(expected);
            assertThat(sent.fetch()).isEqualTo(9);
            world.team().barrier();
            graphs.forEach(StreamGraph::close);
        }
    }

    @SpmdTest(pes = 3, modes = SpmdMode.THREADS)
    @DisplayName("graphs that share a word, and no PE, are refused: the message names word and both graphs")
    void noCommonPe(World world) {
        try (SymmetricMemory memory = world.allocate(64);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            SignalWord word = memory.signal(2);
            StreamGraph one = capture(runtime.createStream("one"), to -> to.signal(word.setting(1), 1))
                    .advancing(word, 1);
            StreamGraph two = capture(runtime.createStream("two"), to -> to.signal(word.setting(1), 2));
            assertThatThrownBy(() -> two.advancing(word, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(
                            "advancing of a graph of stream \"two\", PE " + world.pe(),
                            "the word at byte 16 of " + memory,
                            "stream \"one\" at AdvancingWordsTest.java",
                            "the PEs {1}",
                            "stream \"two\" at AdvancingWordsTest.java",
                            "the PEs {2}");
            StreamGraph both = capture(runtime.createStream("both"), to -> {
                        to.signal(word.setting(1), 1);
                        to.signal(word.setting(1), 2);
                    })
                    .advancing(word, 1);
            two.advancing(word, 1); // they have a PE in common now
            one.close();
            two.close();
            both.close();
        }
    }
}

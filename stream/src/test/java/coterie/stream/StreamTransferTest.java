// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.AtomicOperation;
import coterie.ByteView;
import coterie.Comparison;
import coterie.DoubleView;
import coterie.FloatView;
import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.ThreadLevel;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;

/// One-sided operations and waits in streams.
class StreamTransferTest {

    @SpmdTest(
            pes = {1, 2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S15 put with signal in a stream: after the wait of a stream for the signal its reads see the data")
    void putSignal(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        int count = 3000;
        try (SymmetricMemory memory = world.allocate(8L * count);
                SymmetricMemory flags = world.allocate(16);
                StreamRuntime runtime = StreamRuntime.open(world);
                Arena arena = Arena.ofShared()) {
            MemorySegment source = arena.allocate(8L * count, 8);
            WorkStream sending = runtime.createStream();
            WorkStream receiving = runtime.createStream();
            StreamEvent sent = runtime.createEvent();
            StreamEvent read = runtime.createEvent();
            for (int round = 1; round <= 5; round++) {
                int number = round;
                SignalWord arrived = flags.signal(0);
                sending.execute(() -> {
                    for (int i = 0; i < count; i++) {
                        source.setAtIndex(ValueLayout.JAVA_LONG, i, 1000L * number + world.pe());
                    }
                });
                if (round % 2 == 0) {
                    sending.putSignal(memory.longs(), 0, source, 0, count, arrived.setting(round), right);
                } else {
                    sending.putSignalNbi(memory.longs(), 0, source, 0, count, arrived.adding(1), right);
                    sending.quiet();
                }
                sending.record(sent);
                receiving.waitUntil(arrived, Comparison.GE, round);
                receiving.execute(() -> {
                    for (int i = 0; i < count; i++) {
                        assertThat(memory.longs().get(i)).isEqualTo(1000L * number + left);
                    }
                });
                receiving.waitEvent(sent);
                receiving.put(flags.longs(), 1, round, left);
                sending.waitUntil(flags.longs(), 1, Comparison.GE, round);
                receiving.record(read);
                sending.waitEvent(read);
            }
            sending.synchronize();
            receiving.synchronize();
        }
    }

    @SpmdTest(
            pes = {1, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S16 additions of all PEs to a signal: a wait for their number ends once all have come")
    void additions(World world) {
        try (SymmetricMemory memory = world.allocate(16);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream();
            SignalWord sum = memory.signal(0);
            long[] passed = new long[1];
            if (world.pe() == 0) {
                stream.waitUntil(sum, Comparison.GE, world.size());
                stream.execute(() -> passed[0] = passed[0] * 100 + sum.fetch());
                stream.waitUntil(memory.longs(), 0, Comparison.EQ, world.size());
            }
            WorkStream other = runtime.createStream();
            other.signal(sum.adding(1), 0);
            other.synchronize();
            stream.synchronize();
            assertThat(passed[0]).isEqualTo(world.pe() == 0 ? world.size() : 0);
        }
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S17 GEQ compares unsigned numbers of the view's width, also near 2^63, and does not wrap")
    void unsigned(World world) {
        try (SymmetricMemory memory = world.allocate(16);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            for (long[] each : new long[][] {
                {Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE},
                {Long.MIN_VALUE, -1, -1},
                {5, 4, 6},
                {-1, 0, -1}, // the difference 0 − (−1) is positive: CUDA's GEQ would hold
                {-1, Long.MAX_VALUE, -1}
            }) {
                longs.set(0, each[1]);
                WorkStream stream = runtime.createStream();
                boolean holds = Long.compareUnsigned(each[1], each[0]) >= 0;
                stream.waitValue(longs, 0, ValueCondition.GEQ, each[0]);
                stream.waitUntil(memory.signal(0), Comparison.GE, each[0]);
                world.progress();
                world.progress();
                assertThat(stream.query()).isEqualTo(holds);
                longs.set(0, each[2]);
                stream.synchronize();
            }
            ByteView bytes = memory.bytes();
            WorkStream stream = runtime.createStream();
            bytes.set(8, 0x80);
            stream.waitValue(bytes, 8, ValueCondition.GEQ, 0x7f);
            stream.waitValue(bytes, 8, ValueCondition.EQ, 0x80);
            stream.waitValue(bytes, 8, ValueCondition.AND, 0xf0);
            stream.waitValue(bytes, 8, ValueCondition.NOR, 0x3f);
            stream.synchronize();
            stream.waitValue(bytes, 8, ValueCondition.NOR, 0x7f);
            world.progress();
            assertThat(stream.query()).as("no bit is unset in both").isFalse();
            stream.waitValue(bytes, 8, ValueCondition.AND, 0x7f);
            bytes.set(8, 0x01);
            stream.synchronize();
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S18 writeValue shows a PE that waits for the value all that the stream has put before")
    void writeValue(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8 * 100);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            WorkStream stream = runtime.createStream();
            for (int i = 1; i < 100; i++) {
                stream.put(longs, i, 100L * world.pe() + i, right);
            }
            stream.writeValue(longs, 0, 7, right);
            stream.waitValue(longs, 0, ValueCondition.EQ, 7);
            stream.execute(() -> {
                for (int i = 1; i < 100; i++) {
                    assertThat(longs.get(i)).isEqualTo(100L * left + i);
                }
            });
            stream.synchronize();
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "ST-S19, ST-S20 the value of a put is that of the call; the value of a get is pending until it has run")
    void values(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(64);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            DoubleView doubles = memory.doubles();
            FloatView floats = memory.floats();
            boolean[] isOpen = {false};
            WorkStream stream = runtime.createStream();
            stream.executeUntil(() -> isOpen[0]);
            long value = -41;
            stream.put(longs, 0, value, right);
            value = 13;
            stream.put(doubles, 1, 0.5 * value, right);
            stream.put(floats, 4, 0.25f, right);
            stream.quiet();
            StreamValue element = stream.get(longs, 0, right);
            StreamValue real = stream.get(doubles, 1, right);
            StreamValue single = stream.get(floats, 4, right);
            StreamValue octet = stream.get(memory.bytes().unsigned(), 0, right);
            assertThat(element.isDone()).isFalse();
            isOpen[0] = true;
            assertThat(element.asLong()).isEqualTo(-41);
            assertThat(element.isDone()).isTrue();
            assertThat(real.asDouble()).isEqualTo(6.5);
            assertThat(single.asDouble()).isEqualTo(0.25);
            assertThat(octet.asLong()).isEqualTo(256 - 41);
            StreamValue outside = stream.get(longs, 8, right);
            assertThatThrownBy(outside::asLong)
                    .isInstanceOf(StreamException.class)
                    .hasCauseInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(outside::isDone).isInstanceOf(StreamException.class);
        }
    }

    @SpmdTest(
            pes = {1, 2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("every form of put, get and atomic does in a stream what it does without one")
    void forms(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8 * 64);
                StreamRuntime runtime = StreamRuntime.open(world);
                Arena arena = Arena.ofShared()) {
            LongView longs = memory.longs();
            MemorySegment local = arena.allocate(8 * 64, 8);
            for (int i = 0; i < 8; i++) {
                local.setAtIndex(ValueLayout.JAVA_LONG, i, 10L * world.pe() + i);
            }
            WorkStream stream = runtime.createStream();
            stream.putNbi(longs, 0, local, 0, 8, right);
            stream.putStrided(longs, 8, 2, local, 0, 1, 1, 8, right);
            stream.fence();
            stream.quiet();
            stream.getNbi(longs, 0, local, 16, 8, right);
            stream.quiet();
            stream.get(longs, 8, local, 24, 2, right);
            stream.getStrided(longs, 8, 2, local, 32, 1, 1, 8, right);
            stream.put(longs, 40, local, 0, 1, right);
            stream.atomic(AtomicOperation.SWAP, longs, 41, 6, right);
            stream.fence();
            stream.atomic(AtomicOperation.ADD, longs, 41, 6, right);
            stream.fence();
            stream.atomic(AtomicOperation.AND, longs, 41, 9, right);
            stream.fence();
            stream.atomic(AtomicOperation.OR, longs, 41, 3, right);
            stream.fence();
            stream.atomic(AtomicOperation.XOR, longs, 41, 1, right);
            stream.quiet();
            stream.fetchAtomic(AtomicOperation.ADD, longs, 41, 100, local, 48, right);
            stream.compareAndExchange(longs, 41, 110, 5, local, 49, right);
            stream.fetchAtomic(AtomicOperation.FETCH, longs, 41, 0, local, 50, right);
            stream.put(memory.doubles(), 42, 1.5, right);
            stream.quiet();
            stream.fetchAtomic(AtomicOperation.ADD, memory.doubles(), 42, 2.0, local, 51, right);
            stream.quiet();
            stream.synchronize();
            for (int i = 0; i < 8; i++) {
                assertThat(local.getAtIndex(ValueLayout.JAVA_LONG, 16 + i)).isEqualTo(10L * world.pe() + i);
                assertThat(local.getAtIndex(ValueLayout.JAVA_LONG, 32 + i)).isEqualTo(10L * world.pe() + i);
            }
            assertThat(local.getAtIndex(ValueLayout.JAVA_LONG, 24)).isEqualTo(10L * world.pe());
            assertThat(local.getAtIndex(ValueLayout.JAVA_LONG, 48)).isEqualTo((((6 + 6) & 9) | 3) ^ 1);
            assertThat(local.getAtIndex(ValueLayout.JAVA_LONG, 49)).isEqualTo(110);
            assertThat(local.getAtIndex(ValueLayout.JAVA_LONG, 50)).isEqualTo(5);
            assertThat(local.getAtIndex(ValueLayout.JAVA_DOUBLE, 51)).isEqualTo(1.5);
            assertThat(stream.get(memory.doubles(), 42, right).asDouble()).isEqualTo(3.5);
            assertThatThrownBy(() -> stream.atomic(AtomicOperation.FETCH, longs, 0, 0, right))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("FETCH");
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a wait for all words holds for each at some moment, with one operand or one for each")
    void waitUntilAll(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8 * 8);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            WorkStream waiting = runtime.createStream();
            WorkStream putting = runtime.createStream();
            waiting.waitUntilAll(longs, 0, 4, Comparison.GT, 0);
            waiting.waitUntilAll(longs, 4, Comparison.EQ, new long[] {14, 15, 16, 17});
            for (int i = 7; i >= 1; i--) {
                putting.put(longs, i, 10 + i, right);
            }
            putting.synchronize();
            assertThat(waiting.query() && world.size() == 1)
                    .as("before the last put")
                    .isFalse();
            putting.put(longs, 0, 10, right);
            putting.synchronize();
            waiting.synchronize();
        }
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("ST-S38 a non-blocking put of one stream to a PE does not wait for another stream that waits")
    void noSharedLane(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8 * 4);
                StreamRuntime runtime = StreamRuntime.open(world);
                Arena arena = Arena.ofShared()) {
            LongView longs = memory.longs();
            MemorySegment one = arena.allocate(8, 8);
            one.set(ValueLayout.JAVA_LONG, 0, 1);
            WorkStream first = runtime.createStream();
            WorkStream second = runtime.createStream();
            first.waitUntil(longs, 1, Comparison.EQ, 1); // what the other PE's second stream puts
            first.putNbi(longs, 0, one, 0, 1, right);
            first.quiet();
            second.putNbi(longs, 1, one, 0, 1, right);
            second.quiet();
            second.waitUntil(longs, 0, Comparison.EQ, 1);
            first.synchronize();
            second.synchronize();
        }
    }

    @SpmdTest(
            pes = {3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("PE numbers of views and signals are those of their contexts' teams, several in one stream")
    void teams(World world) {
        Team reversed = world.team().splitStrided(world.size() - 1, -1, world.size());
        try (SymmetricMemory memory = world.allocate(8 * 4);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            LongView longs = memory.longs();
            WorkStream stream = runtime.createStream();
            int opposite = world.size() - 1 - world.pe();
            stream.put(longs.through(reversed.context()), 0, 100 + world.pe(), world.pe());
            stream.put(longs, 1, 200 + world.pe(), opposite);
            stream.signal(memory.signal(2).through(reversed.context()).setting(300 + world.pe()), world.pe());
            stream.barrier(world.team());
            stream.synchronize();
            assertThat(longs.get(0)).isEqualTo(100 + opposite);
            assertThat(longs.get(1)).isEqualTo(200 + opposite);
            assertThat(longs.get(2)).isEqualTo(300 + opposite);
        }
        reversed.close();
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("at level FUNNELED every thread enqueues; a thread that did not join may not wait")
    void funneled() throws Exception {
        try (World world = World.join(ThreadLevel.FUNNELED)) {
            SymmetricMemory memory = world.allocate(8);
            StreamRuntime runtime = StreamRuntime.open(world);
            WorkStream stream = runtime.createStream();
            FutureTask<Boolean> foreign = new FutureTask<>(() -> {
                stream.put(memory.longs(), 0, 5, world.pe());
                stream.barrier(world.team());
                assertThatThrownBy(stream::synchronize).isInstanceOf(WrongThreadException.class);
                return stream.query();
            });
            Thread thread = new Thread(foreign);
            thread.start();
            assertThat(foreign.get()).isFalse();
            thread.join();
            stream.synchronize();
            assertThat(memory.longs().get(0)).isEqualTo(5);
            runtime.close();
            memory.close();
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("a wait for a negative number of words throws at the call")
    void negativeCount(World world) {
        try (SymmetricMemory memory = world.allocate(8);
                StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream("S");
            assertThatThrownBy(() -> stream.waitUntilAll(memory.longs(), 0, -1, Comparison.EQ, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("waitUntilAll on stream \"S\", PE 0: count -1")
                    .hasMessageContaining("[0, ");
            assertThat(stream.pending()).isZero();
        }
    }
}

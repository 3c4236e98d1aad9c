// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.LongView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.collective.Collective;
import coterie.cuda.fake.FakeDriver;
import coterie.junit.SpmdTest;
import coterie.stream.CaptureMode;
import coterie.stream.Extent;
import coterie.stream.StreamError;
import coterie.stream.StreamException;
import coterie.stream.TeamOrder;
import coterie.stream.ValueCondition;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Copies and streams over a model of the driver: operations of the host, failures, captures.
class CudaStreamTest {
    /// A kernel whose end adds 1 to a log.
    private static FakeDriver driver(List<Long> log) {
        return new FakeDriver().kernel("note", () -> log.add(1L) ? 0 : 1);
    }

    @OneToFourPes
    @DisplayName("a PE puts to the device of another and gets from it, native memory and arrays")
    void copies(World world) {
        try (CudaFixture fixture = new CudaFixture(world);
                Arena arena = Arena.ofConfined()) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 1 << 20);
            byte[] zeros = new byte[1 << 20];
            memory.get(0, MemorySegment.ofArray(zeros), world.pe());
            assertThat(zeros).as("new memory is zero").containsOnly(0);
            byte[] mine = new byte[1 << 20];
            for (int i = 0; i < mine.length; i++) {
                mine[i] = (byte) (i * 7 + world.pe());
            }
            world.team().barrier();
            memory.put(0, MemorySegment.ofArray(mine), fixture.right());
            world.team().barrier();
            MemorySegment seen = arena.allocate(1 << 20);
            memory.get(0, seen, fixture.right());
            assertThat(seen.mismatch(MemorySegment.ofArray(mine))).isEqualTo(-1);
            MemorySegment own = arena.allocate(5);
            memory.get(3, own, world.pe());
            assertThat(own.get(JAVA_BYTE, 0)).isEqualTo((byte) (21 + fixture.left()));
            memory.close();
        }
    }

    @OneToFourPes
    @DisplayName("operations of the stream module run in a stream: put, get, signals, atomics, collectives, barriers")
    void operations(World world) {
        SymmetricMemory block = world.allocate(1024);
        LongView words = block.longs();
        SignalWord arrived = block.signal(8);
        int pes = world.size();
        try (CudaFixture fixture = new CudaFixture(world);
                Arena arena = Arena.ofConfined()) {
            CudaStream stream = fixture.cuda.createStream("all");
            MemorySegment source = arena.allocateFrom(JAVA_LONG, 40L + world.pe());
            MemorySegment got = arena.allocate(JAVA_LONG);
            stream.put(words, 0, source, 0, 1, fixture.right());
            stream.barrier(world.team());
            stream.get(words, 0, got, 0, 1, fixture.right());
            stream.putSignal(words, 1, source, 0, 1, arrived.adding(1), fixture.right());
            stream.waitUntil(arrived, Comparison.GE, 1);
            stream.atomic(AtomicOperation.ADD, words, 2, 5, 0);
            stream.signal(arrived.setting(9), fixture.right());
            stream.waitUntil(words, 8, Comparison.EQ, 9);
            stream.sync(world.team());
            stream.collective(
                    world.team(),
                    Collective.allReduce(Reduction.SUM).source(words, 1, 1).target(words, 3, 1));
            stream.onHost(host -> {
                host.put(words, 4, 77, fixture.right());
                host.fence();
                host.quiet();
            });
            stream.barrier(world.team());
            stream.synchronize();
            assertThat(words.get(0)).isEqualTo(40L + fixture.left());
            assertThat(got.get(JAVA_LONG, 0)).isEqualTo(40L + world.pe());
            assertThat(words.get(1)).isEqualTo(40L + fixture.left());
            assertThat(words.get(2)).isEqualTo(world.pe() == 0 ? 5L * pes : 0);
            assertThat(words.get(3)).isEqualTo(40L * pes + pes * (pes - 1) / 2);
            assertThat(words.get(4)).isEqualTo(77);
        }
        block.close();
    }

    @OneToFourPes
    @DisplayName("the host does all operations that streams and kernels have: blocks, values, results, many words")
    void allOperations(World world) {
        SymmetricMemory block = world.allocate(1024);
        LongView words = block.longs();
        try (CudaFixture fixture = new CudaFixture(world);
                Arena arena = Arena.ofConfined()) {
            CudaStream stream = fixture.cuda.createStream("all");
            MemorySegment source = arena.allocateFrom(JAVA_LONG, 1, 2, 3, 4);
            MemorySegment got = arena.allocate(JAVA_LONG, 4);
            int right = fixture.right();
            stream.putNbi(words, 0, source, 0, 4, right);
            stream.putStrided(words, 8, 3, source, 0, 2, 1, 2, right);
            stream.put(words, 16, 7, right);
            stream.fence();
            stream.writeValue(words, 17, 8, right);
            stream.waitValue(words, 17, ValueCondition.EQ, 8);
            stream.waitUntilAll(words, 16, Comparison.EQ, new long[] {7, 8});
            stream.fetchAtomic(AtomicOperation.ADD, words, 18, 5, got, 0, right);
            stream.compareAndExchange(words, 18, 5, 6, got, 1, right);
            stream.getStrided(words, 8, 3, got, 2, 1, 1, 2, right);
            stream.barrier(world.team());
            stream.synchronize();
            assertThat(got.toArray(JAVA_LONG)).containsExactly(0, 5, 1, 3);
            assertThat(words.get(3)).isEqualTo(4);
            assertThat(words.get(18)).isEqualTo(6);
            stream.close();
        }
        block.close();
    }

    @SpmdTest(pes = 1)
    @DisplayName("collectives of one team in streams without order are refused, or serialised where the options say so")
    void teamOrder(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            CudaStream first = fixture.cuda.createStream("first");
            CudaStream second = fixture.cuda.createStream("second");
            first.barrier(world.team());
            assertThatThrownBy(() -> second.barrier(world.team()))
                    .isInstanceOfSatisfying(
                            StreamException.class, e -> assertThat(e.error()).isEqualTo(StreamError.TEAM_CONCURRENT))
                    .hasMessageContaining("CudaStreamTest.java");
            second.synchronize(); // the refused operation has left no gap
            first.synchronize();
        }
        try (CudaFixture fixture =
                new CudaFixture(world, new FakeDriver(), CudaOptions.DEFAULT.withTeamOrder(TeamOrder.SERIALIZED))) {
            CudaStream first = fixture.cuda.createStream();
            CudaStream second = fixture.cuda.createStream();
            first.barrier(world.team());
            second.barrier(world.team());
            second.synchronize();
        }
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("a failed operation of the host poisons its stream with the first cause, and the device goes on")
    void poison(World world) {
        List<Long> log = Collections.synchronizedList(new ArrayList<>());
        FakeDriver driver = driver(log);
        CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT);
        CudaModule module = fixture.cuda.load((byte) 'p');
        CudaStream stream = fixture.cuda.createStream("sick");
        CudaStream after = fixture.cuda.createStream("after");
        CudaStream other = fixture.cuda.createStream("other");
        CudaEvent event = fixture.cuda.createUntimedEvent();
        IllegalStateException cause = new IllegalStateException("on purpose");
        stream.execute(() -> {
            throw cause;
        });
        stream.execute(() -> log.add(-1L));
        stream.launch(module.kernel("note"), Extent.of(1), Extent.of(1), 0);
        Throwable recorded = catchThrowable(() -> stream.record(event));
        Throwable waited = catchThrowable(() -> after.waitEvent(event));
        Throwable thrown = catchThrowable(stream::synchronize);
        assertThat(thrown).isInstanceOf(StreamException.class).hasCause(cause).hasMessageContaining("sick#");
        for (Runnable call : List.<Runnable>of(
                stream::synchronize,
                stream::query,
                stream::quiet,
                () -> stream.launch(module.kernel("note"), Extent.of(1), Extent.of(1), 0))) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(StreamException.class)
                    .hasCause(cause)
                    .hasMessageContaining("on stream \"sick\"");
        }
        if (recorded == null && waited == null) {
            assertThatThrownBy(() -> {
                        after.quiet();
                        after.synchronize();
                    })
                    .as("a stream after the failed one")
                    .isInstanceOf(StreamException.class)
                    .hasCause(cause);
        }
        other.barrier(world.team());
        other.synchronize();
        assertThat(log)
                .as("the host skips, the device does not")
                .doesNotContain(-1L)
                .contains(1L);
        event.close();
        module.close();
        fixture.close();
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 20)
    @DisplayName("copies of pageable memory behind operations of the host don't hold up the thread that does them")
    void pageable(World world) {
        SymmetricMemory block = world.allocate(4096, 4096);
        SignalWord arrived = block.signal(0);
        try (CudaFixture fixture = new CudaFixture(world);
                Arena arena = Arena.ofConfined()) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
            CudaStream stream = fixture.cuda.createStream();
            MemorySegment mine = arena.allocate(4096);
            MemorySegment seen = arena.allocate(4096);
            for (int round = 1; round <= 20; round++) {
                mine.fill((byte) round);
                stream.signal(arrived.adding(1), fixture.right());
                stream.waitUntil(arrived, Comparison.GE, round);
                stream.put(memory, 0, mine, world.pe());
                stream.quiet();
                stream.get(memory, 0, seen, world.pe());
                assertThat(seen.mismatch(mine)).as("the copy is over on return").isEqualTo(-1);
                stream.barrier(world.team());
            }
            stream.synchronize();
            memory.close();
        }
        block.close();
    }

    @SpmdTest(pes = 1)
    @DisplayName("ST-G11 a capture takes work of the device, refuses operations of the host, and its graph runs again")
    void capture(World world) {
        List<Long> log = Collections.synchronizedList(new ArrayList<>());
        try (CudaFixture fixture = new CudaFixture(world, driver(log), CudaOptions.DEFAULT)) {
            CudaModule module = fixture.cuda.load((byte) 'p');
            CudaStream stream = fixture.cuda.createStream("captured");
            CudaStream other = fixture.cuda.createStream();
            stream.beginCapture(CaptureMode.THREAD_LOCAL);
            stream.launch(module.kernel("note"), Extent.of(1), Extent.of(1), 0);
            for (Runnable call :
                    List.<Runnable>of(stream::quiet, () -> stream.barrier(world.team()), stream::synchronize)) {
                assertThatThrownBy(call::run)
                        .isInstanceOfSatisfying(
                                CudaException.class,
                                e -> assertThat(e.error()).isEqualTo("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"))
                        .hasMessageContaining("\"captured\" captures");
            }
            other.barrier(world.team());
            other.synchronize();
            CudaGraph graph = stream.endCapture();
            assertThat(log).as("a capture runs nothing").isEmpty();
            for (int i = 0; i < 3; i++) {
                stream.launch(graph);
                stream.barrier(world.team());
            }
            stream.synchronize();
            assertThat(log).containsExactly(1L, 1L, 1L);
            assertThatThrownBy(stream::endCapture).isInstanceOf(CudaException.class);
            graph.close();
            assertThatThrownBy(() -> stream.launch(graph)).isInstanceOf(IllegalStateException.class);
            module.close();
        }
    }
}

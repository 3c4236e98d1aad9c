// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.cuda.driver.DriverFunction;
import coterie.cuda.fake.FakeDriver;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.stream.CaptureMode;
import coterie.stream.Extent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// What CUDA streams keep and give back: back pressure, pinned and pageable memory, closing, leaks.
class CudaStreamLifeTest {
    /// A kernel whose end adds 1 to a log.
    private static FakeDriver driver(List<Long> log) {
        return new FakeDriver().kernel("note", () -> log.add(1L) ? 0 : 1);
    }

    @SpmdTest(pes = 2, timeoutSeconds = 60)
    @DisplayName("one thread enqueues more operations than the driver's queue has room for, and nothing locks up")
    void backPressure(World world) {
        SymmetricMemory block = world.allocate(128);
        SignalWord word = block.signal(0);
        try (CudaFixture fixture = new CudaFixture(world)) {
            CudaStream stream = fixture.cuda.createStream();
            int rounds = 1500;
            for (int i = 1; i <= rounds; i++) {
                stream.signal(word.adding(1), fixture.right());
                stream.waitUntil(word, Comparison.GE, i);
            }
            stream.synchronize();
            assertThat(word.fetch()).isEqualTo(rounds);
        }
        block.close();
    }

    @SpmdTest(pes = 1)
    @DisplayName("a copy of registered memory doesn't wait for what the stream has; one of pageable memory is captured")
    void pinned(World world) {
        SymmetricMemory block = world.allocate(4096, 4096);
        try (CudaFixture fixture = new CudaFixture(world);
                Arena arena = Arena.ofConfined()) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 64);
            RegisteredMemory registered = fixture.cuda.register(block);
            CudaStream stream = fixture.cuda.createStream();
            boolean[] mayGo = {false};
            block.segment().fill((byte) 3);
            stream.onHost(host -> host.executeUntil(() -> mayGo[0]));
            stream.put(memory, 0, block.segment().asSlice(128, 64), 0);
            assertThat(stream.query()).isFalse();
            mayGo[0] = true;
            MemorySegment seen = arena.allocate(64);
            stream.get(memory, 0, seen, 0);
            assertThat(seen.toArray(JAVA_BYTE)).containsOnly((byte) 3);

            seen.fill((byte) 0);
            stream.beginCapture(CaptureMode.THREAD_LOCAL);
            stream.get(memory, 0, seen, 0);
            CudaGraph graph = stream.endCapture();
            assertThat(seen.toArray(JAVA_BYTE)).containsOnly((byte) 0);
            stream.launch(graph);
            stream.synchronize();
            assertThat(seen.toArray(JAVA_BYTE)).containsOnly((byte) 3);
            graph.close();
            registered.close();
            memory.close();
        }
        block.close();
    }

    @SpmdTest(pes = 1)
    @DisplayName("a stream with pending work closes at once, and its work still runs")
    void closing(World world) {
        List<Long> log = Collections.synchronizedList(new ArrayList<>());
        try (CudaFixture fixture = new CudaFixture(world, driver(log), CudaOptions.DEFAULT)) {
            boolean[] isOpen = {false};
            CudaStream stream = fixture.cuda.createStream();
            stream.onHost(host -> host.executeUntil(() -> isOpen[0]));
            stream.execute(() -> log.add(3L));
            stream.close();
            assertThat(log).isEmpty();
            isOpen[0] = true;
            CudaStream next = fixture.cuda.createStream();
            next.onHost(host -> host.executeUntil(() -> !log.isEmpty())); // no call waits for a closed stream's work
            next.synchronize();
        }
        assertThat(log).containsExactly(3L);
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, timeoutSeconds = 120)
    @DisplayName("rounds of making, using and closing everything leave nothing of the driver's")
    void leaks(World world) {
        List<Long> log = Collections.synchronizedList(new ArrayList<>());
        FakeDriver driver = driver(log);
        SymmetricMemory block = world.allocate(4096, 4096);
        int rounds = Boolean.getBoolean("coterie.soak") ? 1000 : 200;
        for (int round = 0; round < rounds; round++) {
            try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
                DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
                RegisteredMemory words = fixture.cuda.register(block);
                CudaModule module = fixture.cuda.load((byte) 'p');
                CudaStream stream = fixture.cuda.createStream();
                CudaEvent event = fixture.cuda.createEvent();
                stream.launch(module.kernel("note"), Extent.of(1), Extent.of(1), 0);
                stream.put(memory, 0, words, 0, 8, fixture.right());
                stream.record(event);
                stream.barrier(world.team());
                stream.synchronize();
                event.close();
                module.close();
                words.close();
                memory.close();
            }
        }
        assertThat(log).hasSize(rounds);
        assertThat(driver.calls(DriverFunction.MEM_ALLOC)).isEqualTo(rounds);
        block.close();
    }
}

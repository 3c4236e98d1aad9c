// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.management.ThreadMXBean;
import coterie.ElementType;
import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.memory.StatusField;
import coterie.internal.world.LocalJob;
import coterie.testing.Signatures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a channel checks, keeps and allocates, with one PE at both ends.
class BoundedChannelTest {
    private static final ChannelShape LONGS = new ChannelShape(ElementType.LONG, 8, 2);

    private static Optional<?> argument(Parameter parameter) {
        return parameter.getType() == MemorySegment.class
                ? Optional.of(MemorySegment.ofArray(new long[8]))
                : Optional.of(parameter.getType() == long.class ? (Object) 0L : (Object) 0);
    }

    @Test
    @DisplayName("every method of a closed channel says that it was closed; so after the end of the world")
    void closed() {
        List<String> wrong = new ArrayList<>();
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                BoundedChannel closed = BoundedChannel.open(world.team(), LONGS, 0, 0);
                BoundedChannel ended = BoundedChannel.open(world.team(), LONGS, 0, 0);
                closed.close();
                world.close();
                for (BoundedChannel channel : List.of(closed, ended)) {
                    channel.close();
                    Signatures walk = Signatures.of(BoundedChannel.class, channel, BoundedChannelTest::argument);
                    for (String value : List.of("team", "shape", "consumer", "producers", "close", "toString")) {
                        walk.without(value, "no use of the memory");
                    }
                    walk.calls((call, _, thrown) -> {
                        String operation = call.substring(0, call.indexOf('('));
                        String message = operation + " on team \"world\", PE 0: the channel was closed";
                        if (!(thrown instanceof IllegalStateException)
                                || !thrown.getMessage().equals(message)) {
                            wrong.add(call + ": " + thrown);
                        }
                    });
                }
            });
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    @DisplayName("arguments that are null are named")
    void nulls() {
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                try (BoundedChannel channel = BoundedChannel.open(world.team(), LONGS, 0, 0)) {
                    String on = " on team \"world\", PE 0: ";
                    assertThatThrownBy(() -> channel.send(null, 0, 0)).hasMessage("send" + on + "source is null");
                    assertThatThrownBy(() -> channel.trySend(null, 0, 0)).hasMessage("trySend" + on + "source is null");
                    assertThatThrownBy(() -> channel.receive(null, 0)).hasMessage("receive" + on + "target is null");
                    assertThatThrownBy(() -> channel.receive(null, 0, 0)).hasMessage("receive" + on + "target is null");
                    assertThatThrownBy(() -> channel.tryReceive(null, 0))
                            .hasMessage("tryReceive" + on + "target is null");
                }
                assertThatThrownBy(() -> BoundedChannel.open(null, LONGS, 0, 0))
                        .isInstanceOf(NullPointerException.class)
                        .hasMessage("open of a channel: team is null");
                assertThatThrownBy(() -> BoundedChannel.open(world.team(), null, 0, 0))
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageEndingWith("PE 0: shape is null");
                assertThatThrownBy(() -> BoundedChannel.open(world.team(), LONGS, 0, (int[]) null))
                        .isInstanceOf(NullPointerException.class)
                        .hasMessageEndingWith("PE 0: producers is null");
            });
        }
    }

    @Test
    @DisplayName("memory that the caller can't reach is refused: nothing is sent, and the item of a receive stays")
    void unreachable() {
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                Arena arena = Arena.ofConfined();
                MemorySegment gone = arena.allocate(64);
                arena.close();
                MemorySegment target = MemorySegment.ofArray(new long[8]);
                try (BoundedChannel channel = BoundedChannel.open(world.team(), LONGS, 0, 0)) {
                    for (long item = 0; item < 5; item++) { // in each slot of the ring
                        assertThatThrownBy(() -> channel.send(gone, 0, 2))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageEndingWith("the arena of the source segment was closed");
                        assertThat(channel.sent()).isEqualTo(item);
                        channel.send(MemorySegment.ofArray(new long[] {item, -item}), 0, 2);
                        assertThatThrownBy(() -> channel.receive(gone, 0))
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageEndingWith("the arena of the target segment was closed");
                        assertThat(channel.received()).isEqualTo(item);
                        assertThat(channel.receive(target, 0)).isEqualTo(2);
                        assertThat(target.getAtIndex(JAVA_LONG, 1)).isEqualTo(-item);
                    }
                }
            });
        }
    }

    @Test
    @DisplayName("at SINGLE and FUNNELED another thread is refused, in each slot of the ring")
    void threads() {
        for (ThreadLevel level : List.of(ThreadLevel.SINGLE, ThreadLevel.FUNNELED)) {
            try (LocalJob job = new LocalJob(1)) {
                job.run(first -> {
                    first.close();
                    World world = World.join(level);
                    MemorySegment memory = MemorySegment.ofArray(new long[8]);
                    try (BoundedChannel channel = BoundedChannel.open(world.team(), LONGS, 0, 0)) {
                        for (int item = 0; item < 5; item++) {
                            refused(() -> channel.send(memory, 0, 1));
                            channel.send(memory, 0, 1);
                            refused(() -> channel.receive(memory, 0));
                            assertThat(channel.receive(memory, 0)).isEqualTo(1);
                        }
                    }
                    world.close();
                });
            }
        }
    }

    private static void refused(Runnable call) throws InterruptedException, ExecutionException {
        FutureTask<Throwable> stranger = new FutureTask<>(() -> catchThrowable(call::run));
        new Thread(stranger, "stranger").start();
        assertThat(stranger.get())
                .isInstanceOf(WrongThreadException.class)
                .hasMessageContaining("not to thread \"stranger\"");
    }

    @Test
    @DisplayName("items count as puts of the producer")
    void counted() {
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                MemorySegment memory = MemorySegment.ofArray(new long[8]);
                try (BoundedChannel channel = BoundedChannel.open(world.team(), LONGS, 0, 0)) {
                    LocalJob.publishCounters(world);
                    long before = job.segment().status(0).get(StatusField.PUT_BYTES);
                    for (int item = 0; item < 5; item++) {
                        channel.send(memory, 0, 6);
                        channel.receive(memory, 0);
                    }
                    LocalJob.publishCounters(world);
                    assertThat(job.segment().status(0).get(StatusField.PUT_BYTES) - before)
                            .isEqualTo(5 * 6 * Long.BYTES);
                }
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, capacity 0 is outside '[1, 2147483647]'",
        "2147483648, 1, capacity 2147483648 is outside '[1, 2147483647]'",
        "1, 0, slots 0 is outside '[1, 1048576]'",
        "1, 1048577, slots 1048577 is outside '[1, 1048576]'"
    })
    @DisplayName("a shape has a capacity and slots in range")
    void shapes(long capacity, int slots, String message) {
        assertThatThrownBy(() -> new ChannelShape(ElementType.BYTE, capacity, slots))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message.replace("'", ""));
    }

    @Test
    @DisplayName("sends and receives allocate nothing")
    void allocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                try (BoundedChannel channel = BoundedChannel.open(world.team(), LONGS, 0, 0)) {
                    MemorySegment item = MemorySegment.ofArray(new long[8]);
                    long allocated = Long.MAX_VALUE;
                    for (int round = 0; allocated > 0 && round < 10_000; round++) { // until it is compiled
                        long before = threads.getCurrentThreadAllocatedBytes();
                        for (int i = 0; i < 1000; i++) {
                            channel.send(item, 0, 8);
                            channel.receive(item, 0);
                        }
                        allocated = threads.getCurrentThreadAllocatedBytes() - before;
                    }
                    assertThat(allocated).isZero();
                }
            });
        }
    }

    @Test
    @DisplayName("words count up to their last lap, and a length has the bits that its capacity needs")
    void layout() {
        ChannelLayout small = new ChannelLayout(LONGS, 3);
        assertThat(small.ring()).isEqualTo(3);
        assertThat(small.lengthBits()).isEqualTo(4);
        assertThat(small.lastLap() << small.lengthBits() | 8).isPositive();
        ChannelLayout large = new ChannelLayout(new ChannelShape(ElementType.BYTE, Integer.MAX_VALUE, 16), 1);
        assertThat(large.ring()).isEqualTo(20);
        assertThat(large.lastLap()).isEqualTo((1L << 32) - 1);
        assertThat(large.byteSize()).isEqualTo(64 + 24 * 8 + 20L * (1L << 31));
    }
}

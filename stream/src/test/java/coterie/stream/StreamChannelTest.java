// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.ElementType;
import coterie.World;
import coterie.channel.BoundedChannel;
import coterie.channel.ChannelReceive;
import coterie.channel.ChannelSend;
import coterie.channel.ChannelShape;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;

/// Producers and consumers of a channel in streams and in kernels.
class StreamChannelTest {
    private static final int ITEMS = 40;
    private static final ChannelShape SHAPE = new ChannelShape(ElementType.LONG, 4, 3);

    /// What item `i` has: one to four numbers.
    private static int length(int i) {
        return 1 + i % 4;
    }

    private static long sum(int i) {
        return length(i) * 10L * i;
    }

    private static MemorySegment item(Arena arena, int i) {
        MemorySegment item = arena.allocate(4 * Long.BYTES, Long.BYTES);
        for (int k = 0; k < length(i); k++) {
            item.setAtIndex(ValueLayout.JAVA_LONG, k, 10L * i);
        }
        return item;
    }

    private static void send(OperationVerbs place, BoundedChannel channel, MemorySegment source, int count) {
        ChannelSend send = channel.planSend();
        place.waitUntil(send.credits(), Comparison.GE, send.needed());
        place.putSignal(send.slots(), send.index(), source, 0, count, send.filling(count), send.consumer());
    }

    private static void release(OperationVerbs place, ChannelReceive receive) {
        place.fence();
        place.signal(receive.release(), receive.producer());
    }

    private static void add(AtomicLong sum, ChannelReceive receive) {
        for (int k = 0; k < receive.count(); k++) {
            sum.addAndGet(receive.item().getAtIndex(ValueLayout.JAVA_LONG, k));
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("items go from stream to stream, and from host to stream and back, in one sequence")
    void streams(World world) {
        try (BoundedChannel channel = BoundedChannel.open(world.team(), SHAPE, 1, 0);
                StreamRuntime runtime = StreamRuntime.open(world);
                Arena arena = Arena.ofShared()) {
            WorkStream stream = runtime.createStream();
            AtomicLong sum = new AtomicLong();
            long expected = 0;
            for (int i = 0; i < ITEMS; i++) {
                expected += sum(i);
                boolean onHost = i >= ITEMS / 2;
                if (onHost) {
                    stream.synchronize();
                }
                if (world.pe() == 0 && onHost) {
                    channel.send(item(arena, i), 0, length(i));
                } else if (world.pe() == 0) {
                    send(stream, channel, item(arena, i), length(i));
                } else if (onHost) {
                    assertThat(channel.await()).isEqualTo(length(i));
                    sum.addAndGet(sum(i));
                    channel.release();
                } else {
                    ChannelReceive receive = channel.planReceive(0);
                    stream.waitUntil(receive.filled(), Comparison.GE, receive.expected());
                    stream.execute(() -> add(sum, receive));
                    release(stream, receive);
                }
            }
            stream.synchronize();
            assertThat(sum.get()).isEqualTo(world.pe() == 0 ? 0 : expected);
            world.team().barrier();
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a thread of a kernel sends, and a block of a kernel receives")
    void kernels(World world) {
        try (BoundedChannel channel = BoundedChannel.open(world.team(), SHAPE, 1, 0);
                StreamRuntime runtime = StreamRuntime.open(world);
                Arena arena = Arena.ofShared()) {
            WorkStream stream = runtime.createStream();
            AtomicLong sum = new AtomicLong();
            if (world.pe() == 0) {
                stream.launch(Extent.of(1), Extent.of(1), thread -> {
                    for (int i = 0; i < ITEMS; i++) {
                        send(thread, channel, item(arena, i), length(i));
                    }
                });
            } else {
                ChannelReceive[] receives = new ChannelReceive[ITEMS];
                for (int i = 0; i < ITEMS; i++) {
                    receives[i] = channel.planReceive(0);
                }
                stream.launch(Extent.of(1), Extent.of(4), thread -> {
                    KernelGroup block = thread.block();
                    for (ChannelReceive receive : receives) {
                        block.waitUntil(receive.filled(), Comparison.GE, receive.expected());
                        if (block.rank() < receive.count()) {
                            sum.addAndGet(receive.item().getAtIndex(ValueLayout.JAVA_LONG, block.rank()));
                        }
                        block.sync();
                        release(block, receive);
                    }
                });
            }
            stream.synchronize();
            long expected = 0;
            for (int i = 0; i < ITEMS; i++) {
                expected += sum(i);
            }
            assertThat(sum.get()).isEqualTo(world.pe() == 0 ? 0 : expected);
            world.team().barrier();
        }
    }
}

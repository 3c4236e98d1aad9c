// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.ElementType;
import coterie.Team;
import coterie.World;
import coterie.channel.BoundedChannel;
import coterie.channel.ChannelShape;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// Channels: what arrives, in which order, and which side waits for which.
class BoundedChannelConformanceTest {
    private static final int CAPACITY = 8;

    private static ChannelShape longs(int slots) {
        return new ChannelShape(ElementType.LONG, CAPACITY, slots);
    }

    /// Opens a channel from all other PEs to PE 0, or from PE 0 to itself where there is no other.
    private static BoundedChannel toFirst(World world, int slots) {
        int[] producers = world.size() == 1
                ? new int[] {0}
                : IntStream.range(1, world.size()).toArray();
        return BoundedChannel.open(world.team(), longs(slots), 0, producers);
    }

    /// The length of a producer's item: all lengths occur.
    private static int length(long item) {
        return 1 + (int) (item * 5 % CAPACITY);
    }

    private static MemorySegment item(int producer, long item) {
        return Longs.counting(1_000_000L * producer + item * CAPACITY, length(item));
    }

    private static void assertItem(MemorySegment got, long length, int producer, long item) {
        assertThat(length).isEqualTo(length(item));
        assertThat(got.asSlice(0, length * Long.BYTES).toArray(JAVA_LONG))
                .isEqualTo(item(producer, item).toArray(JAVA_LONG));
    }

    @EverySize
    @DisplayName("CH-1 items of all lengths arrive in the order of their producer, over many laps of rings")
    void orderOverManyLaps(World world) {
        for (int slots : new int[] {1, 2, 3, 8}) {
            int items = Rounds.of(500);
            try (BoundedChannel channel = toFirst(world, slots)) {
                if (world.size() == 1) {
                    MemorySegment target = MemorySegment.ofArray(new long[CAPACITY]);
                    for (long i = 0; i < items; i++) {
                        channel.send(item(0, i), 0, length(i));
                        assertItem(target, channel.receive(target, 0), 0, i);
                    }
                    channel.disconnect(0);
                    assertThat(channel.await()).isZero();
                } else if (world.pe() == 0) {
                    long[] next = new long[world.size()];
                    for (long n = channel.await(); n > 0; n = channel.await()) {
                        int from = channel.producer();
                        assertItem(channel.item(), n, from, next[from]++);
                        channel.release();
                    }
                    assertThat(next).startsWith(0);
                    assertThat(Arrays.copyOfRange(next, 1, next.length)).containsOnly(items);
                    assertThat(channel.received()).isEqualTo((world.size() - 1L) * items);
                } else {
                    for (long i = 0; i < items; i++) {
                        channel.send(item(world.pe(), i), 0, length(i));
                    }
                    assertThat(channel.sent()).isEqualTo(items);
                }
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("CH-2 a send of no elements takes no slot and delivers nothing, also when the channel is full")
    void noElements(World world) {
        try (BoundedChannel channel = toFirst(world, 2)) {
            if (world.pe() == 1) {
                for (int i = 0; i < 20; i++) {
                    channel.send(MemorySegment.NULL, 0, 0);
                }
                assertThat(channel.sent()).isZero();
                channel.send(item(1, 0), 0, length(0));
                channel.send(item(1, 1), 0, length(1));
                channel.send(MemorySegment.NULL, 0, 0);
                assertThat(channel.trySend(MemorySegment.NULL, 0, 0)).isTrue();
                assertThat(channel.trySend(item(1, 2), 0, 1)).isFalse();
            }
            world.team().barrier();
            if (world.pe() == 0) {
                MemorySegment target = MemorySegment.ofArray(new long[CAPACITY]);
                assertItem(target, channel.receive(target, 0), 1, 0);
                assertItem(target, channel.tryReceive(target, 0), 1, 1);
                assertThat(channel.tryReceive(target, 0)).isEqualTo(-1);
                assertThat(channel.poll()).isEqualTo(-1);
            }
            world.team().barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("CH-3 a full channel refuses, keeps what it has, and goes on when an item is released")
    void fullChannel(World world) {
        for (int slots : new int[] {1, 3, 4, 16}) {
            try (BoundedChannel channel = toFirst(world, slots)) {
                int bound = 0;
                if (world.pe() == 1) {
                    while (channel.trySend(item(1, bound), 0, length(bound))) {
                        bound++;
                    }
                    assertThat(bound).isBetween(slots, slots + slots / 4);
                }
                world.team().barrier();
                for (long lap = 0; lap < 3L * slots; lap++) {
                    if (world.pe() == 0) {
                        assertItem(take(channel), channel.length(), 1, lap);
                        channel.release();
                    } else {
                        // never more than the slots are unreleased, so that the send returns without another release
                        boolean isBatchOver = channel.sent() - lap <= slots;
                        if (isBatchOver) {
                            channel.send(item(1, channel.sent()), 0, length(channel.sent()));
                        }
                    }
                    world.team().barrier();
                }
            }
        }
    }

    private static MemorySegment take(BoundedChannel channel) {
        assertThat(channel.await()).isPositive();
        return channel.item();
    }

    @SpmdTest(pes = {3, 4})
    @DisplayName("CH-4 the consumer takes from producers by turns: a full ring keeps no other one from its turn")
    void turns(World world) {
        int items = 6;
        try (BoundedChannel channel = toFirst(world, items)) {
            for (long i = 0; world.pe() > 0 && i < items; i++) {
                channel.send(item(world.pe(), i), 0, length(i));
            }
            world.team().barrier();
            for (long i = 0; world.pe() == 0 && i < items; i++) {
                for (int producer = 1; producer < world.size(); producer++) {
                    assertItem(take(channel), channel.length(), producer, i);
                    assertThat(channel.producer()).isEqualTo(producer);
                    channel.release();
                }
            }
        }
    }

    @SpmdTest(pes = 3)
    @DisplayName("CH-5 the consumer takes from a named producer, and leaves the items of others where they are")
    void namedProducer(World world) {
        try (BoundedChannel channel = toFirst(world, 4)) {
            for (long i = 0; world.pe() > 0 && i < 3; i++) {
                channel.send(item(world.pe(), i), 0, length(i));
            }
            if (world.pe() == 0) {
                MemorySegment target = MemorySegment.ofArray(new long[CAPACITY + 2]);
                for (int producer : new int[] {2, 1}) {
                    for (long i = 0; i < 3; i++) {
                        assertItem(target.asSlice(16), channel.receive(target, 2, producer), producer, i);
                    }
                    assertThat(channel.await(producer)).as("its close").isZero();
                    assertThat(channel.poll(producer)).isZero();
                }
                assertThat(channel.poll()).isZero();
                assertThat(channel.await()).isZero();
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("CH-6 items that the producer makes in the slot, and that the consumer reads there")
    void itemsInPlace(World world) {
        int items = Rounds.of(200);
        try (BoundedChannel channel = toFirst(world, 3)) {
            for (long i = 0; i < items; i++) {
                if (world.pe() == 1) {
                    MemorySegment slot = channel.reserve();
                    assertThat(slot.byteSize()).isEqualTo(CAPACITY * Long.BYTES);
                    channel.commit(0); // makes nothing of it, and takes it again
                    MemorySegment.copy(item(1, i), 0, channel.reserve(), 0, length(i) * (long) Long.BYTES);
                    channel.commit(length(i));
                } else {
                    assertItem(take(channel), channel.length(), 1, i);
                    assertThat(channel.await()).as("the same again").isEqualTo(length(i));
                    channel.release();
                }
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("CH-7 producer and consumer run ahead by turns, and sends and receives of all kinds keep one sequence")
    void mixed(World world) {
        int items = Rounds.of(300);
        try (BoundedChannel channel = toFirst(world, 5)) {
            MemorySegment target = MemorySegment.ofArray(new long[CAPACITY]);
            for (long i = 0; i < items; i++) {
                if (world.pe() == 1) {
                    send(channel, i);
                } else {
                    assertItem(target, receive(channel, target, i), 1, i);
                }
            }
        }
    }

    private static void send(BoundedChannel channel, long i) {
        if (i % 3 == 0) {
            channel.reserve().copyFrom(item(1, i));
            channel.commit(length(i));
        } else if (i % 3 == 1) {
            channel.send(item(1, i), 0, length(i));
        } else {
            while (!channel.trySend(item(1, i), 0, length(i))) {
                Thread.onSpinWait();
            }
        }
    }

    private static long receive(BoundedChannel channel, MemorySegment target, long i) {
        if (i % 2 == 0) {
            return channel.receive(target, 0);
        }
        long n = channel.poll();
        while (n < 0) {
            Thread.onSpinWait();
            n = channel.poll();
        }
        target.copyFrom(channel.item().asSlice(0, n * Long.BYTES));
        channel.release();
        return n;
    }

    @SpmdTest(pes = 2)
    @DisplayName("CH-8 the consumer closes: waiting sends throw and say how far it came, and neither close waits")
    void theConsumerCloses(World world) {
        BoundedChannel channel = toFirst(world, 2);
        if (world.pe() == 0) {
            take(channel);
            channel.release();
            channel.close();
            channel.close();
        } else {
            assertThatThrownBy(() -> {
                        while (true) {
                            channel.send(item(1, 0), 0, 1);
                        }
                    })
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageMatching("send on team \"world\", PE 1: PE 0, the consumer, has closed the channel;"
                            + " it has released 1 of [23] items");
            assertThatThrownBy(channel::reserve).isInstanceOf(IllegalStateException.class);
            channel.close();
        }
        assertThatThrownBy(() -> channel.send(item(1, 0), 0, 1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("send on team \"world\", PE %d: the channel was closed", world.pe());
        world.team().barrier();
    }

    @SpmdTest(pes = 3)
    @DisplayName("CH-9 a producer's close comes after its last item, also from a full ring; the other one goes on")
    void aProducerCloses(World world) {
        BoundedChannel channel = toFirst(world, 2);
        if (world.pe() == 1) {
            assertThat(channel.trySend(item(1, 0), 0, length(0))).isTrue();
            assertThat(channel.trySend(item(1, 1), 0, length(1))).isTrue();
            channel.close();
        }
        world.team().barrier();
        if (world.pe() == 2) {
            for (long i = 0; i < 20; i++) {
                channel.send(item(2, i), 0, length(i));
            }
            channel.close();
        } else if (world.pe() == 0) {
            long[] next = new long[3];
            for (long n = channel.await(); n > 0; n = channel.await()) {
                int from = channel.producer();
                assertItem(channel.item(), n, from, next[from]++);
                channel.release();
            }
            assertThat(next).containsExactly(0, 2, 20);
            channel.close();
        }
        world.team().barrier();
    }

    @SpmdTest(pes = 4)
    @DisplayName("CH-10 a channel of a team has the team's numbers, and PEs that are no members can't open it")
    void teams(World world) {
        Team odd = world.team().splitStrided(3, -2, 2); // members are PEs 3 and 1
        if (!odd.isValid()) {
            assertThatThrownBy(() -> BoundedChannel.open(odd, longs(1), 0, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the caller is not a member");
        } else {
            try (odd;
                    BoundedChannel there = BoundedChannel.open(odd, longs(2), 1, 0);
                    BoundedChannel back = BoundedChannel.open(odd, longs(2), 0, 1)) {
                MemorySegment target = MemorySegment.ofArray(new long[CAPACITY]);
                for (long i = 0; i < 20; i++) {
                    if (world.pe() == 3) {
                        there.send(item(3, i), 0, length(i));
                        assertItem(target, back.receive(target, 0), 3, i);
                    } else {
                        assertItem(target, there.receive(target, 0, 0), 3, i);
                        back.send(target, 0, length(i));
                    }
                }
                odd.barrier();
            }
        }
        world.team().barrier();
    }

    @SpmdTest(pes = 3)
    @DisplayName("CH-11 wrong arguments throw before any effect, and name operation, PE, value and range")
    void wrongArguments(World world) {
        try (BoundedChannel channel = BoundedChannel.open(world.team(), longs(2), 0, 1)) {
            String on = " on team \"world\", PE " + world.pe() + ": ";
            MemorySegment nine = Longs.counting(0, CAPACITY + 1);
            if (world.pe() == 1) {
                assertThatThrownBy(() -> channel.send(nine, 0, CAPACITY + 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("send" + on + "count 9 is outside [0, 8]");
                assertThatThrownBy(() -> channel.trySend(nine, 2, CAPACITY))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessage("trySend" + on
                                + "8 elements from index 2 are outside the 9 of the source;"
                                + " allowed are indices in [0, 1]");
                assertThatThrownBy(() -> channel.commit(1))
                        .hasMessage("commit" + on + "no slot is reserved; reserve one first");
                channel.reserve();
                assertThatThrownBy(() -> channel.send(nine, 0, 1))
                        .hasMessage("send" + on + "a slot is reserved; commit it first");
                channel.commit(0);
                assertThatThrownBy(channel::await)
                        .hasMessage("await" + on + "member 1 is not the consumer of the channel; that is member 0");
                assertThat(channel.sent()).isZero();
                channel.send(nine, 0, 1);
            } else if (world.pe() == 0) {
                assertThat(channel.await()).isEqualTo(1);
                assertThatThrownBy(() -> channel.receive(Longs.counting(0, 9), 2))
                        .isInstanceOf(IndexOutOfBoundsException.class);
                assertThatThrownBy(() -> channel.await(2))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessage("await" + on + "member 2 is no producer of the channel; producers are [1]");
                assertThatThrownBy(() -> channel.planReceive(1))
                        .hasMessage("planReceive" + on + "an item of producer 1 is not released; release it first");
                channel.release();
                assertThatThrownBy(channel::release)
                        .hasMessage("release" + on + "there is no item; await and poll take the next one");
            } else {
                assertThatThrownBy(() -> channel.send(nine, 0, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("send" + on + "member 2 is no producer of the channel; producers are [1]");
            }
        }
    }

    @SpmdTest(pes = 3)
    @DisplayName("CH-12 members that pass wrong or different arguments to open: all of them get an exception")
    void openingsDisagree(World world) {
        int me = world.pe();
        Team team = world.team();
        assertThatThrownBy(() -> BoundedChannel.open(team, longs(2), me == 1 ? 3 : 0, 1))
                .isInstanceOf(me == 1 ? IndexOutOfBoundsException.class : IllegalArgumentException.class)
                .hasMessageStartingWith("open of a channel on team \"world\", PE " + me + ": "
                        + (me == 1 ? "member 3 is outside [0, 3)" : "another member's arguments are wrong"));
        assertThatThrownBy(() -> BoundedChannel.open(team, longs(2), 0)).hasMessageContaining("there is no producer");
        assertThatThrownBy(() -> BoundedChannel.open(team, longs(2), 0, 1, 2, 1))
                .hasMessageContaining("occurs twice");
        assertThatThrownBy(() -> BoundedChannel.open(team, longs(2 + me), 0, 1))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("slots=" + (2 + me));
        toFirst(world, 2).close();
    }

    @SpmdTest(pes = 2)
    @DisplayName("CH-13 items of every type of elements, longer than a line and shorter")
    void everyType(World world) {
        for (ElementType type : ElementType.values()) {
            try (BoundedChannel channel = BoundedChannel.open(world.team(), new ChannelShape(type, 33, 2), 0, 1)) {
                for (int n = 1; n <= 33; n += 8) {
                    byte[] bytes = new byte[n * type.byteSize()];
                    Arrays.fill(bytes, (byte) (n + type.byteSize()));
                    if (world.pe() == 1) {
                        channel.send(MemorySegment.ofArray(bytes), 0, n);
                    } else {
                        byte[] got = new byte[33 * type.byteSize()];
                        assertThat(channel.receive(MemorySegment.ofArray(got), 0))
                                .isEqualTo(n);
                        assertThat(Arrays.copyOf(got, bytes.length)).isEqualTo(bytes);
                    }
                }
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("CH-14 the consumer disconnects a producer: it has ended for one, and its sends throw")
    void disconnected(World world) {
        try (BoundedChannel channel = toFirst(world, 1)) {
            if (world.pe() == 0) {
                assertThat(take(channel).get(JAVA_LONG_UNALIGNED, 0)).isEqualTo(7);
                channel.release();
                channel.disconnect(1);
                channel.disconnect(1);
                assertThat(channel.await()).isZero();
                assertThat(channel.poll(1)).isZero();
            } else {
                assertThatThrownBy(() -> {
                            while (true) {
                                channel.send(Longs.counting(7, 1), 0, 1);
                            }
                        })
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("has closed the channel");
            }
            world.team().barrier();
        }
    }
}

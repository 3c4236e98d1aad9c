// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderedChannelTest {
    private static final MemorySegment MEMORY = MemorySegment.ofArray(new long[8]);

    private final ScriptedChannel below = new ScriptedChannel();
    private final List<OrderedChannel> closed = new ArrayList<>();
    private final OrderedChannel channel = new OrderedChannel(below, closed::add);

    @Test
    void whatNoFencePartsGoesAtOnce() {
        put(1, 1);
        put(2, 1);
        channel.putWord(3, 8, 1, 0);
        assertThat(below.asked).containsExactly("put 1→1", "put 2→1", "putWord 3→1");
    }

    @Test
    void behindAFenceAnOperationWaitsUntilAllBeforeItIsComplete() {
        put(1, 1);
        put(2, 1);
        channel.fence();
        channel.putWord(3, 8, 1, 0);
        assertThat(below.asked).containsExactly("put 1→1", "put 2→1", "quiet 1");
        below.complete("put 2→1");
        channel.advance();
        assertThat(below.asked).hasSize(3);
        below.complete("put 1→1");
        channel.advance();
        assertThat(below.asked).last().isEqualTo("putWord 3→1");
    }

    @Test
    void whatTheChannelBelowOrdersIsNotHeldBack() {
        below.ordersUpTo = 8;
        put(1, 1);
        channel.fence();
        channel.putWord(2, 8, 1, 0);
        channel.update(AtomicOperation.ADD, 3, 8, 1, 0);
        assertThat(below.asked).containsExactly("put 1→1", "putWord 2→1", "update ADD 3→1");
        put(9, 1);
        assertThat(below.asked).last().isEqualTo("quiet 1");
        channel.putWord(4, 8, 1, 0);
        assertThat(below.asked).as("it may not pass the put of 9 bytes").hasSize(4);
        below.completeAll(1);
        channel.advance();
        assertThat(below.asked).endsWith("put 9→1", "putWord 4→1");
    }

    @Test
    void fetchesAreHeldBackBehindWhatTheChannelBelowOrders() {
        below.ordersUpTo = 8;
        channel.putWord(1, 8, 1, 0);
        channel.fence();
        channel.get(1, 0, MEMORY, 0, 4);
        assertThat(below.asked).containsExactly("putWord 1→1", "quiet 1");
    }

    @Test
    void aFenceAfterWhichAllIsCompleteHoldsNothingBack() {
        put(1, 1);
        channel.fence();
        below.complete("put 1→1");
        channel.putWord(2, 8, 1, 0);
        assertThat(below.asked).containsExactly("put 1→1", "quiet 1", "putWord 2→1");
    }

    @Test
    void aFenceIsForEachPeerByItself() {
        put(1, 1);
        channel.fence();
        put(2, 2);
        put(3, 1);
        put(4, 2);
        assertThat(below.asked).containsExactly("put 1→1", "put 2→2", "quiet 1", "put 4→2");
    }

    @Test
    void aFenceIsForEachChannelByItself() {
        OrderedChannel other = new OrderedChannel(below, closed::add);
        put(1, 1);
        channel.fence();
        other.putWord(2, 8, 1, 0);
        assertThat(below.asked).containsExactly("put 1→1", "putWord 2→1");
    }

    @Test
    void oneselfIsAPeerLikeAnyOther() {
        put(1, 0);
        channel.fence();
        channel.putWord(2, 8, 0, 0);
        assertThat(below.asked).containsExactly("put 1→0", "quiet 0");
        below.complete("put 1→0");
        channel.advance();
        assertThat(below.asked).last().isEqualTo("putWord 2→0");
    }

    @Test
    void twoFencesAreTwoWaits() {
        put(1, 1);
        channel.fence();
        put(2, 1);
        channel.fence();
        put(3, 1);
        below.complete("put 1→1");
        channel.advance();
        assertThat(below.asked).containsExactly("put 1→1", "quiet 1", "put 2→1", "quiet 1");
        below.complete("put 2→1");
        channel.advance();
        assertThat(below.asked).last().isEqualTo("put 3→1");
    }

    @Test
    void fencesWithNothingBetweenAreOne() {
        put(1, 1);
        channel.fence();
        channel.fence();
        channel.fence();
        put(2, 1);
        below.complete("put 1→1");
        channel.advance();
        assertThat(below.asked).containsExactly("put 1→1", "quiet 1", "put 2→1");
    }

    @Test
    void whatIsHeldBackKeepsItsOrder() {
        put(1, 1);
        channel.fence();
        List<String> expected = new ArrayList<>(List.of("put 1→1", "quiet 1"));
        for (int word = 0; word < 100; word++) {
            channel.putWord(word, 8, 1, 0);
            expected.add("putWord " + word + "→1");
        }
        below.complete("put 1→1");
        channel.advance();
        assertThat(below.asked).isEqualTo(expected);
    }

    @Test
    void whatComesWhileOthersAreHeldBackQueuesBehindThem() {
        put(1, 1);
        channel.fence();
        put(2, 1);
        below.complete("put 1→1");
        put(3, 1);
        channel.advance();
        assertThat(below.asked).containsExactly("put 1→1", "quiet 1", "put 2→1", "put 3→1");
    }

    @Test
    void everyOperationIsHeldBackWithItsArguments() {
        put(1, 1);
        channel.fence();
        put(2, 1);
        channel.get(1, 0, MEMORY, 0, 3);
        channel.putSignal(MEMORY, 0, 8, 1, 0, 8, SignalOperation.ADD, 4);
        channel.putWord(5, 4, 1, 0);
        channel.getWord(8, 1, 6, MEMORY, 0);
        channel.atomic(AtomicOperation.XOR, 7, 8, 1, 0, MEMORY, 0);
        channel.update(AtomicOperation.OR, 8, 8, 1, 0);
        channel.compareAndSwap(9, 10, 8, 1, 0, MEMORY, 0);
        assertThat(below.asked).hasSize(2);
        below.completeAll(1);
        channel.advance();
        assertThat(below.asked.subList(2, below.asked.size()))
                .containsExactly(
                        "put 2→1",
                        "get 3→1",
                        "putSignal 4→1",
                        "putWord 5→1",
                        "getWord 6→1",
                        "atomic XOR 7→1",
                        "update OR 8→1",
                        "compareAndSwap 9 10→1");
    }

    @Test
    void theTicketOfAFetchBehindAFenceIsDoneWhenTheFetchIs() {
        put(1, 1);
        channel.fence();
        long first = channel.atomic(AtomicOperation.ADD, 2, 8, 1, 0, MEMORY, 0);
        long second = channel.getWord(8, 1, 3, MEMORY, 0);
        assertThat(first).isNotZero().isNotEqualTo(second);
        assertThat(channel.isDone(first)).isFalse();
        below.complete("put 1→1");
        assertThat(channel.isDone(first)).isFalse();
        below.complete("getWord 3→1");
        assertThat(channel.isDone(second)).isTrue();
        assertThat(channel.isDone(first)).isFalse();
        below.complete("atomic ADD 2→1");
        assertThat(channel.isDone(first)).isTrue();
        assertThat(channel.isDone(second)).isTrue();
    }

    @Test
    void aTicketStaysDoneWhenItsDescriptorServesAnother() {
        long[] tickets = new long[200];
        for (int round = 0; round < tickets.length; round++) {
            put(round, 1);
            channel.fence();
            tickets[round] = channel.atomic(AtomicOperation.ADD, round, 8, 1, 0, MEMORY, 0);
            assertThat(channel.isDone(tickets[round])).isFalse();
            below.completeAll(1);
            channel.advance();
            below.completeAll(1);
            channel.fence();
        }
        for (long ticket : tickets) {
            assertThat(channel.isDone(ticket)).isTrue();
        }
    }

    @Test
    void aQuietIsDoneWhenAllThatWasHeldBackIsComplete() {
        put(1, 1);
        put(2, 2);
        channel.fence();
        put(3, 1);
        put(4, 2);
        long quiet = channel.quiet(Channel.ALL_PEERS);
        below.complete("put 1→1");
        assertThat(channel.isDone(quiet)).isFalse();
        below.complete("put 3→1");
        assertThat(channel.isDone(quiet)).isFalse();
        below.complete("put 2→2");
        assertThat(channel.isDone(quiet)).isFalse();
        below.complete("put 4→2");
        assertThat(channel.isDone(quiet)).isTrue();
    }

    @Test
    void aQuietOfAPeerWaitsForNoOther() {
        put(1, 1);
        put(2, 2);
        channel.fence();
        put(3, 1);
        put(4, 2);
        long quiet = channel.quiet(2);
        below.complete("put 2→2");
        assertThat(channel.isDone(quiet)).isFalse();
        below.complete("put 4→2");
        assertThat(channel.isDone(quiet)).isTrue();
        assertThat(below.asked).doesNotContain("put 3→1");
    }

    @Test
    void aQuietWithNothingHeldBackIsTheOneBelow() {
        assertThat(channel.quiet(Channel.ALL_PEERS)).isZero();
        put(1, 1);
        long quiet = channel.quiet(1);
        assertThat(channel.quiet(2)).isZero();
        assertThat(channel.isDone(quiet)).isFalse();
        below.complete("put 1→1");
        assertThat(channel.isDone(quiet)).isTrue();
    }

    @Test
    void aQuietWaitsForNothingThatCameAfterIt() {
        put(1, 1);
        channel.fence();
        put(2, 1);
        long quiet = channel.quiet(1);
        channel.fence();
        put(3, 1);
        below.complete("put 1→1");
        channel.advance();
        below.complete("put 2→1");
        channel.advance();
        assertThat(below.asked).last().isEqualTo("put 3→1");
        assertThat(channel.isDone(quiet)).isTrue();
    }

    @Test
    void itAcceptsWhatTheChannelBelowDoes() {
        below.takeOnly(1, 1);
        assertThat(channel.accepts(1)).isTrue();
        put(1, 1);
        assertThat(channel.accepts(1)).isFalse();
        assertThat(channel.accepts(2)).isTrue();
    }

    @Test
    void whatIsHeldBackWaitsForRoomBelow() {
        put(1, 1);
        channel.fence();
        put(2, 1);
        put(3, 1);
        below.takeOnly(1, 1);
        below.complete("put 1→1");
        channel.advance();
        assertThat(below.asked).endsWith("put 2→1");
        below.takeOnly(1, 1);
        channel.advance();
        assertThat(below.asked).endsWith("put 3→1");
    }

    @Test
    void twoThreadsThatWereBothToldOfOneRoomLoseNothing() {
        below.takeOnly(1, 1);
        assertThat(channel.accepts(1)).isTrue();
        assertThat(channel.accepts(1)).isTrue();
        put(1, 1);
        put(2, 1);
        assertThat(below.asked).containsExactly("put 1→1");
        below.takeOnly(1, 1);
        channel.advance();
        assertThat(below.asked).containsExactly("put 1→1", "put 2→1");
    }

    @Test
    void itHoldsBackABoundedNumberAndNobodyIsStopped() {
        put(1, 1);
        channel.fence();
        int taken = 0;
        while (channel.accepts(1)) {
            channel.putWord(taken++, 8, 1, 0);
        }
        assertThat(taken).isEqualTo(OrderedChannel.MOST);
        assertThat(channel.accepts(2)).isTrue();
        below.complete("put 1→1");
        assertThat(channel.accepts(1)).isTrue();
        assertThat(below.asked).hasSize(2 + taken).endsWith("putWord " + (taken - 1) + "→1");
    }

    @Test
    void fetchesUnderWayCountUntilTheyAreDone() {
        put(1, 1);
        channel.fence();
        for (int fetch = 0; fetch < OrderedChannel.MOST; fetch++) {
            channel.getWord(8, 1, fetch, MEMORY, 0);
        }
        below.complete("put 1→1");
        channel.advance();
        channel.fence();
        assertThat(channel.accepts(1)).isFalse();
        below.completeAll(1);
        assertThat(channel.accepts(1)).isTrue();
    }

    @Test
    void aDeadPeersOperationsEndAsTheChannelBelowHasIt() {
        put(1, 1);
        channel.fence();
        long fetch = channel.atomic(AtomicOperation.ADD, 2, 8, 1, 0, MEMORY, 0);
        channel.fence();
        put(3, 1);
        long quiet = channel.quiet(Channel.ALL_PEERS);
        for (int phase = 0; phase < 3; phase++) {
            channel.advance();
            below.completeAll(1);
        }
        assertThat(channel.isDone(fetch)).isTrue();
        assertThat(channel.isDone(quiet)).isTrue();
    }

    @Test
    void closeStartsWhatItCanAndClosesTheChannelBelow() {
        put(1, 1);
        channel.fence();
        put(2, 1);
        below.complete("put 1→1");
        channel.close();
        assertThat(below.asked).endsWith("put 2→1");
        assertThat(below.closed).isTrue();
        assertThat(closed).containsExactly(channel);
    }

    @Test
    void aNegativeTicketBelowIsRefused() {
        assertThatThrownBy(() -> OrderedChannel.checked(-5))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("-5");
    }

    /// Operations are issued and complete in any order: nothing starts before what a fence has put before it, and
    /// everything starts.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyProgramIsObeyed(long seed) {
        Random random = new Random(seed);
        List<List<Integer>> fences = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        int fence = 0;
        for (int step = 0; step < 3000; step++) {
            switch (random.nextInt(4)) {
                case 0 -> {
                    channel.fence();
                    fence++;
                }
                case 1 -> below.completeAll(random.nextInt(3));
                case 2 -> channel.advance();
                default -> {
                    int peer = random.nextInt(3);
                    if (channel.accepts(peer)) {
                        channel.putWord(fences.get(peer).size(), 8, peer, fence);
                        fences.get(peer).add(fence);
                    }
                }
            }
        }
        for (int drain = 0; drain < 3000; drain++) {
            below.completeAll(drain % 3);
            channel.advance();
        }
        for (int peer = 0; peer < 3; peer++) {
            String suffix = "→" + peer;
            String quiet = "quiet " + peer;
            int next = 0;
            int before = 0;
            boolean parted = true;
            for (String asked : below.asked) {
                if (asked.equals(quiet)) {
                    parted = true;
                } else if (asked.endsWith(suffix)) {
                    assertThat(asked).isEqualTo("putWord " + next + suffix);
                    int since = fences.get(peer).get(next++);
                    assertThat(since == before || parted)
                            .as("a quiet before %s", asked)
                            .isTrue();
                    before = since;
                    parted = false;
                }
            }
            assertThat(next).isEqualTo(fences.get(peer).size());
        }
    }

    private void put(long length, int peer) {
        channel.put(MEMORY, 0, length, peer, 0);
    }
}

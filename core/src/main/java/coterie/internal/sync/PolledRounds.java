// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.p2p.WordExchange;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An agreement of several rounds as something to poll: each round is begun together with what follows it.
public final class PolledRounds {
    private static final int ROUND_BYTES = WordExchange.WORDS * Long.BYTES;

    private final WordExchange exchange;
    private final int size;

    /// What follows the round under way, or null if there is none.
    private @Nullable Runnable next;

    /// Whether all members have come to the latest round, and what follows it is under way, or has thrown.
    private boolean isConcluding;

    public PolledRounds(WordExchange exchange, int size) {
        this.exchange = exchange;
        this.size = size;
    }

    /// Goes as far as possible; returns whether no round is under way any more.
    public boolean advance() {
        Runnable then = next;
        while (then != null) {
            if (!exchange.isComplete()) {
                return false;
            }
            next = null;
            isConcluding = true;
            then.run();
            isConcluding = false;
            then = next;
        }
        return true;
    }

    /// Returns whether what [#advance] has thrown follows from a round, so that all members come to it.
    public boolean isConcluding() {
        return isConcluding;
    }

    /// Begins a round.
    ///
    /// @param then what follows it; it may begin the next one
    public void words(Runnable then, long... words) {
        exchange.begin(words);
        next = then;
    }

    /// Returns a member's word of the latest round.
    public long received(int member, int word) {
        return exchange.received(member, word);
    }

    /// Returns the first member whose word differs from that of member 0, or −1.
    public int firstDifferent(int word) {
        for (int member = 1; member < size; member++) {
            if (received(member, word) != received(0, word)) {
                return member;
            }
        }
        return -1;
    }

    /// Begins rounds in which each member gets bytes of all, as [ByteAllgather#exchange].
    public void gather(byte[] mine, Consumer<byte[][]> then) {
        long[] words = new long[WordExchange.WORDS];
        words[0] = mine.length;
        ByteAllgather.fill(words, 1, mine, 0);
        byte[][] all = new byte[size][];
        words(
                () -> {
                    int longest = 0;
                    for (int member = 0; member < size; member++) {
                        all[member] = new byte[Math.toIntExact(received(member, 0))];
                        longest = Math.max(longest, all[member].length);
                    }
                    take(all, 1, 0);
                    gatherFrom(ROUND_BYTES - Long.BYTES, longest, mine, all, then);
                },
                words);
    }

    private void gatherFrom(int at, int longest, byte[] mine, byte[][] all, Consumer<byte[][]> then) {
        if (at >= longest) {
            then.accept(all);
            return;
        }
        long[] words = new long[WordExchange.WORDS];
        ByteAllgather.fill(words, 0, mine, at);
        words(
                () -> {
                    take(all, 0, at);
                    gatherFrom(at + ROUND_BYTES, longest, mine, all, then);
                },
                words);
    }

    private void take(byte[][] all, int firstWord, int from) {
        for (int member = 0; member < size; member++) {
            for (int word = firstWord; word < WordExchange.WORDS; word++) {
                ByteAllgather.setWord(all[member], from + (word - firstWord) * Long.BYTES, received(member, word));
            }
        }
    }
}

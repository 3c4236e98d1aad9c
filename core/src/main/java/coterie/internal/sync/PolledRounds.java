// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// An agreement of several rounds as something to poll: each round is begun together with what follows it.
public final class PolledRounds {
    private static final int ROUND_BYTES = SyncRound.WORDS * Long.BYTES;

    private final Consumer<long[]> begin;
    private final BooleanSupplier isComplete;
    private final ReceivedWords receivedWords;
    private final int size;

    /// A member's words of the latest round.
    @FunctionalInterface
    public interface ReceivedWords {
        long word(int member, int word);
    }

    private final Runnable moved;

    /// What follows the round under way, or null if there is none.
    private @Nullable Runnable next;

    /// Whether all members have come to the latest round, and what follows it is under way, or has thrown.
    private boolean isConcluding;

    /// @param begin begins a round, of which [SyncRound#WORDS] words are enough
    /// @param isComplete polls it
    /// @param moved told whenever a round is complete
    public PolledRounds(
            Consumer<long[]> begin, BooleanSupplier isComplete, ReceivedWords receivedWords, int size, Runnable moved) {
        this.begin = begin;
        this.isComplete = isComplete;
        this.receivedWords = receivedWords;
        this.size = size;
        this.moved = moved;
    }

    /// Goes as far as possible; returns whether no round is under way any more.
    public boolean advance() {
        Runnable then = next;
        while (then != null) {
            if (!isComplete.getAsBoolean()) {
                return false;
            }
            next = null;
            moved.run();
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
        begin.accept(words);
        next = then;
    }

    /// Returns a member's word of the latest round.
    public long received(int member, int word) {
        return receivedWords.word(member, word);
    }

    /// Returns the first member whose word differs from that of member 0, or −1.
    public int firstDifferent(int word) {
        return IntStream.range(1, size)
                .filter(member -> received(member, word) != received(0, word))
                .findFirst()
                .orElse(-1);
    }

    /// Begins rounds in which each member gets bytes of all: the first round has the length and the first bytes, and as
    /// many follow as the longest contribution needs.
    public void gather(byte[] mine, Consumer<byte[][]> then) {
        byte[] sent = ByteBuffer.allocate(Long.BYTES + mine.length)
                .putLong(mine.length)
                .put(mine)
                .array();
        gatherFrom(0, sent, new byte[size][], then);
    }

    private void gatherFrom(int at, byte[] sent, byte[][] all, Consumer<byte[][]> then) {
        ByteBuffer round = ByteBuffer.allocate(ROUND_BYTES);
        round.put(sent, Math.min(at, sent.length), Math.clamp(sent.length - at, 0, ROUND_BYTES));
        long[] words = new long[SyncRound.WORDS];
        round.rewind().asLongBuffer().get(words);
        words(() -> take(at, sent, all, then), words);
    }

    private void take(int at, byte[] sent, byte[][] all, Consumer<byte[][]> then) {
        int longest = 0;
        for (int member = 0; member < size; member++) {
            ByteBuffer round = ByteBuffer.allocate(ROUND_BYTES);
            for (int word = 0; word < SyncRound.WORDS; word++) {
                round.putLong(received(member, word));
            }
            if (at == 0) {
                all[member] = new byte[Long.BYTES + Math.toIntExact(round.getLong(0))];
            }
            int length = all[member].length;
            round.get(0, all[member], Math.min(at, length), Math.clamp(length - at, 0, ROUND_BYTES));
            longest = Math.max(longest, length);
        }
        if (at + ROUND_BYTES < longest) {
            gatherFrom(at + ROUND_BYTES, sent, all, then);
        } else {
            then.accept(Arrays.stream(all)
                    .map(each -> Arrays.copyOfRange(each, Long.BYTES, each.length))
                    .toArray(byte[][]::new));
        }
    }
}

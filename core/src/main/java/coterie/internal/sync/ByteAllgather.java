// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.wait.OperationKind;

/// Exchanges bytes of any length between members, in rounds: the first round carries the length and the first
/// bytes, and as many rounds follow as the longest contribution needs. For few bytes at rare times, since it
/// needs no memory but the lines of rounds.
public final class ByteAllgather {
    private static final int ROUND_BYTES = SyncRound.WORDS * Long.BYTES;

    /// Bytes that travel beside the length.
    private static final int FIRST_BYTES = ROUND_BYTES - Long.BYTES;

    private final TeamSync teamSync;

    public ByteAllgather(TeamSync teamSync) {
        this.teamSync = teamSync;
    }

    /// Returns what each member brings; between [TeamSync#begin] and [TeamSync#leave].
    public byte[][] exchange(OperationKind kind, byte[] mine) {
        SyncRound round = teamSync.syncRound();
        byte[][] all = new byte[teamSync.membership().size()][];
        round.send(0, mine.length);
        send(round, 1, mine, 0);
        teamSync.round(kind, SyncRound.WORDS, 0);
        int longest = 0;
        for (int member = 0; member < all.length; member++) {
            all[member] = new byte[Math.toIntExact(round.received(member, 0))];
            longest = Math.max(longest, all[member].length);
        }
        receive(round, 1, all, 0);
        for (int at = FIRST_BYTES; at < longest; at += ROUND_BYTES) {
            send(round, 0, mine, at);
            teamSync.round(kind, SyncRound.WORDS, 0);
            receive(round, 0, all, at);
        }
        return all;
    }

    private static void send(SyncRound round, int firstWord, byte[] mine, int from) {
        for (int word = firstWord; word < SyncRound.WORDS; word++) {
            round.send(word, word(mine, from + (word - firstWord) * Long.BYTES));
        }
    }

    /// Fills words, from one of them on, with bytes from one of them on.
    static void fill(long[] words, int firstWord, byte[] mine, int from) {
        for (int word = firstWord; word < words.length; word++) {
            words[word] = word(mine, from + (word - firstWord) * Long.BYTES);
        }
    }

    private static void receive(SyncRound round, int firstWord, byte[][] all, int from) {
        for (int member = 0; member < all.length; member++) {
            for (int word = firstWord; word < SyncRound.WORDS; word++) {
                setWord(all[member], from + (word - firstWord) * Long.BYTES, round.received(member, word));
            }
        }
    }

    /// Up to eight bytes, the first one lowest.
    private static long word(byte[] bytes, int from) {
        long word = 0;
        for (int at = Math.min(bytes.length, from + Long.BYTES) - 1; at >= from; at--) {
            word = (word << Byte.SIZE) | (bytes[at] & 0xFF);
        }
        return word;
    }

    /// Sets the bytes of a word, as far as there are so many.
    static void setWord(byte[] bytes, int from, long word) {
        for (int at = from; at < Math.min(bytes.length, from + Long.BYTES); at++) {
            bytes[at] = (byte) (word >>> ((at - from) * Byte.SIZE));
        }
    }
}

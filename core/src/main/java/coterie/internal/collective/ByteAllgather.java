// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.wait.OperationKind;

/// Bytes of any length that members let each other have in rounds: a round for the lengths, then as many as the
/// longest needs. For few bytes at rare times, since it needs no memory but the lines of rounds.
final class ByteAllgather {
    private static final int ROUND_BYTES = SyncRound.WORDS * Long.BYTES;

    private final TeamSync teamSync;

    ByteAllgather(TeamSync teamSync) {
        this.teamSync = teamSync;
    }

    /// What each member brings; between [TeamSync#begin] and [TeamSync#leave].
    byte[][] exchange(OperationKind kind, byte[] mine) {
        SyncRound round = teamSync.syncRound();
        int size = teamSync.membership().size();
        round.send(0, mine.length);
        teamSync.round(kind, 1, 0);
        byte[][] all = new byte[size][];
        int longest = 0;
        for (int member = 0; member < size; member++) {
            all[member] = new byte[Math.toIntExact(round.received(member, 0))];
            longest = Math.max(longest, all[member].length);
        }
        for (int at = 0; at < longest; at += ROUND_BYTES) {
            for (int word = 0; word < SyncRound.WORDS; word++) {
                round.send(word, word(mine, at + word * Long.BYTES));
            }
            teamSync.round(kind, SyncRound.WORDS, 0);
            for (int member = 0; member < size; member++) {
                for (int word = 0; word < SyncRound.WORDS; word++) {
                    setWord(all[member], at + word * Long.BYTES, round.received(member, word));
                }
            }
        }
        return all;
    }

    /// Up to eight bytes, the first one lowest.
    private static long word(byte[] bytes, int from) {
        long word = 0;
        for (int at = Math.min(bytes.length, from + Long.BYTES) - 1; at >= from; at--) {
            word = (word << Byte.SIZE) | (bytes[at] & 0xFF);
        }
        return word;
    }

    private static void setWord(byte[] bytes, int from, long word) {
        for (int at = from; at < Math.min(bytes.length, from + Long.BYTES); at++) {
            bytes[at] = (byte) (word >>> ((at - from) * Byte.SIZE));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.wait.OperationKind;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/// Exchanges bytes of any length between members in rounds that wait: [PolledRounds#gather] by the rounds of calls. For
/// few bytes at rare times, since it needs no memory but the lines of rounds.
public final class ByteAllgather {
    private ByteAllgather() {}

    /// Returns what each member brings. The caller is inside the [CallGate].
    public static byte[][] exchange(TeamSync teamSync, OperationKind kind, byte[] mine) {
        AtomicReference<byte[][]> all = new AtomicReference<>();
        PolledRounds rounds = new PolledRounds(
                words -> meet(teamSync, kind, words),
                () -> true,
                teamSync.syncRound()::received,
                teamSync.membership().size(),
                () -> {}); // each round is a wait of its own
        rounds.gather(mine, all::set);
        rounds.advance();
        return Objects.requireNonNull(all.get(), "bytes");
    }

    private static void meet(TeamSync teamSync, OperationKind kind, long[] words) {
        for (int word = 0; word < words.length; word++) {
            teamSync.syncRound().send(word, words[word]);
        }
        teamSync.round(kind, words.length);
    }
}

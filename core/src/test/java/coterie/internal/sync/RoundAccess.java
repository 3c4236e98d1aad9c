// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.wait.OperationKind;

/// What tests of other packages do to rounds.
public final class RoundAccess {
    private RoundAccess() {}

    /// Lets a round go on as after so many more.
    public static void skip(SyncRound round, long rounds) {
        round.sequence += rounds;
    }

    /// Messages that this PE has sent.
    public static long messages(SyncRound round) {
        return round.runtime.counters().messages;
    }

    /// Enters the next round, as far as one member sees.
    ///
    /// @param words that have been sent
    public static void tell(FlatRound round, int member, OperationKind kind, int words) {
        long number = round.sequence() + 1;
        round.notifyPeer(member, FlatRound.tag(number, kind), FlatRound.half(number), words);
    }
}

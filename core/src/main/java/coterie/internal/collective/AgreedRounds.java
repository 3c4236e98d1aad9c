// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.sync.ScalarOperator;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;

/// The rounds of a collective over memory: one in which members agree on its arguments, and an end in which nobody
/// leaves whose memory others still use.
///
/// ```
///  agree          we all mean the same; whoever throws here has left
///    try …
///  finally part   or leave, where the data have travelled with the round
/// ```
///
/// One word stands for all arguments, so that the round has room for data. Where the words differ, a second round
/// brings the arguments themselves, to say who means what. Whoever has agreed parts, also when a copy fails.
final class AgreedRounds {
    /// The word behind the one that stands for the arguments.
    static final int COUNT = 1;

    private final TeamSync teamSync;
    private final SyncRound round;

    AgreedRounds(TeamSync teamSync) {
        this.teamSync = teamSync;
        this.round = teamSync.syncRound();
    }

    /// Meets for a number of each member, and goes on only if all have come and agree. The round is all: it ends
    /// what [TeamSync#begin] began.
    void combine(CollectiveArgs args, ScalarOperator operator, int word, long number) {
        try {
            round.send(0, args.summary());
            round.send(word, number);
            teamSync.combiningRound(args.kind, word + 1, operator);
            checkAgreement(args);
        } finally {
            teamSync.leave();
        }
    }

    private void checkAgreement(CollectiveArgs args) {
        if (round.firstDifferent(0) >= 0) {
            int given = args.agreedCount();
            for (int word = 0; word < given; word++) {
                round.send(word, args.argument(word));
            }
            throw teamSync.disagreement(args.kind, given);
        }
    }

    /// Meets, and goes on only if all have come and agree.
    ///
    /// @param words that travel, the one for the arguments included
    void agree(CollectiveArgs args, int words) {
        boolean goesOn = false;
        try {
            round.send(0, args.summary());
            teamSync.round(args.kind, words, 0);
            checkAgreement(args);
            goesOn = true;
        } finally {
            if (!goesOn) {
                teamSync.leave();
            }
        }
    }

    /// Leaves where nobody has used my memory.
    void leave() {
        teamSync.leave();
    }

    /// Parts from everybody, and leaves.
    void awaitRelease(OperationKind kind) {
        awaitRelease(kind, SyncRound.EVERYBODY);
    }

    /// Parts where the others have used the root's memory alone, and leaves.
    void awaitRelease(OperationKind kind, int root) {
        try {
            teamSync.awaitRelease(kind, root);
        } finally {
            teamSync.leave();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;

/// The rounds of a collective over memory: one in which members agree on its arguments, and an end in which no
/// member leaves whose memory others still use.
///
/// ```
///  agree          we all mean the same; a member that throws here has left
///    try …
///  finally part   or leave, where the data have travelled with the round
/// ```
///
/// One word stands for all arguments, so that the round has room for data: their checksum, see
/// [coterie.internal.sync.ArgumentRecord]. A member that has agreed parts, also when a copy fails.
///
/// @param teamSync the rounds of the team
record AgreedRounds(TeamSync teamSync) {
    /// The word behind that of the arguments.
    static final int COUNT = 1;

    /// Meets, and goes on only if all have come and agree.
    ///
    /// @param words that travel, the one for the arguments included
    void agree(CollectiveArgs args, int words) {
        try {
            teamSync.agreeingRound(args.kind, args.checksum(), args.recorded(), args.agreed(), words, null);
        } catch (Throwable e) {
            teamSync.leave();
            throw e;
        }
    }

    /// Leaves where no other member has used my memory.
    void leave() {
        teamSync.leave();
    }

    /// Parts from all members, and leaves.
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

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.CollectiveMismatchException;
import coterie.SymmetricMemoryException;
import coterie.internal.collective.Agreement;
import coterie.internal.collective.SyncRound;
import coterie.internal.collective.TeamSync;
import coterie.internal.rma.PeMemory;
import coterie.internal.wait.OperationKind;
import org.jspecify.annotations.Nullable;

/// The rounds in which all PEs reach one verdict about a block: each PE publishes its request and whether it can
/// provide its part. The verdict is the same on all PEs, also when PEs fail meanwhile.
final class HeapAgreement {
    /// words of a round: size, subject, answer
    private static final int WORDS = 3;

    private static final int SIZE = 0;
    private static final int SUBJECT = 1;
    private static final int ANSWER = 2;

    /// words of a round in which a block is freed
    private static final int BLOCK = 0;

    private static final int USED = 1;

    /// The verdict that no PE answers with.
    private static final int DIFFERENT = Answer.values().length;

    private final TeamSync teamSync;
    private final Agreement agreement;

    /// What a PE says about its own part.
    enum Answer {
        GRANTED,
        /// it can't
        REFUSED,
        /// the arguments are out of range
        INVALID
    }

    HeapAgreement(TeamSync teamSync) {
        this.teamSync = teamSync;
        this.agreement = new Agreement(teamSync);
    }

    /// Says that this PE can give its part. Returns where all ask for the same and can, and otherwise throws on
    /// all of them.
    ///
    /// @param round the request's kind; or MOVE, for the second round of one that was granted
    void grant(OperationKind round, HeapRequest request) {
        long verdict = synchroniseAndDecide(round, request, Answer.GRANTED);
        if (Agreement.code(verdict) != Answer.GRANTED.ordinal()) {
            throw refused(verdict, request, null);
        }
    }

    /// Says that this PE can't. Returns what all are to throw.
    ///
    /// @param why for this PE's own message
    RuntimeException refuse(HeapRequest request, Answer answer, String why) {
        return refused(synchroniseAndDecide(request.kind(), request, answer), request, why);
    }

    /// Agrees on freeing a block. Returns if no PE uses it, and otherwise throws on all PEs.
    ///
    /// @param isInUse whether this PE has an operation under way on it
    void free(PeMemory block, boolean isInUse) {
        teamSync.begin(OperationKind.FREE);
        try {
            SyncRound syncRound = teamSync.syncRound();
            syncRound.send(BLOCK, block.generation());
            syncRound.send(USED, isInUse ? 1 : 0);
            long verdict = agreement.reach(OperationKind.FREE, USED + 1, this::concludeFree);
            if (Agreement.code(verdict) == DIFFERENT) {
                throw new CollectiveMismatchException(agreement.disagreement(OperationKind.FREE, BLOCK));
            }
            if (Agreement.code(verdict) == Answer.REFUSED.ordinal()) {
                throw new IllegalStateException("close of " + block + " on PE "
                        + teamSync.membership().myPe() + ": PE "
                        + teamSync.membership().pe(Agreement.member(verdict))
                        + " has a request in progress on it, or holds a lock in it; all PEs refuse");
            }
        } finally {
            teamSync.leave();
        }
    }

    private long concludeFree(SyncRound syncRound) {
        int different = agreement.firstDifferent(BLOCK);
        if (different >= 0) {
            return Agreement.verdict(DIFFERENT, different);
        }
        int user = agreement.firstWith(USED, 1);
        return user >= 0
                ? Agreement.verdict(Answer.REFUSED.ordinal(), user)
                : Agreement.verdict(Answer.GRANTED.ordinal(), 0);
    }

    private long synchroniseAndDecide(OperationKind round, HeapRequest request, Answer answer) {
        teamSync.begin(round);
        try {
            SyncRound syncRound = teamSync.syncRound();
            syncRound.send(SIZE, request.byteSize());
            syncRound.send(SUBJECT, request.subject());
            syncRound.send(ANSWER, answer.ordinal());
            return agreement.reach(round, WORDS, this::conclude);
        } finally {
            teamSync.leave();
        }
    }

    private long conclude(SyncRound syncRound) {
        int invalid = agreement.firstWith(ANSWER, Answer.INVALID.ordinal());
        if (invalid >= 0) {
            return Agreement.verdict(Answer.INVALID.ordinal(), invalid);
        }
        int different = Math.max(agreement.firstDifferent(SIZE), agreement.firstDifferent(SUBJECT));
        if (different >= 0) {
            return Agreement.verdict(DIFFERENT, different);
        }
        int refusing = agreement.firstWith(ANSWER, Answer.REFUSED.ordinal());
        return refusing >= 0
                ? Agreement.verdict(Answer.REFUSED.ordinal(), refusing)
                : Agreement.verdict(Answer.GRANTED.ordinal(), 0);
    }

    private RuntimeException refused(long verdict, HeapRequest request, @Nullable String mine) {
        int pe = teamSync.membership().pe(Agreement.member(verdict));
        String who = request.describe(teamSync.membership().myPe());
        int code = Agreement.code(verdict);
        if (code == DIFFERENT) {
            return new CollectiveMismatchException(
                    who + agreement.disagreement(request.kind(), agreement.firstDifferent(SIZE) >= 0 ? SIZE : SUBJECT));
        }
        if (code == Answer.INVALID.ordinal()) {
            return new IllegalArgumentException(who
                    + (mine != null ? mine : "the arguments of PE " + pe + " are out of range") + "; all PEs refuse");
        }
        return new SymmetricMemoryException(
                who + "PE " + pe + " can't give its part" + (mine != null ? ": " + mine : "") + "; all PEs refuse");
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.CollectiveMismatchException;
import coterie.SymmetricMemoryException;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.Agreement;
import coterie.internal.sync.CallGate;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The rounds in which a team's members reach one verdict about a block: each member publishes its request and
/// whether it can provide its part. The verdict is the same on all members, also when members fail meanwhile.
final class HeapAgreement {
    /// What [#propose] returns if all members have the block at the proposed place.
    static final long GRANTED = -1;

    /// What [#propose] returns if a member has no place.
    static final long FULL = -2;

    /// words of a round: size, subject, answer, distance, blocks that the member has closed
    private static final int WORDS = 5;

    private static final int SIZE = 0;
    private static final int SUBJECT = 1;
    private static final int ANSWER = 2;
    private static final int DISTANCE = 3;
    private static final int CLOSED = 4;

    /// words of a round in which a block is freed
    private static final int BLOCK = 0;

    private static final int USED = 1;

    /// Verdicts that no member answers with: arguments differ, and places differ.
    private static final int DIFFERENT = Answer.values().length;

    private static final int APART = DIFFERENT + 1;

    private final TeamSync teamSync;
    private final Agreement agreement;
    private final Function<OperationKind, String> prefix;
    private final ClosedBlocks closedBlocks;
    private final Runnable complete;
    private final Consumer<PeMemory> freed;

    /// The latest verdict that a member has no place.
    private long full;

    /// How the member that refuses to free a block uses it, as this PE has heard.
    private BlockUse refusing = BlockUse.UNKNOWN;

    /// What a member answers about its own part.
    enum Answer {
        GRANTED,
        /// it has no free place
        FULL,
        /// it can't provide its part
        REFUSED,
        /// it can't reach the heap of a member that has ended
        LOST,
        /// the arguments are out of range
        INVALID
    }

    /// @param prefix makes the first words of messages about an operation
    /// @param complete completes what this PE has under way
    /// @param freed gets the blocks that all members have closed
    HeapAgreement(
            TeamSync teamSync,
            Function<OperationKind, String> prefix,
            ClosedBlocks closedBlocks,
            Runnable complete,
            Consumer<PeMemory> freed) {
        this.teamSync = teamSync;
        this.agreement = new Agreement(teamSync);
        this.prefix = prefix;
        this.closedBlocks = closedBlocks;
        this.complete = complete;
        this.freed = freed;
    }

    /// Proposes a place that this PE can provide, or says that it has none. Throws on all members, if one can't go on,
    /// or asks for something else.
    ///
    /// @param distance of the place; negative for none
    /// @return [#GRANTED], [#FULL], or the distance that all members' next proposals have at least
    long propose(HeapRequest request, long distance) {
        Answer answer = distance < 0 ? Answer.FULL : Answer.GRANTED;
        long verdict = synchronizeAndDecide(request.kind(), request, answer, distance);
        if (Agreement.code(verdict) == APART) {
            return teamSync.syncRound().max(DISTANCE);
        }
        if (Agreement.code(verdict) == Answer.FULL.ordinal()) {
            full = verdict;
            return FULL;
        }
        checkGranted(verdict, request);
        return GRANTED;
    }

    /// Returns what all members throw after [#FULL], if no place can become free any more.
    ///
    /// @param why this PE has no place, for its own message
    RuntimeException refuseFull(HeapRequest request, String why) {
        return refused(full, request, teamSync.membership().me() == Agreement.member(full) ? why : null);
    }

    /// Returns when every member has moved the old content; throws on all members if one has failed.
    void confirmMove(HeapRequest request) {
        checkGranted(synchronizeAndDecide(OperationKind.MOVE, request, Answer.GRANTED, 0), request);
    }

    private void checkGranted(long verdict, HeapRequest request) {
        if (Agreement.code(verdict) != Answer.GRANTED.ordinal()) {
            throw refused(verdict, request, null);
        }
    }

    /// Answers that this PE can't provide its part. Returns what all members throw.
    ///
    /// @param why for this PE's own message
    RuntimeException refuse(HeapRequest request, Answer answer, String why) {
        return refused(synchronizeAndDecide(request.kind(), request, answer, 0), request, why);
    }

    /// Agrees on freeing a block. Returns if no member uses it, and otherwise throws on all members.
    ///
    /// @param use how this PE uses it
    void free(PeMemory block, BlockUse use) {
        try (CallGate.Passage _ = teamSync.gate().enter(OperationKind.FREE)) {
            SyncRound syncRound = teamSync.syncRound();
            syncRound.send(BLOCK, block.generation());
            syncRound.send(USED, use.word());
            refusing = BlockUse.UNKNOWN;
            long verdict = agreement.reach(OperationKind.FREE, USED + 1, this::concludeFree);
            if (Agreement.code(verdict) == DIFFERENT) {
                throw new CollectiveMismatchException(teamSync.disagreement(OperationKind.FREE, BLOCK));
            }
            if (Agreement.code(verdict) == Answer.REFUSED.ordinal()) {
                throw new IllegalStateException("close of " + block + " on PE "
                        + teamSync.membership().myPe() + ": PE "
                        + teamSync.membership().pe(Agreement.member(verdict))
                        + " " + refusing.description() + "; all PEs refuse");
            }
        }
    }

    private long concludeFree(SyncRound syncRound) {
        int different = syncRound.firstDifferent(BLOCK);
        if (different >= 0) {
            return Agreement.verdict(DIFFERENT, different);
        }
        int user = syncRound.firstWithout(USED, BlockUse.NONE.word());
        if (user < 0) {
            return Agreement.verdict(Answer.GRANTED.ordinal(), 0);
        }
        refusing = new BlockUse(syncRound.received(user, USED));
        return Agreement.verdict(Answer.REFUSED.ordinal(), user);
    }

    /// Returns what it knows of the blocks that members have closed.
    ClosedBlocks closedBlocks() {
        return closedBlocks;
    }

    private long synchronizeAndDecide(OperationKind round, HeapRequest request, Answer answer, long distance) {
        try (CallGate.Passage _ = teamSync.gate().enter(round)) {
            long closed = closedBlocks.word();
            if (closed != 0) {
                complete.run(); // before others hear that this PE does not use the blocks any more
            }
            SyncRound syncRound = teamSync.syncRound();
            syncRound.send(SIZE, request.byteSize());
            syncRound.send(SUBJECT, request.subject());
            syncRound.send(ANSWER, answer.ordinal());
            syncRound.send(DISTANCE, distance);
            syncRound.send(CLOSED, closed);
            long verdict = agreement.reach(round, WORDS, this::conclude);
            closedBlocks.take(syncRound, closed, CLOSED, freed);
            return verdict;
        }
    }

    private long conclude(SyncRound syncRound) {
        int invalid = syncRound.firstWith(ANSWER, Answer.INVALID.ordinal());
        if (invalid >= 0) {
            return Agreement.verdict(Answer.INVALID.ordinal(), invalid);
        }
        int different = Math.max(syncRound.firstDifferent(SIZE), syncRound.firstDifferent(SUBJECT));
        if (different >= 0) {
            return Agreement.verdict(DIFFERENT, different);
        }
        for (Answer answer : List.of(Answer.LOST, Answer.REFUSED, Answer.FULL)) {
            int refusing = syncRound.firstWith(ANSWER, answer.ordinal());
            if (refusing >= 0) {
                return Agreement.verdict(answer.ordinal(), refusing);
            }
        }
        return Agreement.verdict(syncRound.firstDifferent(DISTANCE) >= 0 ? APART : Answer.GRANTED.ordinal(), 0);
    }

    private RuntimeException refused(long verdict, HeapRequest request, @Nullable String mine) {
        int pe = teamSync.membership().pe(Agreement.member(verdict));
        String message = request.describe(prefix.apply(request.kind()));
        int code = Agreement.code(verdict);
        if (code == DIFFERENT) {
            return new CollectiveMismatchException(message
                    + teamSync.disagreement(
                            request.kind(), teamSync.syncRound().firstDifferent(SIZE) >= 0 ? SIZE : SUBJECT));
        }
        if (code == Answer.INVALID.ordinal()) {
            return new IllegalArgumentException(message
                    + (mine != null ? mine : "the arguments of PE " + pe + " are out of range") + "; all PEs refuse");
        }
        if (code == Answer.LOST.ordinal()) {
            teamSync.checkNotEnded(request.kind());
        }
        return new SymmetricMemoryException(
                message + "PE " + pe + " can't give its part" + (mine != null ? ": " + mine : "") + "; all PEs refuse");
    }
}

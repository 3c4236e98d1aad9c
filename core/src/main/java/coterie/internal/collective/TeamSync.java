// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.rma.PeContext;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Conduit;
import org.jspecify.annotations.Nullable;

/// How the members of a team come together: one thread of each at a time, as long as nothing has poisoned the
/// team.
///
/// ```
///  begin(kind)          not poisoned? my turn?
///    │ say(word, …)     what travels
///  meet(kind, …)        the round; a mismatch poisons, a failure too
///    │ heard(member, word)
/// ```
///
/// A mismatch poisons the team for everything that follows, and so does what a layer fails with behind a round;
/// the failure of a member poisons it for all but barriers.
public final class TeamSync {
    private final Membership membership;
    private final PeContext context;
    private final SyncRound round;
    private final TeamLock lock;

    /// Why the team can't go on: a mismatch or a failure, or its end.
    private @Nullable RuntimeException poison;

    /// @param lines of the team; see [SyncRound]
    /// @param context the world's default one
    /// @param blockingChannel for rounds
    /// @param firstSequence see [SyncRound]
    /// @param mostFlat see [SyncRound]
    /// @param confinedTo the only thread that may call collectives, or null if all may, one at a time
    public TeamSync(
            Membership membership,
            SyncLines lines,
            PeContext context,
            Conduit conduit,
            BlockingChannel blockingChannel,
            WaitingRoom room,
            long firstSequence,
            int mostFlat,
            @Nullable Thread confinedTo) {
        this.membership = membership;
        this.context = context;
        this.round = SyncRound.of(membership, lines, conduit, blockingChannel, room, firstSequence, mostFlat);
        this.lock = new TeamLock(membership, confinedTo, room.upcallGuard());
    }

    public Membership membership() {
        return membership;
    }

    public PeContext context() {
        return context;
    }

    public SyncRound syncRound() {
        return round;
    }

    /// Number of the next round, for a later world on the same lines.
    public long nextSequence() {
        return round.sequence() + 1;
    }

    /// Waits for everybody.
    ///
    /// @param kind BARRIER or SYNC
    /// @param completes whether what I put through the default context is complete before
    public void synchronise(OperationKind kind, boolean completes) {
        beginAmongTheLiving(kind);
        try {
            if (completes && round.isAllToAll()) {
                context.completeForNotified(); // the round has a fence, for those who aren't told
            } else if (completes) {
                context.complete();
            }
            synchroniseLiving(kind, 0);
        } finally {
            lock.release();
        }
    }

    /// Meets those who live; only a mismatch of calls poisons the team, unless all members are needed.
    void synchroniseLiving(OperationKind kind, int said) {
        try {
            if (poison != null) {
                round.resynchronise(kind);
            }
            round.synchroniseLiving(kind, said);
        } catch (CollectiveMismatchException e) {
            poison(e);
            if (!SyncRound.isEnd(kind) || !round.resynchronise(kind)) {
                throw e;
            }
            round.synchroniseLiving(kind, said);
        } catch (PeFailedException e) {
            poisonByNotice(e);
            throw e;
        }
    }

    private void poison(CollectiveMismatchException difference) {
        poison = difference;
        round.forwardNotice();
    }

    /// What others have missed in a data collective poisons the team for me too, as soon as I can know of it.
    private void poisonByNotice(PeFailedException cause) {
        if (poison == null && round.hasNotice()) {
            poison = cause;
            round.forwardNotice();
        }
    }

    /// Begins a data collective or an agreement: what is said from here on goes with its round.
    public void begin(OperationKind kind) {
        if (poison != null) {
            throw poisoned(kind, poison);
        }
        lock.acquire(kind);
    }

    /// As [#begin], for what goes on in spite of failures.
    private void beginAmongTheLiving(OperationKind kind) {
        if (poison != null && (round.needsAll() || !(poison instanceof PeFailedException))) {
            throw poisoned(kind, poison);
        }
        lock.acquire(kind);
    }

    /// As [#begin], for what a poisoned team can do as well.
    ///
    /// @throws IllegalStateException if the team has ended
    public void beginToEnd(OperationKind kind) {
        if (poison instanceof IllegalStateException) {
            throw poisoned(kind, poison);
        }
        lock.acquire(kind);
    }

    /// Meets for the last time; see [SyncRound#synchroniseLast].
    void synchroniseLast(OperationKind kind) {
        if (poison != null) {
            round.resynchronise(kind);
        }
        round.synchroniseLast(kind);
    }

    /// Whether somebody may still write to the lines of the team when it has ended: members have been missed, and
    /// those who live could not meet behind that.
    public boolean leavesLinesBusy() {
        return round.needsAll() && round.hasMissed();
    }

    /// Whether members have been missed, who may have left something under way.
    public boolean hasMissed() {
        return round.hasMissed();
    }

    /// Ends what [#begin] began, where no round does.
    public void leave() {
        lock.release();
    }

    /// As [#leave], for who may have left already.
    void leaveIfIn() {
        lock.releaseIfMine();
    }

    /// Meets for a data collective of one round: whatever goes wrong poisons the team.
    ///
    /// @param said words that travel
    /// @param agreed how many of them, from the first, must be equal on all members
    public void synchronise(OperationKind kind, int said, int agreed) {
        begin(kind);
        try {
            round(kind, said, agreed);
        } finally {
            lock.release();
        }
    }

    /// One round of those that a data collective has between [#begin] and [#leave].
    void round(OperationKind kind, int said, int agreed) {
        round(kind, said, agreed, null);
    }

    /// As [#round], for a number of each member as the last word: these are combined.
    void combiningRound(OperationKind kind, int said, ScalarOperator operator) {
        round(kind, said, 0, operator);
    }

    private void round(OperationKind kind, int said, int agreed, @Nullable ScalarOperator operator) {
        try {
            round.synchronise(kind, said, operator);
            for (int word = 0; word < agreed; word++) {
                checkAgreement(kind, word);
            }
        } catch (CollectiveMismatchException e) {
            poison(e);
            throw e;
        } catch (PeFailedException e) {
            poison = e;
            round.postNotice();
            throw e;
        }
    }

    /// Parts behind a round; see [SyncRound#awaitRelease].
    void awaitRelease(OperationKind kind, int root) {
        try {
            round.awaitRelease(kind, root);
        } catch (PeFailedException e) {
            poison = e;
            round.postNotice();
            throw e;
        } catch (CollectiveMismatchException e) {
            poison(e);
            throw e;
        }
    }

    /// Takes note that a collective which all have agreed on has failed for me behind the round.
    void fail(RuntimeException why) {
        poison = why instanceof IllegalStateException
                ? new CoterieException(String.valueOf(why.getMessage()), why)
                : why;
        if (why instanceof PeFailedException) {
            round.postNotice();
        } else {
            round.forwardNotice();
        }
    }

    /// Meets once more, since members disagree on what they have said in the latest round.
    ///
    /// @param words in which they say what they mean
    /// @return who means what
    CollectiveMismatchException disagreement(OperationKind kind, int words) {
        long number = round.sequence();
        round(kind, words, 0);
        for (int word = 0; word < words; word++) {
            if (round.firstDifferent(word) >= 0) {
                CollectiveMismatchException why = new CollectiveMismatchException(
                        ArgumentMismatch.disagreement(membership, round, kind, number, word));
                poison = why;
                return why;
            }
        }
        throw new AssertionError(kind + " #" + number + ": members with equal arguments sent different words");
    }

    /// Meets for an agreement, whose caller decides what an absence means: only a mismatch of calls poisons the
    /// team.
    void synchroniseAgreeing(OperationKind kind, int said) {
        try {
            round.synchronise(kind, said, null);
        } catch (CollectiveMismatchException e) {
            poison(e);
            throw e;
        } catch (PeFailedException e) {
            poisonByNotice(e);
            throw e;
        }
    }

    /// Meets for the last time: the world closes. Any thread may bring that about, while none is in a collective.
    ///
    /// Where a member has something to void that others could still reach, all meet once more behind that.
    ///
    /// @param nextSequence the least number that the rounds on my lines may begin with in the next world
    /// @param voids whether I have something to void
    /// @param voiding does that
    /// @return the number that the next world's rounds begin with, the same on all members. It continues this
    ///     world's in so far as it is odd or even: the halves of the lines must take turns, since a member may
    ///     begin the next round while another still reads this one
    public long synchroniseToClose(long nextSequence, boolean voids, Runnable voiding) {
        lock.checkNoOtherThread(OperationKind.CLOSE);
        context.complete();
        if (poison != null && !(poison instanceof PeFailedException) && !round.hasNotice()) {
            return Math.max(nextSequence, nextSequence());
        }
        round.send(0, nextSequence);
        round.send(1, voids ? 1 : 0);
        synchroniseLiving(OperationKind.CLOSE, 2);
        long greatest = Math.max(nextSequence, round.max(0));
        if (round.max(1) != 0) {
            voiding.run();
            synchroniseLiving(OperationKind.CLOSE, 0);
        }
        long next = nextSequence();
        return Math.max(next, greatest + (greatest - next & 1));
    }

    /// Refuses a thread that may not call a collective now; see [TeamLock#check].
    public void checkCaller(OperationKind kind) {
        lock.check(kind);
    }

    /// Refuses a thread that is in a callback or an event, whatever it may call otherwise.
    public void checkNotInUpcall(OperationKind kind) {
        lock.checkNotInUpcall(kind);
    }

    /// Refuses a thread that may call no collective at all.
    public void checkThread(OperationKind kind) {
        lock.checkThread(kind);
    }

    /// Refuses everything from now on.
    ///
    /// @param why such as "the world was closed"
    public void end(String why) {
        poison = new IllegalStateException(why);
    }

    /// Whether a mismatch or a failure keeps members from collectives that need all, or the team has ended.
    boolean isPoisoned() {
        return poison != null;
    }

    /// Whether the team has ended.
    public boolean hasEnded() {
        return poison instanceof IllegalStateException;
    }

    private void checkAgreement(OperationKind kind, int word) {
        if (round.firstDifferent(word) >= 0) {
            throw new CollectiveMismatchException(
                    ArgumentMismatch.disagreement(membership, round, kind, round.sequence(), word));
        }
    }

    /// The exception for a use of the team that can't be any more.
    private RuntimeException poisoned(OperationKind kind, RuntimeException cause) {
        return poisoned(kind.label(), cause);
    }

    /// Refuses a use of a team that has ended.
    public void checkAlive(String operation) {
        RuntimeException cause = poison;
        if (cause instanceof IllegalStateException) {
            throw poisoned(operation, cause);
        }
    }

    private RuntimeException poisoned(String operation, RuntimeException cause) {
        String message = operation + " on PE " + membership.myPe() + ": team \"" + membership.name()
                + "\" can't be used any more: " + cause.getMessage();
        return switch (cause) {
            case PeFailedException failure -> new PeFailedException(message, failure.failedPes());
            case CollectiveMismatchException mismatch -> new CollectiveMismatchException(message);
            default -> new IllegalStateException(message);
        };
    }
}

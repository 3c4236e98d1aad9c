// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.TeamRevokedException;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.rma.PeContext;
import coterie.internal.wait.CollectiveListeners;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Conduit;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// The rounds of a team's members: one thread of each at a time, as long as nothing has poisoned the team.
///
/// ```
///  try (Passage _ = gate().enter(kind)) {      not poisoned? no other thread?
///      syncRound().send(word, …)               what travels
///      round(kind, …) or agree(call, …)        the round; a mismatch poisons, a failure too
///      syncRound().received(member, word)
///  }
/// ```
///
/// A mismatch, the failure of a member, a revocation, and any error of a layer after a round poison the team for
/// all later collectives but its end.
public final class TeamSync {
    private final Membership membership;
    private final PeContext context;
    private final SyncRound round;
    private final CallGate gate;
    private final PeRuntime runtime;
    private final CollectiveListeners listeners;
    private final LivingAgreement livingAgreement;
    private final AddressExchange addressExchange;
    private final CallArguments callArguments;

    /// The reason why the team can't be used: a mismatch or a failure, or its end.
    private volatile @Nullable RuntimeException poison;

    /// Whether a throwable has left a round half done, which neither [#poison] nor the others have yet.
    private boolean isInterrupted;

    /// @param lines of the team alone
    /// @param context the world's default one
    /// @param blockingChannel for rounds
    /// @param firstSequence number of the first round, the same on all members; what the lines hold of earlier
    ///     rounds is lower
    /// @param mostFlat see [SyncRound]
    /// @param confinedTo the only thread that may call collectives, or null if all may, one at a time
    public TeamSync(
            Membership membership,
            SyncLines lines,
            PeContext context,
            Conduit conduit,
            BlockingChannel blockingChannel,
            PeRuntime runtime,
            long firstSequence,
            int mostFlat,
            @Nullable Thread confinedTo) {
        this.membership = membership;
        this.context = context;
        this.runtime = runtime;
        this.listeners = runtime.collectiveListeners();
        TeamLines teamLines = new TeamLines(membership, lines, conduit, blockingChannel, runtime, firstSequence);
        this.round = SyncRound.of(teamLines, mostFlat);
        this.gate = new CallGate(
                this,
                listeners,
                new TeamLock(membership, confinedTo, runtime.counters().tracer, runtime.upcallGuard()));
        this.livingAgreement = new LivingAgreement(teamLines, closings());
        this.addressExchange = new AddressExchange(teamLines);
        this.callArguments = new CallArguments(teamLines);
    }

    public Membership membership() {
        return membership;
    }

    public PeContext context() {
        return context;
    }

    /// Returns where the team's collectives come in and go out.
    public CallGate gate() {
        return gate;
    }

    public CollectiveListeners listeners() {
        return listeners;
    }

    public SyncRound syncRound() {
        return round;
    }

    public AddressExchange addressExchange() {
        return addressExchange;
    }

    /// Returns the number of the next round, for a later world on the same lines.
    public long nextSequence() {
        return Math.max(round.sequence(), livingAgreement.round()) + 1;
    }

    /// Waits for all members.
    ///
    /// @param kind BARRIER or SYNC
    /// @param completes whether what I put through the default context is complete before
    public void synchronize(OperationKind kind, boolean completes) {
        try (CallGate.Passage _ = gate.enter(kind)) {
            if (completes && round.isAllToAll()) {
                context.completeForNotified(); // the round has a fence, for members that get no notice
            } else if (completes) {
                context.complete();
            }
            round(kind, 0, null);
        }
    }

    /// Does the round at the end of the world, in which members that differ participate, too.
    void synchronizeEnd(OperationKind kind, int said) {
        try {
            if (poison != null) {
                round.resynchronize();
            }
            round.synchronizeEnd(kind, said);
        } catch (CollectiveMismatchException e) {
            poison(e);
            if (!round.resynchronize()) {
                throw e;
            }
            round.synchronizeEnd(kind, said);
        } catch (CoterieException e) {
            poison(e);
            throw e;
        }
    }

    /// Ends the use of the team here, and notifies the members that would wait for this one.
    private void poison(RuntimeException why) {
        poison = poison == null ? why : poison;
        if (runtime.hasTerminated(membership.myPe())) {
            return; // a PE that counts as failed does nothing any more: others learn that it does, not what it saw
        }
        switch (why) {
            case CollectiveMismatchException _ -> round.notice().forward(); // all members have the mismatch of a round
            case PeFailedException _ -> round.notice().post(FailureNotice.Cause.FAILED);
            case TeamRevokedException _ -> round.notice().post(FailureNotice.Cause.REVOKED);
            default -> round.notice().post(FailureNotice.Cause.ABORTED);
        }
        round.leaveAgreement(); // behind the notice, which says why
    }

    /// Refuses a collective that needs all members, if the team is poisoned or has ended.
    void checkNotPoisoned(OperationKind kind) {
        if (poison != null || isInterrupted) {
            throw refusal(kind);
        }
    }

    /// Closes the team on this member, which waits for no other one. Afterwards all uses throw.
    ///
    /// @param runs of requests that this member has posted
    /// @param last completes what this member has under way
    public void close(long runs, Runnable last) {
        try (CallGate.Passage _ = gate.enterToEnd(OperationKind.DESTROY)) {
            last.run();
            round.notice().leave();
            closings().post(runs, livingAgreement.round(), round.sequence());
            end("it was closed");
        }
    }

    /// Returns whether a notice has ended the team: members need not come to its rounds any more.
    public boolean hasMissed() {
        return round.notice().endsTeam();
    }

    /// Returns whether a member has failed.
    public boolean hasLostMember() {
        return round.notice().failed(member -> true) != null;
    }

    /// Returns what is known of the members that have closed the team.
    public TeamClosings closings() {
        return round.notice().closings();
    }

    /// Waits for the living members, and returns the PEs of the others; see [coterie.Team#syncLiving].
    public int[] syncLiving() {
        Survivors survivors = agreeOnLiving(OperationKind.SYNC_LIVING, 0);
        return IntStream.range(0, membership.size())
                .filter(member -> !survivors.has(member))
                .map(membership::pe)
                .sorted()
                .toArray();
    }

    /// The result of an agreement of the living members: their numbers, and a word of each.
    public final class Survivors {
        private final boolean[] has = new boolean[membership.size()];
        private final long[] words = new long[membership.size()];

        private Survivors(long number, long mine) {
            for (int member = 0; member < has.length; member++) {
                has[member] = !livingAgreement.isOut(member, number);
                words[member] = member == membership.me() ? mine : livingAgreement.word(member);
            }
        }

        /// Returns whether a member is one of them.
        public boolean has(int member) {
            return has[member];
        }

        private boolean lacksAny() {
            return IntStream.range(0, has.length).anyMatch(member -> !has[member]);
        }

        /// Returns the word of a member; 0 if the member has failed before its word arrived here.
        public long word(int member) {
            return Math.max(0, words[member]);
        }
    }

    /// Agrees with the living members on their numbers; see [LivingAgreement].
    ///
    /// @param word for the others, or negative if this member has none
    /// @throws CoterieException on all of them, if a living member has no word
    /// @throws CollectiveMismatchException on all of them, if living members agree for different operations
    public Survivors agreeOnLiving(OperationKind kind, long word) {
        if (!runtime.ordersEnds()) {
            throw new UnsupportedOperationException(membership.messagePrefix(kind.label())
                    + "the job's bootstrap does not number the ends of PEs, by which members agree");
        }
        try (CallGate.Passage _ = gate.enterToEnd(kind)) {
            context.complete();
            long number = livingAgreement.run(kind, word);
            if (number == LivingAgreement.WITHOUT_WORD) {
                throw livingAgreement.withoutWord(kind);
            }
            if (number == LivingAgreement.MIXED) {
                throw livingAgreement.mixed(kind);
            }
            VarHandle.fullFence();
            Survivors survivors = new Survivors(number, word);
            if (survivors.lacksAny()) {
                runtime.noteFailures(); // the list tells the program, as an exception would
            }
            return survivors;
        }
    }

    /// Ends the collectives of the team on all members; see [coterie.Team#revoke]. Any thread may call it.
    public void revoke() {
        round.notice().post(FailureNotice.Cause.REVOKED);
        if (poison == null) {
            poison = round.notice().exception("revoke");
        }
    }

    /// Returns what ends the team's requests, beside their own messages: a member has revoked the team. Null as long
    /// as none has.
    public @Nullable RuntimeException revocation() {
        return round.notice().isRevoked() ? round.notice().exception(OperationKind.PREPARE.label()) : null;
    }

    /// Does one of the rounds of a collective that is inside the gate. Any error poisons the team.
    ///
    /// @param said words to send
    public void round(OperationKind kind, int said) {
        round(kind, said, null);
    }

    /// Does the round of a call in which its members agree on the arguments.
    ///
    /// @param said words to send, the first for the arguments included
    public void agree(AgreedArguments call, int said) {
        agree(call, said, null);
    }

    /// Does the round of a call in which its members agree on the arguments. If the checksums differ, the exception on
    /// each member names the value of each. Any error poisons the team.
    ///
    /// @param said words to send, the first for the arguments included
    /// @param operator that combines the last word of each member, or null
    public void agree(AgreedArguments call, int said, @Nullable ScalarOperator operator) {
        OperationKind kind = call.kind();
        callArguments.write(call);
        round.send(0, call.checksum());
        round(kind, said, operator);
        if (round.firstDifferent(0) >= 0) {
            CoterieException why = callArguments.mismatch(round, kind);
            poison(why);
            awaitReaders(kind, why);
            throw why;
        }
    }

    /// Does one more round, after which no member reads the arguments of another: a program may end on a mismatch, and
    /// its memory with it.
    private void awaitReaders(OperationKind kind, CoterieException why) {
        try {
            round.synchronize(kind, 0, null);
        } catch (CoterieException e) {
            why.addSuppressed(e); // a member that ends first has all it needs
        }
    }

    private void round(OperationKind kind, int said, @Nullable ScalarOperator operator) {
        try {
            round.synchronize(kind, said, operator);
        } catch (CoterieException e) {
            poison(e);
            throw e;
        } catch (Throwable e) {
            interrupted(kind);
            throw e;
        }
    }

    /// Poisons the team after a throwable that is none of the round's has left it half done. The first line
    /// needs no stack: there may be none left, and then the next use of the team posts the notice.
    private void interrupted(OperationKind kind) {
        if (runtime.hasTerminated(membership.myPe())) {
            return; // a PE that counts as failed does nothing any more
        }
        isInterrupted = true;
        fail(new CoterieException(membership.messagePrefix(kind.label()) + "an earlier call left its round half done"));
        isInterrupted = false;
    }

    /// Parts after a round; see [SyncRound#awaitRelease].
    public void awaitRelease(OperationKind kind, int root) {
        try {
            round.awaitRelease(kind, root);
        } catch (CoterieException e) {
            poison(e);
            throw e;
        } catch (Throwable e) {
            interrupted(kind);
            throw e;
        }
    }

    /// Parts after the round of an agreement; see [SyncRound#part].
    long part(OperationKind kind, Agreement.Ballot ballot) {
        try {
            return round.part(kind, ballot);
        } catch (CoterieException e) {
            poison(e);
            throw e;
        } catch (Throwable e) {
            interrupted(kind);
            throw e;
        }
    }

    /// Notes that a collective on which all members have agreed has failed here after its round.
    public void fail(RuntimeException why) {
        poison(why instanceof CoterieException ? why : new CoterieException(String.valueOf(why.getMessage()), why));
    }

    /// Returns what members have sent as a word of the latest round, for the message of a refusal.
    public String disagreement(OperationKind kind, int word) {
        return ArgumentMismatch.disagreement(round, kind, word, member -> round.received(member, word));
    }

    /// Closes the world of this team. Any thread may call it, while none is in a collective.
    public void close(WorldTeardown teardown) {
        gate.end(OperationKind.CLOSE, () -> {
            context.complete();
            teardown.run(this);
        });
    }

    /// Refuses a use of a team that has ended, and a thread that may not use the team at all.
    ///
    /// @param operation that the program has called
    public void checkUsable(String operation) {
        checkAlive(operation);
        gate.checkThread(operation);
    }

    /// Refuses all later calls.
    ///
    /// @param why such as "the world was closed"
    public void end(String why) {
        poison = new IllegalStateException(why);
    }

    /// Returns ", ended: " and why, for messages; empty for a team that has not ended.
    public String ending() {
        RuntimeException why = poison;
        return why != null && hasEnded() ? ", ended: " + why.getMessage() : "";
    }

    /// Throws if a member has failed or revoked the team, or the team has ended in another way: then an operation
    /// that needs all members never completes. Any thread may call it.
    public void checkNotEnded(OperationKind kind) {
        checkAlive(kind.label());
        FailureNotice notice = round.notice();
        String operation = kind.label();
        CoterieException why =
                notice.endsTeam() ? notice.exception(operation) : notice.failed(operation, member -> true);
        if (why != null) {
            throw why;
        }
    }

    /// Returns whether a mismatch or a failure keeps members from collectives that need all, or the team has
    /// ended.
    public boolean isPoisoned() {
        return poison != null;
    }

    /// Returns whether the team has ended.
    public boolean hasEnded() {
        return poison instanceof IllegalStateException;
    }

    private RuntimeException refusal(OperationKind kind) {
        if (isInterrupted) {
            interrupted(kind);
        }
        return unusable(kind.label(), Objects.requireNonNull(poison, "poison"));
    }

    /// Returns the exception for an operation on a team that has ended or lost a member.
    ///
    /// @param cause what has ended it first
    private RuntimeException unusable(String operation, RuntimeException cause) {
        String message = operation + " on PE " + membership.myPe() + ": team \"" + membership.name()
                + "\" can't be used any more: " + cause.getMessage();
        return switch (cause) {
            case PeFailedException failure -> new PeFailedException(message, failure.failedPes());
            case CollectiveMismatchException _ -> new CollectiveMismatchException(message);
            case TeamRevokedException revoked -> new TeamRevokedException(message, revoked.revoker());
            case CoterieException _ -> new CoterieException(message, cause);
            default -> new IllegalStateException(message);
        };
    }

    /// Refuses a use of a team that has ended.
    public void checkAlive(String operation) {
        RuntimeException cause = poison;
        if (cause instanceof IllegalStateException) {
            throw unusable(operation, cause);
        }
    }
}

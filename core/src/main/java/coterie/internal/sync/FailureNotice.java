// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.TeamRevokedException;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.AlwaysChecked;
import coterie.internal.wait.FailureCheck;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Notifies all members of a team that it can't be used any more, and knows when their waits can never end.
///
/// A wait of the team ends as soon as a member has failed that it depends on, whichever members are late, or a
/// notice has arrived. A member posts a notice when a collective has failed for it: the others may have completed
/// that collective, and the member does not participate in the next one. A notice is two words in the receiver's
/// slot of its board (see [SyncLines]): the poster's round, and next to it the same round with the cause and the
/// poster.
///
/// Several members may post notices, of one round or of two neighbouring ones; any of them ends the team. Where
/// members differ, they continue after the notice with the end of the team, in round [#next]: all notices of
/// differences name the same round, since a member that differs does not begin the next one.
public final class FailureNotice implements AlwaysChecked {
    /// Why the team can't be used any more.
    public enum Cause {
        /// a member has failed
        FAILED,
        /// members have called different collectives
        DIFFERENT,
        /// a member has revoked the team
        REVOKED,
        /// a collective has ended with an error at a member
        ABORTED;

        private static final List<Cause> VALUES = List.of(values());
    }

    /// Bytes of a notice.
    static final int BYTES = 2 * Long.BYTES;

    /// The second word: round, cause, poster.
    private static final int POSTER_BITS = 24;

    private static final int ROUND_SHIFT = POSTER_BITS + 2;

    /// More than the rounds that a member can have begun after the one of a notice, and odd: the next round uses
    /// the other half of the lines, since members may still read this one.
    private static final int GAP = 5;

    private final TeamLines lines;
    private final SyncRound syncRound;
    private final Membership membership;
    private final PeRuntime runtime;
    private final TeamClosings closings;
    private final long mine;

    /// Knows what members have called for, where they may differ.
    private @Nullable PublishedCalls publishedCalls;

    /// The failure epoch at which no member had failed.
    private long examined;

    /// The member that [#ofRounds] or [#ofRelease] checks.
    private int partner;

    /// Knows why a member has aborted a collective, in that member's words.
    private Supplier<String> toldCause = () -> "";

    /// The operation that waits, for messages.
    private String operation = "a collective";

    /// Made once: waits that last check often.
    private final IntPredicate isNeeded;

    private final AlwaysChecked ofRounds = this::endOfRound;
    private final AlwaysChecked ofRelease =
            () -> publishedCalls != null && !publishedCalls.hasLeft(partner) ? null : check();

    FailureNotice(TeamLines lines, SyncRound syncRound) {
        this.lines = lines;
        this.closings = new TeamClosings(lines);
        this.syncRound = syncRound;
        this.isNeeded = syncRound::isNeeded;
        this.membership = lines.membership();
        this.runtime = lines.runtime();
        this.mine = lines.localBase() + place(membership.me());
    }

    /// Returns the round of the notice, or 0 if there is none.
    public long round() {
        long round = AddressSpace.getLongAcquire(mine);
        if (round < lines.firstSequence()) {
            return 0;
        }
        lines.observed(place(membership.me()));
        return round;
    }

    /// Returns the cause that the notice names, or null if there is none.
    private @Nullable Cause cause() {
        long round = round();
        if (round == 0) {
            return null;
        }
        long word = AddressSpace.getLongAcquire(mine + Long.BYTES);
        long behind = ((word >>> ROUND_SHIFT) - round) << ROUND_SHIFT >> ROUND_SHIFT; // there is no room for all bits
        return word == 0 || round + behind < lines.firstSequence()
                ? Cause.FAILED
                : Cause.VALUES.get((int) (word >>> POSTER_BITS) & 3);
    }

    /// Returns what is known of the members that have closed the team.
    public TeamClosings closings() {
        return closings;
    }

    /// Whether a member has revoked the team.
    boolean isRevoked() {
        return cause() == Cause.REVOKED;
    }

    private int poster() {
        return (int) AddressSpace.getLongAcquire(mine + Long.BYTES) & ((1 << POSTER_BITS) - 1);
    }

    /// Sets the arguments that members have published, in which the check finds differences, too.
    public void with(PublishedCalls publishedCalls) {
        this.publishedCalls = publishedCalls;
    }

    /// Sets what knows why a member has aborted a collective, or returns an empty string.
    public void toldCause(Supplier<String> cause) {
        toldCause = cause;
    }

    /// Returns what members differ in, for messages, if a member has found a difference; else null.
    @Nullable
    public String difference() {
        PublishedCalls all = publishedCalls;
        return all == null || cause() != Cause.DIFFERENT ? null : all.difference(poster());
    }

    /// Returns the difference that keeps members from this round, or null: they have differed in an earlier round,
    /// and this member has not continued after that one.
    @Nullable
    String differenceAfter() {
        long round = round();
        long now = syncRound.sequence;
        return round == 0 || round >= now || next() <= now ? null : difference();
    }

    private @Nullable RuntimeException endOfRound() {
        String difference = differenceAfter();
        RuntimeException lost = difference == null ? failed(isNeeded) : new CollectiveMismatchException(difference);
        RuntimeException told = lost == null ? check() : lost;
        return told == null && closings.misses(partner, syncRound.sequence)
                ? new CollectiveMismatchException(operation + ": PE " + membership.pe(partner) + " has closed the team")
                : told;
    }

    /// Returns the check that ends a wait for a member in a round.
    FailureCheck ofRounds(OperationKind kind, int member) {
        partner = member;
        operation = kind.label();
        return ofRounds;
    }

    /// Returns the check that ends a wait for a member that may still use my memory: once it has left, not if
    /// another one has failed.
    FailureCheck ofRelease(int member) {
        partner = member;
        return ofRelease;
    }

    /// Returns the check that ends a wait for the cause of a notice, which is here, but may not name its PE
    /// yet.
    FailureCheck ofCause(OperationKind kind) {
        operation = kind.label();
        return this;
    }

    /// Returns whether the team has ended for another cause than a difference of its members.
    boolean endsTeam() {
        Cause cause = cause();
        return cause != null && (cause != Cause.DIFFERENT || failed(member -> true) != null);
    }

    /// Returns whether a notice of a failure has overtaken the job's report of the PE that has failed, as it may on
    /// another host. The report is under way, so a wait goes on until it can name the PE. A PE's state is there
    /// before the epoch counts it, and the poster may have seen the state.
    private boolean isEarly(Cause cause) {
        return cause == Cause.FAILED
                && runtime.failureEpoch() == 0
                && others(runtime::hasTerminated).isEmpty();
    }

    /// Posts a notice of the latest round, unless there is one already, which is forwarded: its poster may fail
    /// before it has notified all. The notice reaches members before any later operation of this one.
    public void post(Cause why) {
        leave();
        Cause known = cause();
        if (known == null || (why == Cause.DIFFERENT && known == Cause.FAILED)) {
            long round = known == null ? syncRound.sequence : round();
            post(Math.max(round, lines.firstSequence()), why, membership.me());
        } else {
            post(round(), known, poster());
        }
    }

    /// Forwards the notice, if there is one; this member participates in no collective any more.
    void forward() {
        leave();
        Cause known = cause();
        if (known != null) {
            post(round(), known, poster());
        }
    }

    /// Returns the number of the first round after a notice of a difference, or 0 if there is none.
    long next() {
        return cause() == Cause.DIFFERENT ? round() + GAP : 0;
    }

    /// Says that this member participates in no collective any more.
    void leave() {
        if (publishedCalls != null) {
            publishedCalls.leave();
        }
    }

    private void post(long round, Cause why, int poster) {
        putToAll(round << ROUND_SHIFT | (long) why.ordinal() << POSTER_BITS | poster, Long.BYTES);
        lines.blockingChannel().fence();
        putToAll(round, 0);
        lines.blockingChannel().fence();
    }

    private void putToAll(long word, long behind) {
        AddressSpace.setLongRelease(mine + behind, word);
        for (int member = 0; member < membership.size(); member++) {
            put(member, word, behind);
        }
    }

    private void put(int member, long word, long behind) {
        try {
            long place = lines.remoteBase(member) + place(member) + behind;
            lines.blockingChannel().putWord(word, Long.BYTES, membership.pe(member), place);
        } catch (PeFailedException e) {
            return; // it needs no notice any more
        }
    }

    private long place(int member) {
        return lines.board(member, member);
    }

    /// Returns the reason of a notice why a collective of the team can never end, or null. A difference alone is
    /// no such reason: members that have found it may have left a collective that others still wait in.
    @Override
    public @Nullable RuntimeException check() {
        Cause cause = cause();
        if (cause == null || isEarly(cause)) {
            return null;
        }
        PeFailedException failed = failed(member -> true);
        return failed != null || cause == Cause.DIFFERENT ? failed : exception(cause);
    }

    /// Returns the exception for an operation on a team that a notice has ended.
    CoterieException exception(String refused) {
        operation = refused;
        PeFailedException failed = failed(member -> true);
        Cause cause = cause();
        return failed != null ? failed : exception(cause == null ? Cause.ABORTED : cause);
    }

    private CoterieException exception(Cause why) {
        int poster = membership.pe(Math.min(poster(), membership.size() - 1));
        String by = membership.messagePrefix(operation) + "PE " + poster;
        String aborted = by + " aborted an earlier collective";
        return switch (why) {
            case REVOKED -> new TeamRevokedException(by + " has revoked the team", poster);
            case FAILED -> {
                List<Integer> over = others(runtime::hasTerminated);
                yield new PeFailedException(aborted + (over.isEmpty() ? "" : "; " + causes(over)), over);
            }
            default -> {
                String cause = toldCause.get();
                yield new CoterieException(aborted + (cause.isEmpty() ? "" : ", since " + cause));
            }
        };
    }

    /// Returns an exception with the members that have failed, if one of them is needed; else null. It names the
    /// operation of this team that began last.
    @Nullable
    public PeFailedException failed(IntPredicate needed) {
        return failed(operation, needed);
    }

    @Nullable
    PeFailedException failed(String operation, IntPredicate needed) {
        long epoch = runtime.failureEpoch();
        if (epoch == examined) {
            return null;
        }
        boolean isNone = true;
        boolean isLost = false;
        for (int member = 0; member < membership.size(); member++) {
            boolean hasFailed = runtime.hasFailed(membership.pe(member));
            isNone &= !hasFailed;
            isLost |= hasFailed && needed.test(member);
        }
        examined = isNone ? epoch : examined;
        if (!isLost) {
            return null;
        }
        List<Integer> failed = others(runtime::hasFailed);
        runtime.noteFailures();
        return new PeFailedException(membership.messagePrefix(operation) + causes(failed), failed);
    }

    private List<Integer> others(IntPredicate isWanted) {
        return IntStream.range(0, membership.size())
                .filter(member -> member != membership.me())
                .map(membership::pe)
                .filter(isWanted)
                .sorted()
                .boxed()
                .toList();
    }

    /// Returns why PEs have ended, for messages.
    String causes(List<Integer> pes) {
        return pes.stream()
                .map(pe -> "PE " + pe + " " + runtime.terminationCause(pe))
                .collect(Collectors.joining("; "));
    }
}

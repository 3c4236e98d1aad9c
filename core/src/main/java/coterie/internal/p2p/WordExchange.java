// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.sync.PolledRounds;
import coterie.internal.sync.SyncRound;
import coterie.internal.wait.OperationKind;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Rounds of a few words of each member, which members poll: for what they agree on before the first run through a
/// port that needs it. All members begin the same rounds.
///
/// Each member has a line at each other one, with a half for even and one for odd rounds: the round's number, and
/// the words. Two halves suffice, as a member begins round k + 2 when all others have begun k + 1, and so have
/// read round k.
public final class WordExchange {
    /// Words of a round.
    public static final int WORDS = SyncRound.WORDS;

    private static final long HALF = JobSegment.LINE / 2;

    private final ChannelGroup channelGroup;
    private final TeamEndpoint endpoint;
    private final MemberAddresses memberAddresses;
    private final OperationKind kind;

    private final IntPredicate hasLines;
    private final IntPredicate isClosed;

    /// Where the lines begin, from the begin of a member's lines of the port on.
    private final long begin;

    /// What I send, as it is in a line.
    private final MemorySegment staged;

    /// Members that my words have not been sent to.
    private final BitSet unsent = new BitSet();

    private long round;

    /// Whether members come to rounds as long as the team lives, so that one that leaves has come before.
    private boolean isForLife;

    /// All members before it have come to the round.
    private int arrived;

    /// @param kind of what the rounds belong to
    /// @param hasLines whether a member whose lines are known has those of the exchange, too
    /// @param isClosed whether a member has closed the team
    /// @param linesBefore lines of each member that come before those of the exchange
    WordExchange(
            ChannelGroup channelGroup,
            OperationKind kind,
            IntPredicate hasLines,
            IntPredicate isClosed,
            int linesBefore) {
        this.channelGroup = channelGroup;
        this.endpoint = channelGroup.endpoint;
        this.memberAddresses = endpoint.memberAddresses;
        this.kind = kind;
        this.hasLines = hasLines;
        this.isClosed = isClosed;
        this.begin = linesBefore * JobSegment.LINE;
        this.staged = endpoint.memory.allocate(2 * HALF, Long.BYTES);
    }

    /// Returns how many lines each member needs for it.
    static int lines(int size) {
        return size;
    }

    /// Makes an agreement of several rounds of this exchange.
    public PolledRounds polled() {
        return new PolledRounds(this::begin, this::isComplete, this::received, memberAddresses.size(), this::moved);
    }

    /// Begins a round, after the one before it is complete.
    ///
    /// @param words at most [#WORDS]; the others are 0
    public void begin(long... words) {
        round++;
        arrived = 0;
        staged.set(JAVA_LONG, half(round), round);
        for (int word = 0; word < WORDS; word++) {
            staged.set(JAVA_LONG, half(round) + behind(word), word < words.length ? words[word] : 0);
        }
        unsent.set(0, memberAddresses.size());
        unsent.clear(memberAddresses.me());
    }

    /// Notes that a round is complete, for a diagnosis.
    void moved() {
        endpoint.room.moved();
    }

    /// Returns whether all members have come to the round; sends what can be sent. Never waits.
    ///
    /// @throws RuntimeException if a member won't come
    public boolean isComplete() {
        if (advance()) {
            return true;
        }
        checkMissing();
        return false;
    }

    /// Does the same as [#isComplete], in a run that looks by itself for members that won't come.
    public boolean advance() {
        endpoint.polled();
        for (int member = unsent.nextSetBit(0); member >= 0; member = unsent.nextSetBit(member + 1)) {
            if (trySend(member)) {
                unsent.clear(member);
            }
        }
        while (arrived < memberAddresses.size() && (arrived == memberAddresses.me() || hasCome(arrived, round))) {
            arrived++;
        }
        return arrived == memberAddresses.size() && unsent.isEmpty();
    }

    /// From now on rounds are those of a team that all members have opened: a member that has come to the team's
    /// end has no round to come to.
    public void serve() {
        isForLife = true;
    }

    /// Returns whether another member has begun the next round after that which is complete.
    public boolean isBegunElsewhere() {
        for (int member = 0; member < memberAddresses.size(); member++) {
            if (member != memberAddresses.me() && hasCome(member, round + 1)) {
                return true;
            }
        }
        return false;
    }

    /// Returns a member's word of the round that is complete.
    public long received(int member, int word) {
        return member == memberAddresses.me()
                ? staged.get(JAVA_LONG, half(round) + behind(word))
                : AddressSpace.getLongOpaque(incoming(member, round) + behind(word));
    }

    /// Returns the PE that has not come, or −1.
    public int awaitedPe() {
        int first = arrived;
        return first < memberAddresses.size() ? memberAddresses.pe(first) : -1;
    }

    private static long half(long round) {
        return (round & 1) * HALF;
    }

    /// Where a word is behind the round's number.
    private static long behind(int word) {
        return (1L + word) * Long.BYTES;
    }

    private long incoming(int member, long of) {
        return endpoint.sync + place(memberAddresses.me(), member, of);
    }

    private long place(int owner, int writer, long of) {
        return memberAddresses.offset(owner) + begin + writer * JobSegment.LINE + half(of);
    }

    private boolean hasCome(int member, long to) {
        long signal = incoming(member, to);
        boolean hasCome = AddressSpace.getLongAcquire(signal) == to;
        if (hasCome) {
            endpoint.observed(signal);
        }
        return hasCome;
    }

    private boolean trySend(int member) {
        int pe = memberAddresses.pe(member);
        if (memberAddresses.offset(member) < 0 || !hasLines.test(member) || !endpoint.accepts(pe)) {
            return false;
        }
        endpoint.write(pe, place(member, memberAddresses.me(), round), staged, half(round), HALF);
        return true;
    }

    /// Throws if a member that has not come won't come any more.
    private void checkMissing() {
        long tag = RunTag.of(round, kind);
        AbortReason reason = ending(channelGroup.abortReason());
        for (int member = 0; member < memberAddresses.size() && reason == null; member++) {
            if (member != memberAddresses.me()) {
                boolean hasLeft = isClosed.test(member);
                AbortReason its = channelGroup.peerAbort(member, tag);
                if (hasCome(member, round)) {
                    its = its == null || its.reason() == AbortReason.Kind.LEFT ? null : its;
                } else if (hasLeft) {
                    its = whyLeft(member, tag);
                }
                reason = ending(its);
                checkAlive(member);
            }
        }
        RuntimeException why = reason == null
                ? channelGroup.cause.check()
                : reason.exception(kind.label(), RunArguments.Difference.UNNAMED, memberAddresses, endpoint.runtime);
        if (why != null) {
            throw why;
        }
    }

    /// Returns why a member gave up the exchange that has closed the team, or that it has closed it; null as
    /// long as that is not known.
    private @Nullable AbortReason whyLeft(int member, long tag) {
        AbortReason its = channelGroup.whyLeft(member, tag);
        return its == null || ending(its) != null ? its : AbortReason.left(memberAddresses, tag, member);
    }

    /// Returns a reason if it ends the exchange, otherwise null: a member that had a run end badly has had all
    /// words of all members before, so these come to me, too.
    private @Nullable AbortReason ending(@Nullable AbortReason reason) {
        boolean isEnding = reason != null
                && switch (reason.reason()) {
                    case CLOSED, REVOKED, NO_MEMORY -> true;
                    case LEFT -> !isForLife;
                    case FAILED, LATE, MISMATCH, LENGTHS, OTHER, UNPREPARED -> RunTag.kind(reason.tag()) == kind;
                };
        return isEnding ? reason : null;
    }

    private void checkAlive(int member) {
        int pe = memberAddresses.pe(member);
        if (endpoint.runtime.hasFailures() && endpoint.runtime.hasTerminated(pe) && !hasCome(member, round)) {
            throw new PeFailedException(
                    memberAddresses.messagePrefix(kind.label()) + "PE " + pe + " "
                            + endpoint.runtime.terminationCause(pe),
                    List.of(pe));
        }
    }

    /// Has the other members end with the cause, as this one does.
    public void abort(RuntimeException why) {
        channelGroup.abort(AbortReason.of(why, memberAddresses.myPe(), RunTag.of(round, kind)), why);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.PeFailedException;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.OperationKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Which members have closed the team. A member that closes it tells each other one, once and as its last write to that
/// one's lines, and waits for none of them:
///
/// ```
///  bit 63  62     41           20       0
///      │ 1 │ runs │ agreements │ rounds │    at the end of the writer's slot on the member's board; 0 before
/// ```
///
/// So a member that has the words of all others may use its lines for something else; and it knows that a wait for a
/// member in a later run of a request, agreement of the living or round can never end. The word has as many bits of
/// their numbers as fit: members are never so far from each other that these would repeat.
public final class TeamClosings {
    /// Where the word is in a slot: behind what [LivingAgreement] and [AddressExchange] have there.
    private static final long WORD = 56;

    private static final int BITS = 21;
    private static final long COUNT = (1L << BITS) - 1;
    private static final int ROUNDS = 0;
    private static final int AGREEMENTS = BITS;
    private static final int RUNS = 2 * BITS;

    private final TeamLines lines;
    private final Membership membership;

    /// The members before it have closed the team.
    private int firstOpen;

    TeamClosings(TeamLines lines) {
        this.lines = lines;
        this.membership = lines.membership();
    }

    /// Tells all members that this one closes the team, and writes nothing to their lines any more.
    ///
    /// @param runs of requests that it has posted
    /// @param agreements of the living in which it has taken part
    /// @param rounds in which it has
    void post(long runs, long agreements, long rounds) {
        long word = Long.MIN_VALUE
                | (runs & COUNT) << RUNS
                | (agreements & COUNT) << AGREEMENTS
                | (rounds & COUNT) << ROUNDS;
        lines.blockingChannel().fence();
        for (int step = 1; step < membership.size(); step++) {
            int member = membership.after(step);
            long place = lines.board(member, membership.me()) + WORD;
            long direct = lines.directBase(member);
            if (direct != 0) {
                AddressSpace.setLongRelease(direct + place, word);
            } else {
                put(member, word, place);
            }
        }
        lines.blockingChannel().fence(); // what comes later may be for other lines at the same places
    }

    private void put(int member, long word, long place) {
        try {
            lines.blockingChannel().putWord(word, Long.BYTES, membership.pe(member), lines.remoteBase(member) + place);
        } catch (PeFailedException e) {
            return; // it needs no word any more
        }
    }

    private long word(int member) {
        long place = lines.board(membership.me(), member) + WORD;
        long word = member == membership.me() ? 0 : AddressSpace.getLongAcquire(lines.localBase() + place);
        if (word != 0) {
            lines.observed(place);
        }
        return word;
    }

    /// Returns whether a member has closed the team.
    public boolean isClosed(int member) {
        return word(member) != 0;
    }

    /// Returns whether a member has closed the team without having come to a round.
    public boolean misses(int member, long round) {
        return isBefore(word(member), ROUNDS, round);
    }

    /// Returns whether a member has closed the team without having come to an agreement of the living.
    boolean missesAgreement(int member, long agreement) {
        return isBefore(word(member), AGREEMENTS, agreement);
    }

    /// Returns whether a member has closed the team without having posted a run of a request.
    ///
    /// @param run its number; the first one is 1
    public boolean missesRun(int member, long run) {
        return isBefore(word(member), RUNS, run);
    }

    private static boolean isBefore(long word, int shift, long number) {
        long ahead = number - (word >>> shift) & COUNT;
        return word != 0 && ahead != 0 && ahead <= COUNT / 2;
    }

    /// Returns a member other than this one that has not closed the team, or −1. For one thread at a time.
    public int firstOpen() {
        while (firstOpen < membership.size() && (firstOpen == membership.me() || isClosed(firstOpen))) {
            firstOpen++;
        }
        return firstOpen < membership.size() ? firstOpen : -1;
    }

    /// Returns which members keep a round from its end, for messages, or null if none does.
    ///
    /// @param kind that this member is in
    @Nullable
    String difference(OperationKind kind, long round) {
        List<Integer> missing = IntStream.range(0, membership.size())
                .filter(member -> misses(member, round))
                .mapToObj(membership::pe)
                .sorted()
                .toList();
        return missing.isEmpty() ? null : text(kind, missing);
    }

    /// Returns what this member and one that has closed the team do, for messages.
    public String text(OperationKind kind, int member) {
        return text(kind, List.of(membership.pe(member)));
    }

    private String text(OperationKind kind, List<Integer> closed) {
        Map<OperationKind, List<Integer>> calls = new LinkedHashMap<>();
        calls.put(OperationKind.DESTROY, closed);
        calls.put(kind, List.of(membership.myPe()));
        return PeRanges.calls(calls);
    }
}

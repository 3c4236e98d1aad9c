// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.internal.wait.OperationKind;
import java.util.List;

/// A round after which all members of a team have one verdict: each proposes what follows from what it has heard,
/// and one proposal is taken for all, also when PEs fail on the way and some have heard less than others.
///
/// Where members tell each other everything, they part before they propose: a member that then proposes a verdict knows
/// that all others have all words, so that none needs what a dead one can't tell it any more. In a tree a round counts
/// for all or for none.
///
/// @param teamSync the rounds of the team
public record Agreement(TeamSync teamSync) {
    /// The code of a verdict that no member proposes by itself.
    private static final int FAILED = 0xFF;

    /// What a member concludes from a round.
    @FunctionalInterface
    public interface Ballot {
        /// A verdict for [Agreement#verdict], as all members come to that have heard the same.
        long conclude(SyncRound round);
    }

    /// A verdict in one word.
    ///
    /// @param code in `[0, 255)`
    /// @param member whom it is about
    public static long verdict(int code, int member) {
        return code | (long) member << 8;
    }

    /// The code of a verdict.
    public static int code(long verdict) {
        return (int) (verdict & 0xFF);
    }

    /// Whom a verdict is about.
    public static int member(long verdict) {
        return (int) (verdict >> 8);
    }

    /// Meets, and returns the verdict. The caller is inside the [CallGate].
    ///
    /// @param said words that travel
    /// @throws PeFailedException on all members alike, if one has failed in the round
    public long reach(OperationKind kind, int said, Ballot ballot) {
        SyncRound round = teamSync.syncRound();
        CoterieException absence = null;
        long proposal;
        try {
            teamSync.round(kind, said);
            if (round.isAllToAll()) {
                teamSync.awaitRelease(kind, SyncRound.EVERYBODY);
            }
            proposal = ballot.conclude(round);
        } catch (CollectiveMismatchException e) {
            throw e;
        } catch (CoterieException e) {
            absence = e;
            proposal = verdict(FAILED, firstFailed(e));
        }
        long verdict = round.decide(proposal);
        if (code(verdict) != FAILED) {
            return verdict;
        }
        if (absence != null) {
            throw absence;
        }
        throw teamSync.aborted(kind, teamSync.membership().pe(member(verdict)));
    }

    /// The member that has failed, or 0 where it is none of this team, or not known.
    private int firstFailed(CoterieException absence) {
        TeamMap map = teamSync.membership().map();
        return (absence instanceof PeFailedException failure ? failure.failedPes() : List.<Integer>of())
                .stream()
                        .mapToInt(map::member)
                        .filter(member -> member >= 0)
                        .findFirst()
                        .orElse(0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.PeFailedException;
import coterie.internal.wait.OperationKind;

/// A round after which all members of a team have one verdict: what follows from the words of all, or the failure of
/// the round, also when PEs fail on the way and some have heard less than others.
///
/// Where members tell each other everything, they part: see [FlatAgreement]. In a tree a round counts for all or for
/// none.
///
/// @param teamSync the rounds of the team
public record Agreement(TeamSync teamSync) {
    /// The verdict, and its code, that a round has failed; no ballot has it.
    static final int FAILED = 0xFF;

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
        teamSync.syncRound().beginAgreement(kind);
        teamSync.round(kind, said);
        return teamSync.part(kind, ballot);
    }
}

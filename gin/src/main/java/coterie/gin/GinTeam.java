// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// Ranks of a communicator, as one of them sees them: the number `peer` of an operation counts in a team.
///
/// A view is good on the rank that has made it, its *owner*; elsewhere operations refuse it. [DeviceCommunicator]
/// has the teams, and translates their numbers.
/// @counterpart `ncclTeam`
public sealed interface GinTeam permits AffineTeam, ListedTeam {
    /// Returns the number of ranks.
    /// @counterpart `ncclTeam::nRanks`
    int size();

    /// Returns the owner's number in the team.
    /// @counterpart `ncclTeam::rank`
    int rank();

    /// Returns the rank that the view belongs to, as the communicator counts.
    int owner();

    /// Returns the communicator's rank of a member.
    ///
    /// @param member in `[0, size())`, unchecked
    int toCommunicator(int member);

    /// Returns the number of a rank of the communicator in this team, or −1.
    int fromCommunicator(int commRank);
}

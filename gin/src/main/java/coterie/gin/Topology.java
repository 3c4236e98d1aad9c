// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.CoterieException;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import java.util.Optional;

/// What the members of a team tell each other before they have a communicator: their requirements, and with
/// which of them each shares memory.
final class Topology {
    private static final int ROW = RequirementFields.COUNT + 1;

    private Topology() {}

    /// Checks the requirements of all members, and returns the size of the LSA teams: the same on all.
    ///
    /// @throws CoterieException the same on all
    static int agree(String where, World world, Team team, CommunicatorRequirements requirements) {
        int size = team.size();
        long[] mine = RequirementFields.encode(requirements);
        long[][] members = new long[size][RequirementFields.COUNT];
        int[] leaders = new int[size];
        try (SymmetricMemory memory = team.allocate((size + 1L) * ROW * Long.BYTES)) {
            LongView words = memory.longs();
            for (int field = 0; field < mine.length; field++) {
                words.set((long) size * ROW + field, mine[field]);
            }
            words.set((long) size * ROW + RequirementFields.COUNT, leader(world, team));
            team.allGather(words, 0, words, (long) size * ROW, ROW);
            for (int rank = 0; rank < size; rank++) {
                for (int field = 0; field < RequirementFields.COUNT; field++) {
                    members[rank][field] = words.get((long) rank * ROW + field);
                }
                leaders[rank] = (int) words.get((long) rank * ROW + RequirementFields.COUNT);
            }
        }
        Optional<CoterieException> refusal = RequirementFields.refusal(where, members, requirements)
                .or(() -> RequirementFields.conflict(where, requirements));
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        return lsaSize(leaders);
    }

    /// Returns the lowest member that shares memory with the caller.
    private static int leader(World world, Team team) {
        Team shared = world.sharedTeam();
        int leader = team.member();
        for (int member = 0; member < shared.size(); member++) {
            int here = shared.translate(member, team);
            leader = here >= 0 ? Math.min(leader, here) : leader;
        }
        return leader;
    }

    /// Returns the largest number of neighbours into groups of which the ranks can be divided, so that those of
    /// each group share memory.
    ///
    /// @param leaders the lowest rank that shares memory with each
    static int lsaSize(int[] leaders) {
        for (int count = leaders.length; count > 1; count--) {
            if (leaders.length % count == 0 && isShared(leaders, count)) {
                return count;
            }
        }
        return 1;
    }

    private static boolean isShared(int[] leaders, int count) {
        for (int rank = 0; rank < leaders.length; rank++) {
            if (leaders[rank] != leaders[rank - rank % count]) {
                return false;
            }
        }
        return true;
    }
}

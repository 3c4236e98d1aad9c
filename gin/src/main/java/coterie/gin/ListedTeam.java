// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import java.util.Arrays;

/// A team of any ranks: a team of Coterie, whose members all belong to the communicator.
/// [DeviceCommunicator#team(Team)] makes it. NCCL has no such teams.
public final class ListedTeam implements GinTeam {
    private final String name;
    private final int[] ranks;
    private final int rank;
    private final int owner;

    ListedTeam(String name, int[] ranks, int rank, int owner) {
        this.name = name;
        this.ranks = ranks;
        this.rank = rank;
        this.owner = owner;
    }

    @Override
    public int size() {
        return ranks.length;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int owner() {
        return owner;
    }

    @Override
    public int toCommunicator(int member) {
        return ranks[member];
    }

    @Override
    public int fromCommunicator(int commRank) {
        for (int member = 0; member < ranks.length; member++) {
            if (ranks[member] == commRank) {
                return member;
            }
        }
        return -1;
    }

    @Override
    public String toString() {
        return "team \"" + name + "\" of ranks " + Arrays.toString(ranks);
    }
}

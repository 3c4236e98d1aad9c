// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.Team;

/// The numbers of a communicator's ranks in teams; [DeviceCommunicator] has the rules.
final class RankNumbers {
    private RankNumbers() {}

    static ListedTeam team(DeviceCommunicator comm, Team members) {
        comm.checks().checkNotNull("team", "members", members);
        int[] ranks = new int[Math.max(members.size(), 0)];
        for (int member = 0; member < ranks.length; member++) {
            ranks[member] = members.translate(member, comm.coterieTeam());
            if (ranks[member] < 0) {
                throw new IllegalArgumentException("team on " + comm + ": member " + member + " of team \""
                        + members.name() + "\" is PE " + members.pe(member) + ", which is no rank of the communicator");
            }
        }
        if (members.member() < 0) {
            throw new IllegalArgumentException(
                    "team on " + comm + ": the caller is no member of team \"" + members.name() + "\"");
        }
        return new ListedTeam(members.name(), ranks, members.member(), comm.rank());
    }

    static int toTeam(DeviceCommunicator comm, String operation, GinTeam target, GinTeam members, int member) {
        int rank = comm.checks().toRank(operation, "members", members, member);
        comm.checks().checkOwner(operation, "target", target);
        int there = target.fromCommunicator(rank);
        if (there < 0) {
            throw new IllegalArgumentException(operation + " on " + comm + ": member " + member + " of " + members
                    + " is rank " + rank + ", which is not in " + target);
        }
        return there;
    }

    static int inDifference(DeviceCommunicator comm, GinTeam parent, GinTeam subset, int index) {
        comm.checks().checkOwner("rankInDifference", "parent", parent);
        comm.checks().checkOwner("rankInDifference", "subset", subset);
        int others = 0;
        for (int member = 0; member < parent.size(); member++) {
            if (subset.fromCommunicator(parent.toCommunicator(member)) < 0 && others++ == index) {
                return member;
            }
        }
        throw new IndexOutOfBoundsException("rankInDifference on " + comm + ": index " + index + " of the members of "
                + parent + " that are not in " + subset + "; allowed are [0, " + others + ")");
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.PeFailedException;
import coterie.internal.wait.WaitKind;
import java.util.List;

/// The last two rounds of a team, among those who live: in the first any member may object, in the second all see
/// that nobody will write to their lines any more. A single round would not do: who is slow to vote on the verdict
/// writes to member 0's lines after it.
public final class Parting {
    private static final int OBJECTS = 0;

    private final Gathering gathering;

    public Parting(Gathering gathering) {
        this.gathering = gathering;
    }

    /// Parts, unless a member objects.
    ///
    /// @param objects whether I do
    /// @return the member that objects, the same on all, or −1 if the team is no more
    public int part(boolean objects) {
        gathering.beginToEnd(WaitKind.DESTROY);
        try {
            Meeting meeting = gathering.meeting();
            meeting.say(OBJECTS, objects ? 1 : 0);
            int objector = (int) meeting.decide(firstObjector(absentAfterVotes()) + 1) - 1;
            if (objector < 0) {
                meetLast();
            }
            return objector;
        } finally {
            gathering.leave();
        }
    }

    /// Meets. Whoever has failed is none the worse for it: the team ends without them.
    private List<Integer> absentAfterVotes() {
        try {
            gathering.meetLiving(WaitKind.DESTROY, 1);
            return List.of();
        } catch (PeFailedException e) {
            return e.failedPes();
        }
    }

    private void meetLast() {
        try {
            gathering.meetLast(WaitKind.DESTROY);
        } catch (PeFailedException e) {
            return; // the team ends without them
        }
    }

    private int firstObjector(List<Integer> absent) {
        Roster roster = gathering.roster();
        for (int member = 0; member < roster.size(); member++) {
            if (gathering.meeting().heard(member, OBJECTS) != 0 && !absent.contains(roster.pe(member))) {
                return member;
            }
        }
        return -1;
    }
}

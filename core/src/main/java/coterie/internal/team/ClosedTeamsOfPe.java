// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.internal.heap.ClosedTeams;
import coterie.internal.memory.StatusLabel;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncLines;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The teams that this PE has closed, until all their members have: so long others may write to their lines, and to
/// their blocks of memory.
///
/// Thread-safe.
final class ClosedTeamsOfPe implements ClosedTeams {
    private final SyncArea area;
    private final WaitingRoom room;
    private final List<PeTeam> teams = new ArrayList<>();

    ClosedTeamsOfPe(SyncArea area, WaitingRoom room) {
        this.area = area;
        this.room = room;
    }

    synchronized void add(PeTeam team) {
        teams.add(team);
        release();
    }

    @Override
    public synchronized void release() {
        if (!teams.isEmpty()) {
            teams.removeIf(this::isReleased);
        }
    }

    private boolean isReleased(PeTeam team) {
        if (team.teamSync().closings().firstOpen() >= 0) {
            return false;
        }
        team.heap().release();
        team.calls().release();
        area.release(team.lines(), SyncLines.count(team.teamSync().membership().size()));
        return true;
    }

    /// Waits until all members have closed a team that this one has closed, or some never will, as they have failed.
    void await(PeTeam team) {
        room.awaitWork(new OthersCloses(team), WaitingRoom.FOREVER);
        release();
    }

    @Override
    public synchronized String text() {
        release();
        return teams.stream()
                .map(team -> {
                    Membership membership = team.teamSync().membership();
                    return "memory of team \"" + membership.name() + "\", which PE "
                            + membership.pe(
                                    Math.max(0, team.teamSync().closings().firstOpen())) + " has not closed";
                })
                .collect(Collectors.joining("; "));
    }

    /// That the others have closed the team.
    private final class OthersCloses implements Awaitable {
        private final PeTeam team;
        private final Membership membership;

        OthersCloses(PeTeam team) {
            this.team = team;
            this.membership = team.teamSync().membership();
        }

        @Override
        public boolean poll() {
            release();
            return awaitedPe() < 0
                    || team.teamSync().hasMissed()
                    || team.teamSync().hasLostMember();
        }

        @Override
        public OperationKind kind() {
            return OperationKind.DESTROY;
        }

        @Override
        public StatusLabel team() {
            return membership.label();
        }

        @Override
        public int awaitedPe() {
            synchronized (ClosedTeamsOfPe.this) {
                int member = team.teamSync().closings().firstOpen();
                return member < 0 ? -1 : membership.pe(member);
            }
        }
    }
}

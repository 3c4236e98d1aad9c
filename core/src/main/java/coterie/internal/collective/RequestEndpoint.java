// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.p2p.MemberAddresses;
import coterie.internal.p2p.TeamEndpoint;
import coterie.internal.wait.FailureCheck;
import coterie.internal.wait.OperationKind;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The port of a team for what goes on by itself, opened when it is first needed: all members say then where their
/// lines are.
///
/// Runs are numbered in the order in which a member posts them, which is the same on all members.
public final class RequestEndpoint {
    /// Runs of a team that may be under way at once; more wait for their turn.
    private static final int LANES = 4;

    private static final int PLACE = 0;
    private static final long NONE = -1;

    private final TeamSync teamSync;
    private final Membership membership;
    private final CollectiveResources resources;
    private final AtomicLong posts = new AtomicLong();
    private volatile @Nullable TeamEndpoint endpoint;
    private long lines = NONE;

    /// Whether members have failed before all was complete, so that nobody knows what is still under way.
    private boolean isBroken;

    public RequestEndpoint(TeamSync teamSync, CollectiveResources resources) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.resources = resources;
    }

    /// The port, or null as long as it is not open.
    public @Nullable TeamEndpoint opened() {
        return endpoint;
    }

    /// The port; the first time, all members meet for it, in a round of their own.
    public TeamEndpoint open(OperationKind kind) {
        TeamEndpoint open = endpoint;
        if (open != null) {
            return open;
        }
        teamSync.begin(kind);
        try {
            return openAmongAll(kind);
        } finally {
            teamSync.leave();
        }
    }

    /// The members agree that everybody has memory.
    private TeamEndpoint openAmongAll(OperationKind kind) {
        TeamEndpoint open = endpoint;
        if (open != null) {
            return open;
        }
        long taken = resources.lines().acquire(lineBytes());
        try {
            long[] offsets = new long[membership.size()];
            teamSync.syncRound().send(PLACE, taken);
            Agreement agreement = new Agreement(teamSync);
            long verdict = agreement.reach(kind, 1, round -> {
                for (int member = 0; member < offsets.length; member++) {
                    offsets[member] = round.received(member, PLACE);
                }
                return Agreement.verdict(0, agreement.firstWith(PLACE, NONE) + 1);
            });
            int lacking = Agreement.member(verdict) - 1;
            if (lacking >= 0) {
                throw new CoterieException(membership.messagePrefix(kind.label()) + "PE " + membership.pe(lacking)
                        + " has fewer than " + lineBytes()
                        + " bytes left for the requests of this team; enlarge the setting team.sync.kib");
            }
            MemberAddresses memberAddresses = new MemberAddresses(
                    membership.label(), membership.size(), membership.me(), membership::pe, member -> offsets[member]);
            TeamEndpoint made =
                    new TeamEndpoint(memberAddresses, LANES, resources.conduit(), resources.room(), FailureCheck.NONE);
            lines = taken;
            endpoint = made;
            resources.engine().watch(made);
            return made;
        } finally {
            if (endpoint == null && taken != NONE) {
                resources.lines().release(taken, lineBytes());
            }
        }
    }

    private long lineBytes() {
        return TeamEndpoint.lines(membership.size(), LANES) * JobSegment.LINE;
    }

    /// The numbers of the next post: the first of them.
    ///
    /// @param many how many it takes
    public long next(int many) {
        return posts.getAndAdd(many);
    }

    /// What every use ends with from now on, or null as long as nothing is wrong; a new exception each time.
    ///
    /// @param operation that is refused, for its message
    public @Nullable RuntimeException failure(String operation) {
        TeamEndpoint open = endpoint;
        return open == null ? null : open.failure(operation);
    }

    /// Ends what is under way, on all members.
    public void abort() {
        Objects.requireNonNull(endpoint, "port").abort();
    }

    /// Ends what is under way, on all members, since this one revokes the team.
    public void revoke() {
        TeamEndpoint open = endpoint;
        if (open != null) {
            open.revoke();
        }
    }

    /// Completes what has been sent.
    public void drain() {
        TeamEndpoint open = endpoint;
        if (open != null) {
            drain(open, false);
        }
    }

    /// The same, and tells members that wait for me in a run that I have not posted, before the team meets for the
    /// last time.
    public void leave() {
        TeamEndpoint open = endpoint;
        if (open != null) {
            drain(open, true);
        }
    }

    private void drain(TeamEndpoint open, boolean leaves) {
        try {
            if (leaves) {
                open.leave(posts.get());
            }
            open.drain();
        } catch (PeFailedException e) {
            isBroken = true;
        }
    }

    /// Whether members may find what others wait for, and tell them.
    public boolean isOpen() {
        return endpoint != null;
    }

    /// All members have come to the end of the team, so that nobody waits for a request any more: from now on I
    /// write to nobody's lines.
    public void stopPolling() {
        TeamEndpoint open = endpoint;
        if (open != null) {
            open.stopPolling();
            drain(open, false);
        }
    }

    /// I come to the end of the team with a run under way, and so will refuse it.
    public void objects() {
        TeamEndpoint open = endpoint;
        if (open != null) {
            open.objects();
        }
    }

    /// The team lives on.
    ///
    /// @param isVerdict whether all members have refused its end; else it has come to nothing on this one
    public void resume(boolean isVerdict) {
        TeamEndpoint open = endpoint;
        if (open != null) {
            open.resume(isVerdict);
            drain(open, false);
        }
    }

    /// Gives back what I have; all members have come so far, or nobody will need it again.
    ///
    /// @param isQuiet whether nobody writes to my memory any more
    /// @return whether nobody does, for all that is known here
    public boolean close(boolean isQuiet) {
        TeamEndpoint open = endpoint;
        endpoint = null;
        if (open == null) {
            return isQuiet;
        }
        resources.engine().forget(open);
        try {
            open.close();
        } catch (PeFailedException e) {
            isBroken = true;
        }
        boolean isOver = isQuiet && !isBroken;
        if (isOver) {
            resources.lines().release(lines, lineBytes());
        }
        return isOver;
    }
}

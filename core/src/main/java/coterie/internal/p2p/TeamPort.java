// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.TeamRevokedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.schedule.IdleProbe;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.sync.AddressExchange;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Conduit;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// The port of a team: its memory in the members' sync areas, in which plans exchange messages and members agree
/// without a round. Each member opens it when it first needs it, without the others: see [AddressExchange].
///
/// ```
///  a member's lines     channels of requests │ channel of calls │ a WordExchange for splits │ one for layers
/// ```
///
/// Calls and requests have one endpoint, and a group of virtual channels each: a request that fails ends the team's
/// requests and not its calls. Runs of requests are numbered in the order in which a member posts them, which is the
/// same on all members; those of calls by the round in which members have met for them.
public final class TeamPort implements IdleProbe {
    /// Requests of a team that may be under way at once; more wait for their turn.
    private static final int REQUEST_CHANNELS = 4;

    /// One call of a team is under way at a time.
    private static final int CALL_CHANNELS = 1;

    private static final long NONE = -1;

    private final TeamSync teamSync;
    private final Membership membership;
    private final ScratchMemory memory;
    private final ProgressEngine engine;
    private final Conduit conduit;
    private final PeRuntime runtime;
    private final AddressExchange addressExchange;

    /// Whether my lines have those for [#layerExchange]; set before the port is open.
    private boolean hasLayers;

    private final AtomicLong posts = new AtomicLong();
    private volatile @Nullable ChannelGroup requests;

    /// There as soon as [#requests] is.
    private @Nullable ChannelGroup calls;
    private long lines = NONE;
    private RunArguments.Difference difference = RunArguments.Difference.UNNAMED;

    /// Why there will be no port on this member, as the others know it, or [MemberAddresses#UNKNOWN].
    private volatile long refusal = MemberAddresses.UNKNOWN;

    /// At the end of the world without a port: the members that have been told so, which had said where their lines
    /// are; else null.
    private @Nullable BitSet told;

    /// Whether members have failed before all was complete, so that no member knows what is still under way.
    private boolean isBroken;

    /// @param memory where the lines are: in this PE's sync area
    /// @param engine polls the port whenever a thread of the PE waits
    public TeamPort(
            TeamSync teamSync, ScratchMemory memory, ProgressEngine engine, Conduit conduit, PeRuntime runtime) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.memory = memory;
        this.engine = engine;
        this.conduit = conduit;
        this.runtime = runtime;
        this.addressExchange = teamSync.addressExchange();
    }

    /// Has the port's memory have lines for [#layerExchange]; before the first use.
    public void withLayers() {
        hasLayers = true;
        addressExchange.withLayers();
    }

    /// Sets what names the arguments of requests; before the first use.
    public void difference(RunArguments.Difference named) {
        difference = named;
    }

    /// Makes the rounds in which members open the layers that plug in; the port's memory has lines for one of
    /// them.
    public WordExchange layerExchange() {
        return new WordExchange(
                open(OperationKind.LAYERS),
                OperationKind.LAYERS,
                addressExchange::hasLayers,
                teamSync.closings()::isClosed,
                endpointLines() + WordExchange.lines(membership.size()));
    }

    /// Makes the rounds in which members tell each other what they want of a split that they have posted.
    public WordExchange splitExchange(OperationKind kind) {
        return new WordExchange(open(kind), kind, _ -> true, teamSync.closings()::isClosed, endpointLines());
    }

    /// Returns a member that has a port, and no layers to open, or −1.
    public int firstWithoutLayers() {
        for (int member = 0; member < membership.size(); member++) {
            if (member != membership.me() && addressExchange.state(member) >= 0 && !addressExchange.hasLayers(member)) {
                return member;
            }
        }
        return -1;
    }

    /// Returns whether a member has not said anything of a port yet.
    public boolean isUnknown(int member) {
        return member != membership.me() && addressExchange.state(member) == MemberAddresses.UNKNOWN;
    }

    /// Opens the port the first time, without waiting; returns the channels of requests.
    ///
    /// @throws CoterieException if this member has no memory for it; the others get that from their requests
    public ChannelGroup open(OperationKind kind) {
        ChannelGroup open = requests;
        if (open == null) {
            open = make();
            if (open == null) {
                refuse(MemberAddresses.NO_MEMORY);
                throw refused(kind.label());
            }
            open.poll(); // a member may have revoked the team, or have no memory
        }
        return open;
    }

    /// Does the same for a call, which can go another way: returns whether this member has the port.
    public boolean tryOpen() {
        return requests != null || make() != null;
    }

    /// Returns the channel of calls: behind a round in which all members have agreed that they have the port.
    public ChannelGroup calls() {
        return Objects.requireNonNull(calls, "port");
    }

    /// Which PE has failed in a call, and why; see [ChannelGroup#toldCause].
    public String toldCause() {
        return requests == null ? "" : calls().toldCause();
    }

    /// Opens the port; returns null if this member has no memory for it, or has told the others why not.
    private synchronized @Nullable ChannelGroup make() {
        ChannelGroup open = requests;
        if (open != null) {
            return open;
        }
        long taken = refusal == MemberAddresses.UNKNOWN ? memory.acquire(lineBytes()) : NONE;
        if (taken == NONE) {
            return null;
        }
        TeamEndpoint made = new TeamEndpoint(addresses(taken), conduit, runtime);
        ChannelGroup ofRequests =
                made.group(REQUEST_CHANNELS, teamSync::revocation, teamSync.closings()::missesRun, difference);
        stopAnswering();
        lines = taken;
        calls = made.group(
                CALL_CHANNELS,
                teamSync.syncRound().notice(),
                teamSync.closings()::misses,
                RunArguments.Difference.UNNAMED);
        requests = ofRequests;
        addressExchange.publish(taken);
        engine.watch(this);
        return ofRequests;
    }

    /// @param mine where my lines of the port begin
    private MemberAddresses addresses(long mine) {
        return new MemberAddresses(
                membership.label(),
                membership.size(),
                membership.me(),
                membership::pe,
                member -> member == membership.me() ? mine : addressExchange.state(member));
    }

    /// Says to all members that there will be no port here.
    private void refuse(long why) {
        if (refusal == MemberAddresses.UNKNOWN) {
            refusal = why;
            addressExchange.publish(why);
            engine.watch(this);
        }
    }

    private CoterieException refused(String operation) {
        String prefix = membership.messagePrefix(operation) + "PE " + membership.myPe();
        return refusal == MemberAddresses.REVOKED
                ? new TeamRevokedException(prefix + " has revoked the team", membership.myPe())
                : new CoterieException(prefix + " has fewer than " + lineBytes()
                        + " bytes left for the requests of this team; enlarge the setting team.sync.kib");
    }

    /// Looks at members for a thread that waits for something else, see [ChannelGroup#poll]; tells those that have
    /// come for requests, if I come to the end of the world without any.
    @Override
    public void poll() {
        addressExchange.flush();
        ChannelGroup open = requests;
        if (open != null) {
            open.poll();
        } else {
            answer();
        }
    }

    private synchronized void answer() {
        BitSet answered = told;
        for (int member = 0; answered != null && member < membership.size(); member++) {
            if (!answered.get(member)
                    && addressExchange.state(member) >= 0
                    && addressExchange.publish(MemberAddresses.LEFT, member)) {
                answered.set(member);
            }
        }
    }

    private long lineBytes() {
        return (endpointLines() + (hasLayers ? 2L : 1L) * WordExchange.lines(membership.size())) * JobSegment.LINE;
    }

    private int endpointLines() {
        return ChannelGroup.lines(membership.size(), REQUEST_CHANNELS)
                + ChannelGroup.lines(membership.size(), CALL_CHANNELS);
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
        ChannelGroup open = requests;
        if (open == null) {
            return refusal == MemberAddresses.UNKNOWN ? null : refused(operation);
        }
        RuntimeException failure = open.failure(operation);
        return failure == null ? teamSync.revocation() : failure;
    }

    /// Ends what is under way, on all members.
    public void abort() {
        Objects.requireNonNull(requests, "port").abort();
    }

    /// Ends what is under way, on all members, since this one revokes the team; see [coterie.Team#revoke].
    public synchronized void revoke() {
        ChannelGroup open = requests;
        if (open == null) {
            refuse(MemberAddresses.REVOKED);
        } else {
            open.revoke();
        }
    }

    /// Completes what has been sent.
    public void drain() {
        ChannelGroup open = requests;
        if (open != null) {
            drain(open, false);
        }
    }

    /// The same, and tells members that wait for me in a run that I have not posted, before the world meets
    /// for the last time.
    public void leave() {
        ChannelGroup open = requests;
        if (open != null) {
            drain(open, true);
        } else if (membership.size() > 1 && refusal == MemberAddresses.UNKNOWN) {
            synchronized (this) {
                told = new BitSet();
                engine.watch(this);
            }
        }
    }

    /// Ends what [#leave] has begun without a port.
    private synchronized void stopAnswering() {
        if (told != null) {
            told = null;
            engine.forget(this);
        }
    }

    private void drain(ChannelGroup open, boolean leaves) {
        try {
            if (leaves) {
                open.leave(posts.get());
            }
            addressExchange.drain();
            open.endpoint().drain();
        } catch (PeFailedException e) {
            isBroken = true;
        }
    }

    /// Whether members may find what others wait for, and tell them.
    public boolean isOpen() {
        return requests != null;
    }

    /// From now on I write to no member's lines: I have closed the team, or all have come to the end of the world.
    public void stopPolling() {
        ChannelGroup open = requests;
        if (open != null) {
            open.stopPolling();
        } else {
            stopAnswering();
        }
        addressExchange.stop();
        drain();
    }

    /// Returns how many runs have been posted and, from the first one on, have not ended badly.
    public long posts() {
        ChannelGroup open = requests;
        return open == null ? posts.get() : Math.min(posts.get(), open.whole());
    }

    /// Ends the port: completes what I have sent, and sends no more.
    public void close() {
        ChannelGroup open = requests;
        requests = null;
        engine.forget(this);
        try {
            addressExchange.close();
            if (open != null) {
                open.stopPolling();
                open.endpoint().close();
            }
        } catch (PeFailedException e) {
            isBroken = true;
        }
    }

    /// Gives back the memory of a closed port, to which no member writes any more.
    ///
    /// @return whether what I have sent is over, too; otherwise the memory stays
    public boolean release() {
        if (lines != NONE && !isBroken) {
            memory.release(lines, lineBytes());
            lines = NONE;
        }
        return !isBroken;
    }
}

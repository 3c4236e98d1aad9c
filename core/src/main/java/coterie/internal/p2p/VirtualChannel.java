// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.sync.ArgumentRecord;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// What runs that come one after another share: their messages' numbers, and which of them is the latest.
///
/// One thread at a time acts on a lane. Others look at it, to tell whether a peer can never get what it waits for
/// there:
/// what they have seen counts if no thread has acted meanwhile, as [#version] tells.
final class VirtualChannel {
    private static final VarHandle VERSION;
    private static final VarHandle TURN;

    static {
        try {
            VERSION = MethodHandles.lookup().findVarHandle(VirtualChannel.class, "version", long.class);
            TURN = MethodHandles.lookup().findVarHandle(VirtualChannel.class, "turn", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final int number;
    final @Nullable PeerConnection[] connections;
    private final ChannelGroup channelGroup;
    private final TeamEndpoint endpoint;

    /// The latest run's, or 0 if there has been none.
    long tag;

    /// The latest run's.
    RunArguments arguments = RunArguments.of();

    private final ArgumentRecord argumentRecord;

    /// Whether the latest run is not over.
    boolean isUnderWay;

    /// Why the latest run ends badly, if it has been found here.
    @Nullable
    AbortReason reason;

    /// Odd while a thread acts.
    @SuppressWarnings("UnusedVariable") // VERSION reads it
    private long version;

    /// Which of the queued runs may begin, or has.
    @SuppressWarnings("UnusedVariable") // TURN reads it
    private long turn;

    VirtualChannel(ChannelGroup channelGroup, int number) {
        this.channelGroup = channelGroup;
        this.endpoint = channelGroup.endpoint;
        this.number = number;
        this.argumentRecord =
                new ArgumentRecord(endpoint.sync + channelGroup.argumentRecord(number, endpoint.memberAddresses.me()));
        this.connections = new PeerConnection[endpoint.memberAddresses.size()];
    }

    /// What I share with a member here; made where it is needed first.
    PeerConnection connection(int member) {
        PeerConnection connection = connections[member];
        if (connection == null) {
            connection = new PeerConnection(channelGroup, this, member);
            connections[member] = connection;
        }
        return connection;
    }

    /// Begins a run.
    void begin(long newTag, RunArguments newArguments) {
        tag = newTag;
        arguments = newArguments;
        argumentRecord.write(newArguments.checksum, newArguments.words);
        isUnderWay = true;
    }

    /// What the run ends with.
    RuntimeException end(AbortReason why) {
        reason = why;
        return why.exception(RunTag.text(tag), channelGroup.difference, endpoint.memberAddresses, endpoint.runtime);
    }

    /// Which of the queued runs it is the turn of. A run that sees its own turn sees all that the runs before have
    /// done.
    long turn() {
        return (long) TURN.getAcquire(this);
    }

    /// Lets the next queued run begin.
    void advanceTo(long next) {
        TURN.setRelease(this, next);
    }

    void enter() {
        VERSION.setOpaque(this, version + 1);
        VarHandle.storeStoreFence();
    }

    void leave() {
        VERSION.setRelease(this, version + 1);
    }

    /// To compare what [#isIdleSince] is asked with.
    long version() {
        return (long) VERSION.getAcquire(this);
    }

    /// Whether no thread has acted since the version was `seen`, so that what was read of the lane since is of one
    /// moment.
    boolean isIdleSince(long seen) {
        VarHandle.loadLoadFence();
        return (seen & 1) == 0 && (long) VERSION.getOpaque(this) == seen;
    }
}

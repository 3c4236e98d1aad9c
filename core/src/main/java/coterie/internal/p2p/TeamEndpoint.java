// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.schedule.IdleProbe;
import coterie.internal.wait.FailureCheck;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.AccessObserver;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Through which the members of a team exchange the messages of plans: one for each team and PE.
///
/// Runs that may be under way at once use different *lanes*. On each lane each member has a *box* at each other
/// member, of two lines, in which nobody else writes; and besides, a *last line*:
///
/// ```
///  a member's lines     n last lines │ lane 0: n boxes │ lane 1: n boxes │ …
///
///  box 0       8      16          24         32              64
///      │ signal │ tag │ signature │ consumed │ message       │        slot of messages with even numbers
///   64 │ the same                                            │        slot of those with odd ones
///  128 │ signal │ tag │ signature │ place    │ length │               ready: the message may be put there
///  168 │ acknowledged │
///  176 │ signal │ tag │ signature │                                   hello: I wait for you
/// ```
///
/// A message of up to 32 bytes travels in its slot, a longer one straight to where it belongs:
///
/// ```
///  sender                receiver            sender                          receiver
///    │── slot ────────────▶│                   │◀── ready: number, run, place ──│
///    │                     │                   │── bytes, to the place ────────▶│
///    │                     │                   │── signal of the slot ─────────▶│
/// ```
///
/// **Numbers.** Messages from one member to another are numbered on each lane from 1 on, across runs, and so are
/// the signals of slots and ready words. Nothing is ever reset, and nothing is written over what may not have
/// come:
///
/// - A slot takes message k + 2 when k has been received. That is known from *acknowledged*, and from whatever
///   else the receiver writes: ready words for k + 1, the *consumed* of its own messages. So acknowledgements are
///   rare, and a sender may be two messages ahead of the receiver, and whole runs where these have so few.
/// - Ready words are written for message k when the one that they last asked for has come.
/// - A hello is written when the one before it is complete; until then there is none.
///
/// **Runs.** Each message in a slot, and each request for one, has the *tag* of its run (sequence and kind) and a
/// signature of its arguments. Who receives compares them, or who is asked: they differ if the members have come
/// for different things. Where both wait, neither says anything more; so who has waited for some time says *hello*
/// to those it waits for, with its run and the number that it waits for. A hello is current if it waits for the
/// very message that I have to send next, or to ask for. If its run lies behind me, or is mine and yet another
/// one, it waits in vain; and so with a message that nobody has received. Who waits looks at the boxes of all
/// members on all lanes by and by, since a peer may wait on another lane for what I have never heard of.
///
/// **The end.** Who gives up, for whatever cause, tells everybody in its last line, once, and so does everybody
/// who learns of it while waiting. From then on the port is dead on that member: runs that are under way end with
/// an exception of the cause's type as soon as they would have to wait, and so do new ones. The port's owner has
/// that exception from the run, and [#failure] for all later ones.
///
/// **The begin.** A member makes its port without the others: it says where its lines are, and each of the others
/// may send it something from then on. Until then, what is for it waits on the sender's side.
///
/// Places are offsets in heaps. What a run that has failed has asked for may still come, and what it sends may
/// still be read, until the members' ports are closed.
public final class TeamEndpoint implements IdleProbe {
    /// Members and lanes that are looked at at once.
    private static final int GLANCES = 64;

    final MemberAddresses memberAddresses;
    final Conduit conduit;
    final WaitingRoom room;
    final FailureCheck cause;
    final Channel channel;

    /// Tells what others differ in where this member has posted nothing.
    final ArgumentSignature unposted;

    /// What a channel takes from. It may do so when nobody waits for it any more, so that it lives as long as
    /// anybody knows it.
    final Arena memory = Arena.ofAuto();

    /// @param detail of the cause, for people
    private record Abort(
            AbortReason reason, String detail, @Nullable RuntimeException thrown) {}

    private final VirtualChannel[] channels;
    private final AbortBoard abortBoard;
    private final @Nullable AccessObserver observer;

    /// Held while a thread looks, for moments.
    private final ReentrantLock looking = new ReentrantLock();

    /// Where it has looked last.
    private int glance;

    private boolean looksNoMore;

    private final AtomicReference<@Nullable Abort> abort = new AtomicReference<>();

    /// @param lanes runs that may be under way at once, the same on all members
    /// @param cause what else ends runs, since members have left them whom nobody may be waiting for
    /// @param unposted tells what others differ in where this member has posted nothing
    public TeamEndpoint(
            MemberAddresses memberAddresses,
            int lanes,
            Conduit conduit,
            WaitingRoom room,
            FailureCheck cause,
            ArgumentSignature unposted) {
        this.memberAddresses = memberAddresses;
        this.conduit = conduit;
        this.room = room;
        this.cause = cause;
        this.unposted = unposted;
        this.channel = conduit.openChannel();
        this.abortBoard = new AbortBoard(this);
        this.observer = room.observer();
        this.channels = new VirtualChannel[lanes];
        for (int lane = 0; lane < lanes; lane++) {
            this.channels[lane] = new VirtualChannel(this, lane);
        }
    }

    /// Lines of 128 bytes that a port needs in each member's sync area.
    public static int lines(int size, int lanes) {
        return Math.toIntExact(size * (1 + lanes * (MailboxLayout.BYTES / JobSegment.LINE)));
    }

    /// What collectives through the port end with from now on, or null as long as it is alive, for all that this
    /// member knows. A new exception each time.
    ///
    /// @param operation that is refused, for its message
    public @Nullable RuntimeException failure(String operation) {
        Abort end = abort.get();
        if (end == null) {
            return null;
        }
        RuntimeException why = end.reason.exception(operation, end.detail, memberAddresses, room);
        return end.thrown == null ? why : (RuntimeException) why.initCause(end.thrown);
    }

    /// Completes what is under way; when all members have come so far, nobody writes to the port's lines until the
    /// next run. Waits.
    public void drain() {
        room.awaitTicket(channel, channel.quiet(Channel.ALL_PEERS), Channel.ALL_PEERS);
    }

    /// Completes what is under way, and ends the port; when all members have come so far, nobody writes to its
    /// lines any more, nor to what a run has asked for. Waits.
    public void close() {
        drain();
        channel.close();
    }

    /// Ends runs that are under way, here and on all members, since this one is about to close the port.
    public void abort() {
        abort(AbortReason.closed(memberAddresses.myPe()), unposted, null);
    }

    /// Ends runs that are under way, here and on all members, since this one revokes the team.
    public void revoke() {
        abort(AbortReason.revoked(memberAddresses.myPe()), unposted, null);
    }

    /// Ends the port, here and on all members, since this one can't prepare a run that the others may have posted.
    ///
    /// @param why for people; what of it is beyond 64 bytes is cut
    /// @param thrown what has been thrown here
    public void unprepared(OperationKind kind, String why, RuntimeException thrown) {
        abort(AbortReason.unprepared(memberAddresses.myPe(), kind, why), unposted, thrown);
    }

    int lanes() {
        return channels.length;
    }

    VirtualChannel channel(int number) {
        return channels[number];
    }

    /// Where the box of one member is in the sync area of another.
    long mailboxOf(int lane, int writer, int owner) {
        long last = memberAddresses.size() * JobSegment.LINE;
        return memberAddresses.offset(owner)
                + last
                + ((long) lane * memberAddresses.size() + writer) * MailboxLayout.BYTES;
    }

    /// Why the port is dead, or null.
    @Nullable
    AbortReason abortReason() {
        Abort end = abort.getAcquire();
        return end == null ? null : end.reason;
    }

    /// Returns why this member or another one has given up, or null if none has told.
    @Nullable
    AbortReason told() {
        AbortReason first = abortReason();
        for (int member = 0; member < memberAddresses.size() && first == null; member++) {
            first = member == memberAddresses.me() ? null : abortBoard.reason(member);
        }
        return first;
    }

    /// Returns which PE has failed in a run, and why in its words, or an empty string if no member has told.
    public String toldCause() {
        AbortReason first = told();
        return first == null || first.reason() != AbortReason.Kind.OTHER
                ? ""
                : "PE " + first.pe() + " failed: " + first.text();
    }

    /// Whether a member has told that it gave up.
    boolean hasAborted(int member) {
        return abortBoard.hasAborted(member);
    }

    /// Why a run can't go on that a member has a part in, for all that this one has told: it gave up, or has come
    /// to a close of the team without it. Null if it has told nothing of the kind.
    ///
    /// @param tag of the run
    @Nullable
    AbortReason peerAbort(int member, long tag) {
        AbortReason told = abortBoard.reason(member);
        if (told != null || !abortBoard.hasLeft(member, RunTag.sequence(tag))) {
            return told;
        }
        return AbortReason.left(memberAddresses.myPe(), tag, memberAddresses.pe(member));
    }

    /// Tells everybody that I come to a close of the team with nothing under way. Waits only until it can be told.
    ///
    /// @param posts runs that I have posted
    public void leave(long posts) {
        abortBoard.leave(posts);
    }

    /// I come to a close of the team that I refuse, since a run is under way: nobody's coming to it ends my runs.
    public void objects() {
        abortBoard.objects();
    }

    /// So many closes of the team had been refused before it had this port; said before its first use.
    public void refused(long closes) {
        abortBoard.refused(closes);
    }

    /// The team lives on.
    ///
    /// @param isVerdict whether all members have refused to close it
    public void resume(boolean isVerdict) {
        abortBoard.resume(isVerdict);
    }

    /// Looks whether a member waits in vain for me on a lane, or has sent what I don't receive. The lane's latest
    /// run may be over, or another thread's.
    ///
    /// @param isMine whether nobody else acts on that lane now
    /// @return what keeps the members' runs from their ends, or null
    @Nullable
    AbortReason pollMember(VirtualChannel virtualChannel, int member, boolean isMine) {
        long seen = virtualChannel.version();
        PeerConnection connection = virtualChannel.connections[member];
        long sent = connection == null ? 0 : connection.sent;
        long received = connection == null ? 0 : connection.received;
        long announced = connection == null ? 0 : connection.announced;
        long box = conduit.localBase(Region.SYNC) + mailboxOf(virtualChannel.number, member, memberAddresses.me());
        AbortReason found = null;
        if (AddressSpace.getLongAcquire(box + MailboxLayout.READY) == sent + 1) {
            found = judge(virtualChannel, member, box + MailboxLayout.READY);
        }
        long slot = box + MailboxLayout.slot(received + 1);
        long arrival = AddressSpace.getLongAcquire(slot);
        if (found == null
                && MailboxLayout.number(arrival) == received + 1
                && MailboxLayout.form(arrival) != MailboxLayout.PLACED) {
            found = judge(virtualChannel, member, slot);
        }
        long hello = AddressSpace.getLongAcquire(box + MailboxLayout.HELLO);
        long number = MailboxLayout.helloNumber(hello);
        boolean waits =
                MailboxLayout.helloSends(hello) ? number == received + 1 && announced < number : number == sent + 1;
        if (found == null && waits) {
            found = judge(virtualChannel, member, box + MailboxLayout.HELLO);
        }
        return found != null && (isMine || virtualChannel.isIdleSince(seen)) ? found : null;
    }

    /// Whether a peer is in a run that I'll never be in, by what it has said there and I have not answered.
    private @Nullable AbortReason judge(VirtualChannel virtualChannel, int member, long block) {
        long tag = AddressSpace.getLongOpaque(block + MailboxLayout.TAG);
        long signature = AddressSpace.getLongOpaque(block + MailboxLayout.SIGNATURE);
        long latest = virtualChannel.tag;
        boolean isMine = virtualChannel.isUnderWay && tag == latest && signature == virtualChannel.signature;
        boolean isAhead = RunTag.sequence(tag) > RunTag.sequence(latest);
        return isMine || isAhead
                ? null
                : AbortReason.mismatch(
                        memberAddresses.myPe(),
                        latest,
                        virtualChannel.signature,
                        memberAddresses.pe(member),
                        tag,
                        signature);
    }

    /// Looks at members, others each time where there are many, for somebody who waits for something else: whether
    /// one has given up, or waits in vain for me, who may have no run under way to find it.
    @Override
    public void poll() {
        if (looking.tryLock()) {
            try {
                pollAll();
            } finally {
                looking.unlock();
            }
        }
    }

    private void pollAll() {
        if (!looksNoMore) {
            abortBoard.catchUp();
        }
        int places = memberAddresses.size() * channels.length;
        for (int each = Math.min(places, GLANCES); each > 0 && !looksNoMore && abort.get() == null; each--) {
            glance = glance + 1 < places ? glance + 1 : 0;
            pollMember(glance % memberAddresses.size(), channels[glance / memberAddresses.size()]);
        }
    }

    /// From now on [#poll] finds nothing, and nobody is told of what it has found.
    public void stopPolling() {
        looking.lock();
        try {
            looksNoMore = true;
        } finally {
            looking.unlock();
        }
    }

    private void pollMember(int member, VirtualChannel virtualChannel) {
        if (member != memberAddresses.me()) {
            AbortReason told = abortBoard.reason(member);
            AbortReason found = told == null ? pollMember(virtualChannel, member, false) : told;
            if (found != null) {
                abort(found, virtualChannel.argumentSignature, null);
            }
        }
    }

    /// Ends the port, and tells everybody why. The first cause counts.
    ///
    /// @param argumentSignature of the run in which it was found
    /// @param thrown what has been thrown here, if that is the cause
    void abort(AbortReason reason, ArgumentSignature argumentSignature, @Nullable RuntimeException thrown) {
        if (!abort.compareAndSet(null, new Abort(reason, reason.detail(argumentSignature), thrown))) {
            return;
        }
        abortBoard.notifyPeers(reason);
    }

    /// The PE is about to read bytes of its heap.
    void reads(long offset, long length) {
        if (observer != null && length > 0) {
            observer.read(offset, length);
        }
    }

    /// The PE is about to write bytes of its heap.
    void writes(long offset, long length) {
        if (observer != null && length > 0) {
            observer.wrote(offset, length);
        }
    }

    /// A signal has come.
    void observed(long place) {
        if (observer != null) {
            observer.observed(Region.SYNC, place, Long.BYTES);
        }
    }

    /// The PE is about to look for signals.
    void polled() {
        if (observer != null) {
            observer.polled();
        }
    }
}

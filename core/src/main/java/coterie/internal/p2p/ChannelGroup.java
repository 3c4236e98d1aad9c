// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.memory.JobSegment;
import coterie.internal.p2p.AbortReason.Kind;
import coterie.internal.posix.AddressSpace;
import coterie.internal.schedule.IdleProbe;
import coterie.internal.sync.ArgumentRecord;
import coterie.internal.wait.AlwaysChecked;
import coterie.internal.wait.OperationKind;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Virtual channels of an endpoint whose runs end together: a run that fails ends those of all channels of its group,
/// on all members, and those of other groups go on. [TeamEndpoint] draws what a group has in the members' memory.
public final class ChannelGroup implements IdleProbe {
    /// Members and channels that one poll looks at.
    private static final int GLANCES = 64;

    final TeamEndpoint endpoint;

    /// What ends runs beside the members' own messages.
    final AlwaysChecked cause;

    final RunArguments.Difference difference;

    /// Where the group's lines begin, from the begin of a member's lines on.
    final long begin;

    /// Which members have closed the team.
    final Closes closes;

    /// Which members have closed the team.
    @FunctionalInterface
    public interface Closes {
        /// Returns whether a member has done so without having come to a run of the group.
        boolean misses(int member, long run);
    }

    private record Abort(AbortReason reason, @Nullable RuntimeException thrown) {}

    final VirtualChannel[] channels;
    final AbortBoard abortBoard;
    private final MemberAddresses memberAddresses;

    /// Held while a thread looks, for moments.
    private final ReentrantLock looking = new ReentrantLock();

    /// Where the latest poll has looked last.
    private int glance;

    private boolean looksNoMore;

    private final AtomicReference<@Nullable Abort> abort = new AtomicReference<>();

    /// The first run that has ended badly here.
    private final AtomicLong firstLost = new AtomicLong(Long.MAX_VALUE);

    /// Copies of other members' argument records and own lines that are under way, or here; see [#local].
    private final Map<Integer, Fetch> fetches = new HashMap<>();

    private record Fetch(MemorySegment copy, long ticket) {}

    /// @param begin where the group's lines begin, from the begin of a member's lines on
    /// @param count runs that may be under way at once, the same on all members
    ChannelGroup(
            TeamEndpoint endpoint,
            long begin,
            int count,
            AlwaysChecked cause,
            Closes closes,
            RunArguments.Difference difference) {
        this.endpoint = endpoint;
        this.memberAddresses = endpoint.memberAddresses;
        this.begin = begin;
        this.cause = cause;
        this.closes = closes;
        this.difference = difference;
        this.abortBoard = new AbortBoard(this);
        this.channels = new VirtualChannel[count];
        for (int number = 0; number < count; number++) {
            this.channels[number] = new VirtualChannel(this, number);
        }
    }

    /// Returns the lines of 128 bytes that a group of so many channels needs in each member's sync area.
    public static int lines(int size, int channels) {
        long records = (channels * (long) ArgumentRecord.BYTES + JobSegment.LINE - 1) / JobSegment.LINE;
        return Math.toIntExact(size * (1 + channels * (MailboxLayout.BYTES / JobSegment.LINE)) + records);
    }

    /// Returns what runs of the group end with from now on, or null as long as it is alive, for all that this member
    /// knows. A new exception each time.
    ///
    /// @param operation that is refused, for its message
    @Nullable
    RuntimeException failure(String operation) {
        Abort end = abort.get();
        if (end == null) {
            return null;
        }
        RuntimeException why = end.reason.exception(operation, difference, memberAddresses, endpoint.runtime);
        return end.thrown == null ? why : (RuntimeException) why.initCause(end.thrown);
    }

    /// Ends runs that are under way, here and on all members, since this one is about to close the team.
    void abort() {
        abort(new AbortReason(Kind.CLOSED, memberAddresses.myPe()), null);
    }

    /// Ends runs that are under way, here and on all members, since this one revokes the team.
    void revoke() {
        abort(new AbortReason(Kind.REVOKED, memberAddresses.myPe()), null);
    }

    /// Ends the group, here and on all members, since this one can't prepare a run that the others may have posted.
    ///
    /// @param why for people; what of it is beyond 64 bytes is cut
    /// @param thrown what has been thrown here
    public void unprepared(OperationKind kind, String why, RuntimeException thrown) {
        abort(new AbortReason(Kind.UNPREPARED, memberAddresses.myPe(), RunTag.of(0, kind), -1, why), thrown);
    }

    /// Returns the endpoint that has the group.
    public TeamEndpoint endpoint() {
        return endpoint;
    }

    /// Returns where the box of one member is in the sync area of another.
    long mailboxOf(int channel, int writer, int owner) {
        long last = memberAddresses.size() * JobSegment.LINE;
        return memberAddresses.offset(owner)
                + begin
                + last
                + ((long) channel * memberAddresses.size() + writer) * MailboxLayout.BYTES;
    }

    /// Returns where the argument record of a member is in its sync area.
    long argumentRecord(int channel, int owner) {
        return mailboxOf(channels.length, 0, owner) + (long) channel * ArgumentRecord.BYTES;
    }

    /// Returns why the group is dead, or null.
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
    String toldCause() {
        AbortReason first = told();
        return first == null || first.reason() != Kind.OTHER ? "" : "PE " + first.pe() + " failed: " + first.text();
    }

    /// Returns why a run can't go on that a member has a part in: that member has told that it gave up, or that it has
    /// closed the team, or come to the end of the world, without the run. Returns null if it has told nothing of
    /// the kind.
    ///
    /// @param tag of the run
    @Nullable
    AbortReason peerAbort(int member, long tag) {
        AbortReason told = abortBoard.reason(member);
        return told == null && abortBoard.hasLeft(member, RunTag.sequence(tag)) ? whyLeft(member, tag) : told;
    }

    /// Returns why a run can't go on that a member has left: that it gave up before, or else that it has left.
    /// Returns null as long as that is under way to this member.
    ///
    /// What the member has told is here before the news that it has left; if it did not know then where to tell
    /// me, its own line has it.
    ///
    /// @param tag of the run
    @Nullable
    AbortReason whyLeft(int member, long tag) {
        AbortReason reason = abortBoard.reason(member);
        long place = abortBoard.ownLine(member);
        if (reason == null && place >= 0) {
            long line = local(channels.length, member, place, JobSegment.LINE);
            if (line == 0) {
                return null;
            }
            reason = AbortBoard.reasonAt(line);
        }
        return reason == null ? AbortReason.left(memberAddresses, tag, member) : reason;
    }

    /// Notes that a run of this member has ended badly: its part in it, and in later ones, is lost.
    void lost(long sequence) {
        firstLost.accumulateAndGet(sequence, Math::min);
    }

    /// Returns how many runs from the first one on have ended well here, or have never been posted.
    long whole() {
        return firstLost.get() - 1;
    }

    /// Tells all members that this one comes to the end of the world with no run under way. Waits only until the
    /// channel accepts that.
    ///
    /// @param posts runs that this member has posted
    void leave(long posts) {
        abortBoard.leave(posts);
    }

    /// Looks whether a member waits on a channel for what this one will never send, or has sent what this one does not
    /// receive. The channel's latest run may be over, or another thread's.
    ///
    /// @param isMine whether no other thread acts on that channel now
    /// @return what keeps the members' runs from their ends, or null
    @Nullable
    AbortReason pollMember(VirtualChannel virtualChannel, int member, boolean isMine) {
        long seen = virtualChannel.version();
        long latest = virtualChannel.tag;
        RunArguments arguments = virtualChannel.arguments;
        PeerConnection connection = virtualChannel.connections[member];
        long sent = connection == null ? 0 : connection.sent;
        long received = connection == null ? 0 : connection.received;
        long announced = connection == null ? 0 : connection.announced;
        long box = endpoint.sync + mailboxOf(virtualChannel.number, member, memberAddresses.me());
        long lost = 0;
        if (AddressSpace.getLongAcquire(box + MailboxLayout.READY) == sent + 1) {
            lost = lost(virtualChannel, box + MailboxLayout.READY);
        }
        long slot = box + MailboxLayout.slot(received + 1);
        long arrival = AddressSpace.getLongAcquire(slot);
        if (lost == 0
                && MailboxLayout.number(arrival) == received + 1
                && MailboxLayout.form(arrival) != MailboxLayout.PLACED) {
            lost = lost(virtualChannel, slot);
        }
        long hello = AddressSpace.getLongAcquire(box + MailboxLayout.HELLO);
        long number = MailboxLayout.helloNumber(hello);
        boolean waits =
                MailboxLayout.helloSends(hello) ? number == received + 1 && announced < number : number == sent + 1;
        if (lost == 0 && waits) {
            lost = lost(virtualChannel, box + MailboxLayout.HELLO);
        }
        if (lost == 0) {
            return null;
        }
        long tag = AddressSpace.getLongOpaque(lost + MailboxLayout.TAG);
        long checksum = AddressSpace.getLongOpaque(lost + MailboxLayout.CHECKSUM);
        return isMine || virtualChannel.isIdleSince(seen)
                ? mismatch(virtualChannel.number, latest, arguments, member, tag, checksum)
                : null;
    }

    /// Returns the address of what a peer has sent and this member has not answered, or 0 if this member is in that run
    /// or may still come to it.
    private static long lost(VirtualChannel virtualChannel, long block) {
        long tag = AddressSpace.getLongOpaque(block + MailboxLayout.TAG);
        long checksum = AddressSpace.getLongOpaque(block + MailboxLayout.CHECKSUM);
        long latest = virtualChannel.tag;
        boolean isMine = virtualChannel.isUnderWay && tag == latest && checksum == virtualChannel.arguments.checksum;
        return isMine || RunTag.sequence(tag) > RunTag.sequence(latest) ? 0 : block;
    }

    /// Returns the mismatch of a member's run with mine, or null as long as the member's arguments are under way.
    ///
    /// @param latest the tag of my run
    /// @param mine its arguments
    /// @param tag of the member's run
    /// @param checksum of that one's arguments
    @Nullable
    AbortReason mismatch(int channel, long latest, RunArguments mine, int member, long tag, long checksum) {
        long[] its = new long[RunArguments.COUNT];
        if (tag == latest) {
            its = checksum == mine.checksum ? mine.words : arguments(channel, member, checksum);
        }
        return its == null
                ? null
                : AbortReason.mismatch(
                        memberAddresses.myPe(), latest, mine.words, memberAddresses.pe(member), tag, its);
    }

    /// Returns the arguments of a member's run by its record, none if those of a later run have replaced them, or null
    /// as long as the record is not here.
    private long @Nullable [] arguments(int channel, int member, long checksum) {
        if (memberAddresses.offset(member) < 0) {
            return null; // the member's word with its place is under way
        }
        long record = local(channel, member, argumentRecord(channel, member), ArgumentRecord.BYTES);
        return record == 0 ? null : arguments(record, checksum);
    }

    /// Returns the address at which this member can read what is in another one's sync area, or 0 as long as a
    /// copy is under way. The copy is made once.
    ///
    /// @param channel whose record it is, or the number of channels for the member's own line
    private synchronized long local(int channel, int member, long place, long bytes) {
        int pe = memberAddresses.pe(member);
        long direct = endpoint.conduit.directBase(Region.SYNC, pe);
        if (direct != 0) {
            return direct + place;
        }
        int key = channel * memberAddresses.size() + member;
        Fetch fetch = fetches.get(key);
        if (fetch == null && endpoint.channel.accepts(pe)) {
            MemorySegment copy = endpoint.memory.allocate(bytes, Long.BYTES);
            long remote = endpoint.conduit.remoteBase(Region.SYNC, pe) + place;
            fetch = new Fetch(copy, endpoint.channel.get(pe, remote, copy, 0, bytes));
            fetches.put(key, fetch);
        }
        return fetch == null || !endpoint.channel.isDone(fetch.ticket) ? 0 : fetch.copy.address();
    }

    private static long[] arguments(long address, long checksum) {
        long[] words = AddressSpace.getLongsOpaque(address, RunArguments.COUNT);
        return ArgumentRecord.checksum(words) == checksum ? words : new long[RunArguments.COUNT];
    }

    /// Looks at members, at others each time where there are many, for a thread that waits for something else: whether
    /// one has given up, or waits for what this member will never send, which may have no run under way that would
    /// find it.
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

    /// Has [#poll] look at no member any more, and so tell none.
    void stopPolling() {
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
                abort(found, null);
            }
        }
    }

    /// Ends the group, and tells all members why. The first cause counts.
    ///
    /// @param thrown what has been thrown here, if that is the cause
    void abort(AbortReason reason, @Nullable RuntimeException thrown) {
        if (abort.compareAndSet(null, new Abort(reason, thrown))) {
            abortBoard.notifyPeers(reason);
        }
    }
}

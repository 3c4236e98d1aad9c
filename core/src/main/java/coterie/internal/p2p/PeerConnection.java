// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.internal.mapped.MemoryCopy;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// A member and I on a lane: what has travelled between us, both ways. [TeamEndpoint] draws how.
///
/// Each method does what can be done now, and says whether it did.
final class PeerConnection {
    private final ChannelGroup channelGroup;
    private final TeamEndpoint endpoint;
    private final VirtualChannel channel;
    private final int member;
    final int pe;

    /// The address of the member's box here.
    private final long incoming;

    /// My box there, once the member has said where its lines are: its address, or 0 if it can't be stored to, and
    /// its place as the conduit names it.
    private long outgoing;

    private long remote;
    private boolean isWired;

    /// What a channel takes from here: both slots, ready words and hello. Each is written again only when what was
    /// there last is known to have come.
    private final MemorySegment staged;

    /// Where I write: my box there, or what is staged.
    private long written;

    /// Latest message that I have sent, and that I know to have been received.
    long sent;

    private long acknowledged;

    /// Latest message that I have received, that the member can know of, and that its acknowledgement tells.
    long received;

    private long told;
    private long acknowledgement;

    /// Latest message that I have asked for with ready words.
    long announced;

    /// Latest messages that a step of the run has given numbers to.
    private long sendsDue;

    private long receivesDue;

    /// The signal of my latest hello, and the ticket of its way.
    private long hello;

    private long helloTicket;

    /// The ticket of what has been put last.
    long ticket;

    PeerConnection(ChannelGroup channelGroup, VirtualChannel channel, int member) {
        this.channelGroup = channelGroup;
        this.endpoint = channelGroup.endpoint;
        this.channel = channel;
        this.member = member;
        this.pe = endpoint.memberAddresses.pe(member);
        this.incoming = endpoint.sync + channelGroup.mailboxOf(channel.number, member, endpoint.memberAddresses.me());
        this.staged = endpoint.conduit.directBase(Region.SYNC, pe) == 0
                ? endpoint.memory.allocate(MailboxLayout.BYTES, Long.BYTES)
                : MemorySegment.NULL;
    }

    /// Whether the member's lines are known, and the channel, where it is needed, accepts an operation.
    private boolean canStart() {
        if (!isWired) {
            if (endpoint.memberAddresses.offset(member) < 0) {
                return false;
            }
            long theirs = channelGroup.mailboxOf(channel.number, endpoint.memberAddresses.me(), member);
            long direct = endpoint.conduit.directBase(Region.SYNC, pe);
            outgoing = direct == 0 ? 0 : direct + theirs;
            remote = endpoint.conduit.remoteBase(Region.SYNC, pe) + theirs;
            written = direct == 0 ? staged.address() : outgoing;
            isWired = true;
        }
        return outgoing != 0 || endpoint.channel.accepts(pe);
    }

    /// The number of the next message of a step.
    long next(boolean isSent) {
        return isSent ? ++sendsDue : ++receivesDue;
    }

    /// Sends a message in its slot, if that is free.
    ///
    /// @param from its address
    /// @param offset the same in my heap
    boolean sendInline(long from, long offset, int length) {
        long number = sent + 1;
        if (acknowledged < number - MailboxLayout.WINDOW && acknowledged() < number - MailboxLayout.WINDOW) {
            return false;
        }
        if (outgoing == 0 && !canStart()) {
            return false;
        }
        endpoint.reads(offset, length);
        long slot = MailboxLayout.slot(number);
        long signal = MailboxLayout.arrival(number, length);
        long to = written + slot;
        AddressSpace.setLongOpaque(to + MailboxLayout.CONSUMED, received);
        MemoryCopy.copy(AddressSpace.ALL, from, AddressSpace.ALL, to + MailboxLayout.MESSAGE, length);
        signal(slot, MailboxLayout.MESSAGE + length - MailboxLayout.TAG, signal);
        sent = number;
        told = received;
        endpoint.runtime.counters().messages++;
        return true;
    }

    /// Puts a message where it is asked for, if it is; its bytes are needed until [#ticket] is done.
    ///
    /// @param from its address
    boolean sendPlaced(long from, long length) {
        long number = sent + 1;
        long ready = incoming + MailboxLayout.READY;
        if (AddressSpace.getLongAcquire(ready) != number) {
            checkHello(number, length);
            return false;
        }
        if (channelGroup.abortBoard.hasAborted(member) || !isOfMyRun(ready)) {
            return false;
        }
        long room = AddressSpace.getLongOpaque(ready + MailboxLayout.LENGTH);
        if (room != length) {
            throw lengths(" expects " + room, " sends " + length);
        }
        if (outgoing == 0 && !canStart()) {
            return false;
        }
        endpoint.observed(ready);
        long at = AddressSpace.getLongOpaque(ready + MailboxLayout.PLACE);
        long slot = MailboxLayout.slot(number);
        long signal = MailboxLayout.arrival(number, MailboxLayout.PLACED);
        long heap = endpoint.conduit.directBase(Region.HEAP, pe);
        if (outgoing != 0 && heap != 0) {
            MemoryCopy.copy(AddressSpace.ALL, from, AddressSpace.ALL, heap + at, length);
            AddressSpace.setLongRelease(outgoing + slot, signal);
            ticket = 0;
        } else {
            VarHandle.releaseFence(); // what others have stored, and I have seen, is seen behind the signal, too
            long target = endpoint.conduit.remoteBase(Region.HEAP, pe) + at;
            ticket = endpoint.channel.putSignal(
                    AddressSpace.ALL, from, length, pe, target, remote + slot, SignalOperation.SET, signal);
        }
        sent = number;
        acknowledged = Math.max(acknowledged, number - 1);
        endpoint.runtime.counters().messages++;
        endpoint.runtime.counters().puts++;
        endpoint.runtime.counters().putBytes += length;
        return true;
    }

    /// Asks for the next message.
    ///
    /// @param at where in my heap it may be put
    boolean announce(long at, long length) {
        long number = received + 1;
        if (outgoing == 0 && !canStart()) {
            return false;
        }
        long to = written + MailboxLayout.READY;
        AddressSpace.setLongOpaque(to + MailboxLayout.PLACE, at);
        AddressSpace.setLongOpaque(to + MailboxLayout.LENGTH, length);
        signal(MailboxLayout.READY, MailboxLayout.READY_BYTES, number);
        announced = number;
        told = received;
        return true;
    }

    /// Receives the next message, if it is here; takes it out of its slot, if it is there.
    ///
    /// @param to the address where it belongs
    /// @param offset the same in my heap
    boolean receive(long to, long offset, long length) {
        long number = received + 1;
        long slot = incoming + MailboxLayout.slot(number);
        long arrival = AddressSpace.getLongAcquire(slot);
        if (MailboxLayout.number(arrival) != number) {
            return false;
        }
        int form = MailboxLayout.form(arrival);
        if (form != MailboxLayout.PLACED) {
            if (!isOfMyRun(slot)) {
                return false;
            }
            if (form != length) {
                throw lengths(" sends " + form, " expects " + length);
            }
            acknowledged = Math.max(acknowledged, AddressSpace.getLongOpaque(slot + MailboxLayout.CONSUMED));
            endpoint.writes(offset, length);
            MemoryCopy.copy(AddressSpace.ALL, slot + MailboxLayout.MESSAGE, AddressSpace.ALL, to, length);
        }
        endpoint.observed(slot);
        received = number;
        if (received - told >= MailboxLayout.WINDOW) {
            acknowledge();
        }
        return true;
    }

    /// Tells the member that I wait for it, if it can't have seen that in another way: what for, and in which run.
    ///
    /// @param sends whether it is to ask for a message of mine; else it is to send one
    void probe(boolean sends) {
        long signal = MailboxLayout.hello(sends ? sent + 1 : received + 1, sends);
        long other = MailboxLayout.hello(sends ? received + 1 : sent + 1, !sends);
        if (hello == signal || hello == other || (outgoing == 0 && !canStart())) {
            return;
        }
        if (helloTicket != 0 && !endpoint.channel.isDone(helloTicket)) {
            return; // one hello must not overtake another
        }
        signal(MailboxLayout.HELLO, MailboxLayout.HELLO_BYTES, signal);
        if (outgoing == 0) {
            helloTicket = endpoint.channel.quiet(pe);
        }
        hello = signal;
        if (!sends) {
            told = received;
        }
    }

    /// Looks up how many of my messages have been received, wherever that is told.
    private long acknowledged() {
        long known = Math.max(acknowledged, AddressSpace.getLongAcquire(incoming + MailboxLayout.ACKNOWLEDGED));
        known = Math.max(known, AddressSpace.getLongAcquire(incoming + MailboxLayout.READY) - 1);
        long greeting = AddressSpace.getLongAcquire(incoming + MailboxLayout.HELLO);
        if (!MailboxLayout.helloSends(greeting)) {
            known = Math.max(known, MailboxLayout.helloNumber(greeting) - 1);
        }
        long slot = incoming + MailboxLayout.slot(received + 1);
        long arrival = AddressSpace.getLongAcquire(slot);
        if (MailboxLayout.number(arrival) == received + 1 && MailboxLayout.form(arrival) != MailboxLayout.PLACED) {
            known = Math.max(known, AddressSpace.getLongOpaque(slot + MailboxLayout.CONSUMED));
        }
        acknowledged = known;
        return known;
    }

    private void acknowledge() {
        if (outgoing == 0 && !canStart()) {
            return; // the next one, or a hello, tells of these messages, too
        }
        if (outgoing != 0) {
            AddressSpace.setLongRelease(outgoing + MailboxLayout.ACKNOWLEDGED, received);
        } else {
            VarHandle.releaseFence();
            // Sums come out right in whichever order they arrive.
            long more = received - acknowledgement;
            endpoint.channel.update(AtomicOperation.ADD, more, Long.BYTES, pe, remote + MailboxLayout.ACKNOWLEDGED);
        }
        acknowledgement = received;
        told = received;
    }

    /// Writes what tells of the run, and then the signal; what else is behind the signal has been written.
    ///
    /// @param length of all behind the signal
    private void signal(long block, long length, long signal) {
        long to = written + block;
        AddressSpace.setLongOpaque(to + MailboxLayout.TAG, channel.tag);
        AddressSpace.setLongOpaque(to + MailboxLayout.CHECKSUM, channel.arguments.checksum);
        if (outgoing != 0) {
            AddressSpace.setLongRelease(to, signal);
            return;
        }
        VarHandle.releaseFence(); // what I stored where others load it
        long from = block + MailboxLayout.TAG;
        long place = remote + block;
        endpoint.channel.putSignal(staged, from, length, pe, remote + from, place, SignalOperation.SET, signal);
    }

    /// Returns whether what the peer has told, behind a signal, is of my run. Throws if it is of another one, once it
    /// is known what that is.
    private boolean isOfMyRun(long block) {
        long tag = AddressSpace.getLongOpaque(block + MailboxLayout.TAG);
        long checksum = AddressSpace.getLongOpaque(block + MailboxLayout.CHECKSUM);
        if (tag == channel.tag && checksum == channel.arguments.checksum) {
            return true;
        }
        AbortReason mismatch =
                channelGroup.mismatch(channel.number, channel.tag, channel.arguments, member, tag, checksum);
        if (mismatch != null) {
            throw channel.end(mismatch);
        }
        return false;
    }

    /// Refuses to send what does not fit into a slot to a member that waits for something in its slot.
    private void checkHello(long number, long length) {
        long hello = incoming + MailboxLayout.HELLO;
        if (AddressSpace.getLongAcquire(hello) == MailboxLayout.hello(number, false) && isOfMyRun(hello)) {
            throw lengths(" expects at most " + MailboxLayout.INLINE, " sends " + length);
        }
    }

    private RuntimeException lengths(String they, String me) {
        int myPe = endpoint.memberAddresses.myPe();
        String text = "PE " + pe + they + " bytes where PE " + myPe + me;
        return channel.end(new AbortReason(AbortReason.Kind.LENGTHS, myPe, channel.tag, pe, text));
    }
}

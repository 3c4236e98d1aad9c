// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.AtomicOperation;
import coterie.SignalUpdate;
import coterie.internal.mapped.Copy;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// A member and I on a lane: what has travelled between us, both ways. [Port] draws how.
///
/// Each method does what can be done now, and says whether it did.
final class Pair {
    private final Port port;
    private final Lane lane;
    private final int member;
    final int pe;

    /// The member's box here: its place in my sync area, and its address.
    private final long place;

    private final long incoming;

    /// My box there: its address, or 0 if it can't be stored to, and its place as the conduit names it.
    private final long outgoing;

    private final long remote;

    /// What a channel takes from here: both slots, ready words and hello. Each is written again only when what was
    /// there last is known to have come.
    private final MemorySegment staged;

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

    Pair(Port port, Lane lane, int member) {
        this.port = port;
        this.lane = lane;
        this.member = member;
        this.pe = port.members.pe(member);
        long mine = port.boxOf(lane.number, member, port.members.me());
        long theirs = port.boxOf(lane.number, port.members.me(), member);
        long direct = port.conduit.directBase(Region.SYNC, pe);
        this.place = mine;
        this.incoming = port.conduit.localBase(Region.SYNC) + mine;
        this.outgoing = direct == 0 ? 0 : direct + theirs;
        this.remote = port.conduit.remoteBase(Region.SYNC, pe) + theirs;
        this.staged = direct == 0 ? port.memory.allocate(Box.BYTES, Long.BYTES) : MemorySegment.NULL;
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
        if (acknowledged < number - Box.WINDOW && acknowledged() < number - Box.WINDOW) {
            return false;
        }
        if (outgoing == 0 && !port.channel.accepts(pe)) {
            return false;
        }
        port.reads(offset, length);
        long slot = Box.slot(number);
        long signal = Box.arrival(number, length);
        if (outgoing != 0) {
            long to = outgoing + slot;
            AddressSpace.setLongOpaque(to + Box.TAG, lane.tag);
            AddressSpace.setLongOpaque(to + Box.SIGNATURE, lane.signature);
            AddressSpace.setLongOpaque(to + Box.CONSUMED, received);
            Copy.copy(AddressSpace.ALL, from, AddressSpace.ALL, to + Box.MESSAGE, length);
            AddressSpace.setLongRelease(to, signal);
        } else {
            stage(slot);
            staged.set(JAVA_LONG, slot + Box.CONSUMED, received);
            MemorySegment.copy(AddressSpace.ALL, from, staged, slot + Box.MESSAGE, length);
            put(slot, Box.MESSAGE + length - Box.TAG, signal);
        }
        sent = number;
        told = received;
        port.room.counters().messages++;
        return true;
    }

    /// Puts a message where it is asked for, if it is; its bytes are needed until [#ticket] is done.
    ///
    /// @param from its address
    boolean sendPlaced(long from, long length) {
        long number = sent + 1;
        long ready = incoming + Box.READY;
        if (AddressSpace.getLongAcquire(ready) != number) {
            checkHello(number, length);
            return false;
        }
        if (port.gaveUp(member)) {
            return false;
        }
        check(ready);
        long room = AddressSpace.getLongOpaque(ready + Box.LENGTH);
        if (room != length) {
            throw lengths(" takes " + room, " sends " + length);
        }
        if (outgoing == 0 && !port.channel.accepts(pe)) {
            return false;
        }
        port.observed(place + Box.READY);
        long at = AddressSpace.getLongOpaque(ready + Box.PLACE);
        long slot = Box.slot(number);
        long signal = Box.arrival(number, Box.PLACED);
        long heap = port.conduit.directBase(Region.HEAP, pe);
        if (outgoing != 0 && heap != 0) {
            Copy.copy(AddressSpace.ALL, from, AddressSpace.ALL, heap + at, length);
            AddressSpace.setLongRelease(outgoing + slot, signal);
            ticket = 0;
        } else {
            VarHandle.releaseFence(); // what others have stored, and I have seen, is seen behind the signal, too
            ticket = port.channel.putSignal(
                    AddressSpace.ALL,
                    from,
                    length,
                    pe,
                    port.conduit.remoteBase(Region.HEAP, pe) + at,
                    remote + slot,
                    SignalUpdate.SET,
                    signal);
        }
        sent = number;
        acknowledged = Math.max(acknowledged, number - 1);
        port.room.counters().messages++;
        port.room.counters().puts++;
        port.room.counters().putBytes += length;
        return true;
    }

    /// Asks for the next message.
    ///
    /// @param at where in my heap it may be put
    boolean announce(long at, long length) {
        long number = received + 1;
        if (outgoing == 0 && !port.channel.accepts(pe)) {
            return false;
        }
        if (outgoing != 0) {
            long to = outgoing + Box.READY;
            AddressSpace.setLongOpaque(to + Box.TAG, lane.tag);
            AddressSpace.setLongOpaque(to + Box.SIGNATURE, lane.signature);
            AddressSpace.setLongOpaque(to + Box.PLACE, at);
            AddressSpace.setLongOpaque(to + Box.LENGTH, length);
            AddressSpace.setLongRelease(to, number);
        } else {
            stage(Box.READY);
            staged.set(JAVA_LONG, Box.READY + Box.PLACE, at);
            staged.set(JAVA_LONG, Box.READY + Box.LENGTH, length);
            put(Box.READY, Box.READY_BYTES, number);
        }
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
        long slot = incoming + Box.slot(number);
        long arrival = AddressSpace.getLongAcquire(slot);
        if (Box.number(arrival) != number) {
            return false;
        }
        int form = Box.form(arrival);
        if (form != Box.PLACED) {
            check(slot);
            if (form != length) {
                throw lengths(" sends " + form, " takes " + length);
            }
            acknowledged = Math.max(acknowledged, AddressSpace.getLongOpaque(slot + Box.CONSUMED));
            port.writes(offset, length);
            Copy.copy(AddressSpace.ALL, slot + Box.MESSAGE, AddressSpace.ALL, to, length);
        }
        port.observed(place + Box.slot(number));
        received = number;
        if (received - told >= Box.WINDOW) {
            acknowledge();
        }
        return true;
    }

    /// Tells the member that I wait for it, if it can't have seen that in another way: what for, and in which run.
    ///
    /// @param sends whether it is to ask for a message of mine; else it is to send one
    void greet(boolean sends) {
        long signal = Box.hello(sends ? sent + 1 : received + 1, sends);
        long other = Box.hello(sends ? received + 1 : sent + 1, !sends);
        if (hello == signal || hello == other) {
            return;
        }
        if (outgoing != 0) {
            AddressSpace.setLongOpaque(outgoing + Box.HELLO + Box.TAG, lane.tag);
            AddressSpace.setLongOpaque(outgoing + Box.HELLO + Box.SIGNATURE, lane.signature);
            AddressSpace.setLongRelease(outgoing + Box.HELLO, signal);
        } else {
            if ((helloTicket != 0 && !port.channel.isDone(helloTicket)) || !port.channel.accepts(pe)) {
                return; // one hello must not overtake another
            }
            stage(Box.HELLO);
            put(Box.HELLO, Box.HELLO_BYTES, signal);
            helloTicket = port.channel.quiet(pe);
        }
        hello = signal;
        if (!sends) {
            told = received;
        }
    }

    /// Looks up how many of my messages have been received, wherever that is told.
    private long acknowledged() {
        long known = Math.max(acknowledged, AddressSpace.getLongAcquire(incoming + Box.ACKNOWLEDGED));
        known = Math.max(known, AddressSpace.getLongAcquire(incoming + Box.READY) - 1);
        long greeting = AddressSpace.getLongAcquire(incoming + Box.HELLO);
        if (!Box.helloSends(greeting)) {
            known = Math.max(known, Box.helloNumber(greeting) - 1);
        }
        long slot = incoming + Box.slot(received + 1);
        long arrival = AddressSpace.getLongAcquire(slot);
        if (Box.number(arrival) == received + 1 && Box.form(arrival) != Box.PLACED) {
            known = Math.max(known, AddressSpace.getLongOpaque(slot + Box.CONSUMED));
        }
        acknowledged = known;
        return known;
    }

    private void acknowledge() {
        if (outgoing != 0) {
            AddressSpace.setLongRelease(outgoing + Box.ACKNOWLEDGED, received);
        } else if (port.channel.accepts(pe)) {
            VarHandle.releaseFence();
            // Sums come out right in whichever order they arrive.
            port.channel.update(
                    AtomicOperation.ADD, received - acknowledgement, Long.BYTES, pe, remote + Box.ACKNOWLEDGED);
        } else {
            return; // the next one, or a hello, tells of these messages, too
        }
        acknowledgement = received;
        told = received;
    }

    private void stage(long block) {
        staged.set(JAVA_LONG, block + Box.TAG, lane.tag);
        staged.set(JAVA_LONG, block + Box.SIGNATURE, lane.signature);
    }

    /// Puts what is staged behind a signal, and the signal.
    private void put(long block, long length, long signal) {
        VarHandle.releaseFence(); // what I stored where others load it
        port.channel.putSignal(
                staged,
                block + Box.TAG,
                length,
                pe,
                remote + block + Box.TAG,
                remote + block,
                SignalUpdate.SET,
                signal);
    }

    /// Refuses what a peer has told, behind a signal, in another run than mine.
    private void check(long block) {
        long tag = AddressSpace.getLongOpaque(block + Box.TAG);
        long signature = AddressSpace.getLongOpaque(block + Box.SIGNATURE);
        if (tag != lane.tag || signature != lane.signature) {
            throw lane.mismatch(pe, tag, signature);
        }
    }

    /// Refuses to send what does not fit into a slot to who waits for something in its slot.
    private void checkHello(long number, long length) {
        long hello = incoming + Box.HELLO;
        if (AddressSpace.getLongAcquire(hello) == Box.hello(number, false)) {
            check(hello);
            throw lengths(" takes at most " + Box.INLINE, " sends " + length);
        }
    }

    private RuntimeException lengths(String they, String me) {
        return lane.lengths(pe, "PE " + pe + they + " bytes where PE " + port.members.myPe() + me);
    }
}

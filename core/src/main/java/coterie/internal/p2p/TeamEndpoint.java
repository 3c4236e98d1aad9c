// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.SignalOperation;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.AlwaysChecked;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.AccessObserver;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Through which the members of a team exchange the messages of plans: one for each team and PE.
///
/// Runs that may be under way at once use different *virtual channels*, in short *lanes*. On each lane each member has
/// a *box* of two lines at each other member, in which no other one writes. Lanes belong to groups
/// ([ChannelGroup]), and in each group a member has besides a *last line* at each other one:
///
/// ```
///  a group's lines     n last lines │ lane 0: n boxes │ lane 1: n boxes │ … │ an argument record for each lane
///
///  box 0       8      16         24         32              64
///      │ signal │ tag │ checksum │ consumed │ message       │        slot of messages with even numbers
///   64 │ the same                                           │        slot of those with odd ones
///  128 │ signal │ tag │ checksum │ place    │ length │               ready: the message may be put there
///  168 │ acknowledged │
///  176 │ signal │ tag │ checksum │                                   hello: I wait for you
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
/// - Ready words are written for message k when the message that they last asked for has come.
/// - A hello is written when the one before it is complete; until then there is none.
///
/// **Runs.** Each message in a slot, and each request for one, has the *tag* of its run (sequence and kind) and the
/// checksum of its arguments. The receiver compares them, or the member that is asked: they differ if the members have
/// come for different things. If the arguments differ, it reads the sender's argument record to tell in what. Where
/// both wait, neither says anything more; so a member that has waited for some time says *hello* to those it waits
/// for, with its run and the number that it waits for. A hello is current if it waits for the very message that I
/// have to send next, or to ask for. If its run lies behind me, or is mine and yet another one, its wait can never
/// end; and so with a message that no member has received. A waiter looks at the boxes of all members on all lanes
/// by and by, since a peer may wait on another lane for what I have never heard of.
///
/// **The end.** A member that gives up, for whatever cause, tells all others in its last line of the group, once, and
/// so does each member that learns of it while waiting. From then on the group is dead on that member: runs that are
/// under way end with an exception of the cause's type as soon as they would have to wait, and so do new ones. The
/// group's owner has that exception from the run, and [ChannelGroup#failure] for all later ones.
///
/// **The begin.** A member makes its port without the others: it says where its lines are, and each of the others
/// may send it something from then on. Until then, what is for it waits on the sender's side.
///
/// Places are offsets in heaps. What a run that has failed has asked for may still come, and what it sends may
/// still be read, until the members' ports are closed.
public final class TeamEndpoint {
    final MemberAddresses memberAddresses;
    final Conduit conduit;
    final PeRuntime runtime;
    final WaitingRoom room;
    final Channel channel;

    /// The address of this PE's sync area.
    final long sync;

    /// What the channel reads from. It may do so when no thread waits for that any more, so the memory lives as long as
    /// the channel or a task knows it.
    final Arena memory = Arena.ofAuto();

    private final @Nullable AccessObserver observer;

    /// Lines of the groups so far.
    private int lines;

    public TeamEndpoint(MemberAddresses memberAddresses, Conduit conduit, PeRuntime runtime) {
        this.memberAddresses = memberAddresses;
        this.conduit = conduit;
        this.runtime = runtime;
        this.room = runtime.room();
        this.channel = conduit.openChannel();
        this.sync = conduit.localBase(Region.SYNC);
        this.observer = runtime.observer();
    }

    /// Makes the next group of virtual channels: its lines follow those of the groups before.
    ///
    /// @param channels runs that may be under way at once, the same on all members
    /// @param cause what else ends runs, since members have left them for which no run waits
    /// @param closes which members will come to no more runs, by the numbers of these
    /// @param difference names the arguments of runs
    public ChannelGroup group(
            int channels, AlwaysChecked cause, ChannelGroup.Closes closes, RunArguments.Difference difference) {
        ChannelGroup made = new ChannelGroup(this, lines * JobSegment.LINE, channels, cause, closes, difference);
        lines += ChannelGroup.lines(memberAddresses.size(), channels);
        return made;
    }

    /// Completes what is under way; when all members have come so far, none writes to the others' lines until the next
    /// run. Waits.
    void drain() {
        room.awaitTicket(channel, channel.quiet(Channel.ALL_PEERS), Channel.ALL_PEERS);
    }

    /// Completes what is under way, and ends the endpoint; when all members have come so far, none writes to the
    /// others' lines any more, nor to what a run has asked for. Waits.
    public void close() {
        drain();
        channel.close();
    }

    /// Whether an operation with a PE's sync area can start now.
    boolean accepts(int pe) {
        return conduit.directBase(Region.SYNC, pe) != 0 || channel.accepts(pe);
    }

    /// Writes words into a PE's sync area, the first one last: a PE that sees it sees the others, too. The channel
    /// accepts an operation, where it is needed.
    ///
    /// @param words in [#memory]; they stay as they are until the channel has read them
    void write(int pe, long place, MemorySegment words, long from, long bytes) {
        long signal = words.get(JAVA_LONG, from);
        long direct = conduit.directBase(Region.SYNC, pe);
        if (direct != 0) {
            for (long word = Long.BYTES; word < bytes; word += Long.BYTES) {
                AddressSpace.setLongOpaque(direct + place + word, words.get(JAVA_LONG, from + word));
            }
            AddressSpace.setLongRelease(direct + place, signal);
        } else {
            long remote = conduit.remoteBase(Region.SYNC, pe) + place;
            VarHandle.releaseFence();
            long begin = from + Long.BYTES;
            long length = bytes - Long.BYTES;
            channel.putSignal(words, begin, length, pe, remote + Long.BYTES, remote, SignalOperation.SET, signal);
        }
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
    void observed(long address) {
        if (observer != null) {
            observer.observed(Region.SYNC, address - sync, Long.BYTES);
        }
    }

    /// The PE is about to look for signals.
    void polled() {
        if (observer != null) {
            observer.polled();
        }
    }
}

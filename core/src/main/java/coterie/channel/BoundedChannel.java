// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import coterie.CollectiveMismatchException;
import coterie.ContextOption;
import coterie.PeFailedException;
import coterie.SymmetricMemoryException;
import coterie.Team;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A bounded channel: one or several members of a team, its *producers*, send items to another, its *consumer*.
///
/// ```java
/// ChannelShape shape = new ChannelShape(ElementType.LONG, 64, 8);
/// try (BoundedChannel channel = BoundedChannel.open(team, shape, 0, 1, 2)) { // members 1 and 2 send to member 0
///     if (team.member() == 0) {
///         for (long n = channel.await(); n > 0; n = channel.await()) {
///             add(channel.item(), n, channel.producer());
///             channel.release();
///         }
///     } else {
///         for (long[] row : rows) {
///             channel.send(MemorySegment.ofArray(row), 0, row.length);
///         }
///     } // the close of a producer is the end of its items
/// }
/// ```
///
/// **Items.** An item has 1 to `capacity` elements. The items of one producer arrive in their order; no order is
/// between those of two producers, from which the consumer takes by turns. A send without elements returns at once,
/// takes no slot, and delivers nothing.
///
/// **Slots.** Each producer has a ring of slots of its own at the consumer, so that producers don't contend. An item
/// goes there by one put with signal. A send waits only while at least `slots` items of its producer are unreleased;
/// one to a quarter more may be under way. The consumer gives slots back in batches that a producer does not notice:
/// see `docs/channels.md`, also on why no item can be missed.
///
/// Items go through the team's default context: a barrier, or a [coterie.Context#quiet], completes them as other
/// puts.
///
/// **End.** A producer that closes the channel has ended: after its last item the consumer gets 0 in place of a
/// length. A consumer that closes it makes waiting sends throw an [IllegalStateException]; so does each send that
/// finds no free slot afterwards, and items under way are lost. Both closes are local.
///
/// **Failure.** A wait ends with a [PeFailedException] if the PE that it depends on has failed, or has ended without
/// a close: a producer depends on the consumer, and the consumer on the producer that it waits for, or on all that
/// have not ended. What had arrived of a producer that has failed is received first.
///
/// **Errors.** All methods check their arguments before any effect. Those of a side throw [IllegalStateException] on
/// a PE that is not on this side, and after the channel's close or the end of its team.
///
/// **Cost.** The block of the channel is allocated on every member: `5/4 × slots × capacity` elements for each
/// producer. Sends and receives allocate nothing.
///
/// **Threads.** One thread at a time of a producer sends, and one of the consumer receives; a PE that is both may do
/// so in two threads. Another thread needs a happens-before, as [ContextOption#SERIALIZED] has it, and a
/// [coterie.ThreadLevel] of the world that allows it.
/// @counterpart `Flow` of NCCL's development branch, between fixed peers
public final class BoundedChannel implements AutoCloseable {
    private final ChannelMember channel;
    private final @Nullable OutgoingRing outgoing;
    private final @Nullable IncomingRings incoming;

    /// Whether the next slot's memory is the program's, from a reserve to a commit.
    private boolean isReserved;

    private BoundedChannel(ChannelMember channel) {
        this.channel = channel;
        int index = channel.producerIndex(channel.me());
        this.outgoing = index < 0 ? null : new OutgoingRing(channel, index);
        this.incoming = channel.consumer() != channel.me()
                ? null
                : new IncomingRings(channel, channel.team().createContext(ContextOption.SERIALIZED));
    }

    /// Opens a channel. Members that are neither the consumer nor a producer call it, too, and can only close it.
    ///
    /// **Collective** over the team, agreeing, as [Team#allocate(long)]: all members pass the same.
    ///
    /// @param consumer a member, in `[0, team.size())`
    /// @param producers different members, at least one; the consumer may be among them
    /// @throws IllegalArgumentException if a member's arguments are out of range, on all members
    /// @throws CollectiveMismatchException if arguments differ
    /// @throws SymmetricMemoryException on every member, if one can't provide its part of the memory
    public static BoundedChannel open(Team team, ChannelShape shape, int consumer, int... producers) {
        ChannelOpening opening = new ChannelOpening(team, shape, consumer, producers);
        return new BoundedChannel(opening.agree());
    }

    /// Returns the team.
    public Team team() {
        return channel.team();
    }

    /// Returns the shape.
    public ChannelShape shape() {
        return channel.layout().shape();
    }

    /// Returns the consumer's number in the team.
    public int consumer() {
        return channel.consumer();
    }

    /// Returns the numbers of the producers in the team, in the order of [#open]: a new array at each call.
    public int[] producers() {
        return channel.producers().clone();
    }

    private OutgoingRing outgoing(String operation) {
        channel.checkOpen(operation);
        OutgoingRing ring = outgoing;
        if (ring == null) {
            throw new IllegalStateException(channel.prefix(operation) + "member " + channel.me()
                    + " is no producer of the channel; producers are " + Arrays.toString(channel.producers()));
        }
        return ring;
    }

    private IncomingRings incoming(String operation) {
        channel.checkOpen(operation);
        IncomingRings rings = incoming;
        if (rings == null) {
            throw new IllegalStateException(channel.prefix(operation) + "member " + channel.me()
                    + " is not the consumer of the channel; that is member " + channel.consumer());
        }
        return rings;
    }

    /// Sends an item; the source is reusable on return. Waits for a free slot.
    ///
    /// @param source the elements `[index, index + count)`, counted from the segment's start; an array's by
    ///     [MemorySegment#ofArray(long[])]
    /// @param count in `[0, capacity]`; 0 delivers nothing
    /// @throws IllegalStateException if there is no free slot and the consumer has closed the channel, or between
    ///     [#reserve] and [#commit]
    /// @throws PeFailedException if the consumer fails during the wait, or has ended
    public void send(MemorySegment source, long index, long count) {
        OutgoingRing ring = checkSend("send", source, index, count);
        if (count > 0) {
            ring.awaitRoom("send");
            ring.put(source, index, count);
        }
    }

    /// Sends an item if there is a free slot. Never waits.
    ///
    /// @return whether the item was sent; true for count 0
    /// @throws IllegalStateException as [#send]
    public boolean trySend(MemorySegment source, long index, long count) {
        OutgoingRing ring = checkSend("trySend", source, index, count);
        if (count == 0) {
            return true;
        }
        if (!ring.hasRoom("trySend")) {
            return false;
        }
        ring.put(source, index, count);
        return true;
    }

    private OutgoingRing checkSend(String operation, MemorySegment source, long index, long count) {
        OutgoingRing ring = outgoing(operation);
        checkCount(operation, count);
        channel.checkSegment(operation, "source", source, index, count);
        checkReserved(operation, false);
        return ring;
    }

    private void checkCount(String operation, long count) {
        long capacity = channel.layout().shape().capacity();
        if (count < 0 || count > capacity) {
            throw new IllegalArgumentException(
                    channel.prefix(operation) + "count " + count + " is outside [0, " + capacity + "]");
        }
    }

    private void checkReserved(String operation, boolean expected) {
        if (isReserved != expected) {
            throw new IllegalStateException(channel.prefix(operation)
                    + (expected ? "no slot is reserved; reserve one first" : "a slot is reserved; commit it first"));
        }
    }

    /// Waits for a free slot, and returns memory of `capacity` elements, in which the caller makes the next item:
    /// the slot itself where the caller can store there, so that the item is not copied. Its content is undefined.
    /// The same again until [#commit].
    ///
    /// @throws IllegalStateException as [#send]
    /// @throws PeFailedException as [#send]
    public MemorySegment reserve() {
        OutgoingRing ring = outgoing("reserve");
        if (!isReserved) {
            ring.awaitRoom("reserve");
            isReserved = true;
        }
        return ring.item();
    }

    /// Sends the first elements of the reserved memory. Never waits.
    ///
    /// @param count in `[0, capacity]`; 0 delivers nothing, and the slot is free for the next item
    /// @throws IllegalStateException if no slot is reserved
    public void commit(long count) {
        OutgoingRing ring = outgoing("commit");
        checkCount("commit", count);
        checkReserved("commit", true);
        if (count > 0) {
            ring.commit(count);
        }
        isReserved = false;
    }

    /// Returns how many items the caller has sent, as a producer.
    public long sent() {
        return outgoing("sent").sent();
    }

    /// Waits for the next item of any producer, and returns its length in elements. The item stays until
    /// [#release], and is the same at each call before.
    ///
    /// @return the length, or 0 if all producers have ended
    /// @throws PeFailedException if a producer that has not ended fails during the wait, or all have ended without
    ///     a close; [#disconnect] goes on without it
    public long await() {
        return incoming("await").await();
    }

    /// Waits as [#await()] for the next item of one producer.
    ///
    /// @param producer a member, one of [#producers]
    /// @return the length, or 0 if the producer has ended
    /// @throws IllegalStateException if an item of another producer is not released
    public long await(int producer) {
        return incoming("await").await("await", index("await", producer));
    }

    /// Takes the next item of any producer as [#await()] does, if there is one. Never waits.
    ///
    /// @return the length, 0 if all producers have ended, or −1 if no item has arrived
    public long poll() {
        return incoming("poll").poll();
    }

    /// Takes the next item of one producer as [#await(int)] does, if there is one. Never waits.
    ///
    /// @param producer a member, one of [#producers]
    /// @return the length, 0 if the producer has ended, or −1 if no item has arrived
    public long poll(int producer) {
        return incoming("poll").poll("poll", index("poll", producer));
    }

    private int index(String operation, int producer) {
        int index = channel.producerIndex(producer);
        if (index < 0) {
            throw new IndexOutOfBoundsException(channel.prefix(operation) + "member " + producer
                    + " is no producer of the channel; producers are " + Arrays.toString(channel.producers()));
        }
        return index;
    }

    /// Returns the memory of the item that [#await] or [#poll] has taken: the slot, of which the item has the first
    /// [#length] elements. It belongs to the producer again after [#release].
    ///
    /// @throws IllegalStateException if there is no item
    public MemorySegment item() {
        return incoming("item").current("item").item();
    }

    /// Returns the length of the item in elements.
    ///
    /// @throws IllegalStateException if there is no item
    public long length() {
        IncomingRings rings = incoming("length");
        rings.current("length");
        return rings.length();
    }

    /// Returns the member that has sent the item.
    ///
    /// @throws IllegalStateException if there is no item
    public int producer() {
        return incoming("producer").current("producer").producer();
    }

    /// Gives the slot of the item back to its producer.
    ///
    /// @throws IllegalStateException if there is no item
    public void release() {
        IncomingRings rings = incoming("release");
        rings.current("release");
        rings.release();
    }

    /// Waits for the next item of any producer, copies and releases it: [#await()], a copy, [#release].
    ///
    /// @param target writable; gets the item from its element `index` on, and has room for `capacity` elements
    ///     there
    /// @return the length, or 0 if all producers have ended
    public long receive(MemorySegment target, long index) {
        IncomingRings rings = checkReceive("receive", target, index);
        long length = rings.copyNow(target, index);
        return length > 0 ? length : receive(rings, target, index, rings.await());
    }

    /// Receives as [#receive(MemorySegment, long)] the next item of one producer.
    ///
    /// @param producer a member, one of [#producers]
    /// @return the length, or 0 if the producer has ended
    public long receive(MemorySegment target, long index, int producer) {
        IncomingRings rings = checkReceive("receive", target, index);
        return receive(rings, target, index, rings.await("receive", index("receive", producer)));
    }

    /// Receives as [#receive(MemorySegment, long)], if an item has arrived. Never waits.
    ///
    /// @return the length, 0 if all producers have ended, or −1 if no item has arrived
    public long tryReceive(MemorySegment target, long index) {
        IncomingRings rings = checkReceive("tryReceive", target, index);
        long length = rings.copyNow(target, index);
        return length > 0 ? length : receive(rings, target, index, rings.poll());
    }

    private IncomingRings checkReceive(String operation, MemorySegment target, long index) {
        IncomingRings rings = incoming(operation);
        channel.checkSegment(
                operation, "target", target, index, channel.layout().shape().capacity());
        if (target.isReadOnly()) {
            throw new IllegalArgumentException(channel.prefix(operation) + "the target is read-only");
        }
        return rings;
    }

    private static long receive(IncomingRings rings, MemorySegment target, long index, long length) {
        if (length > 0) {
            rings.current("receive").copy(target, index, length);
            rings.release();
        }
        return length;
    }

    /// Returns how many items the caller has released, as the consumer.
    public long received() {
        return incoming("received").released();
    }

    /// Takes no more items of a producer, as if it had ended; its sends throw as after a close of the consumer. For
    /// a consumer that goes on after the producer has failed. A second call for the producer does nothing.
    ///
    /// @param producer a member, one of [#producers]
    /// @throws IllegalStateException if an item is not released
    public void disconnect(int producer) {
        IncomingRings rings = incoming("disconnect");
        int index = index("disconnect", producer);
        if (rings.hasItem()) {
            throw new IllegalStateException(channel.prefix("disconnect") + "an item of producer "
                    + rings.current("disconnect").producer() + " is not released; release it first");
        }
        rings.ring(index).disconnect();
    }

    /// Plans the caller's next send for a stream or a kernel, which waits and puts in its place: see [ChannelSend].
    /// It counts as sent now, so each plan must be done.
    ///
    /// @throws IllegalStateException between [#reserve] and [#commit]
    public ChannelSend planSend() {
        OutgoingRing ring = outgoing("planSend");
        checkReserved("planSend", false);
        return ring.plan();
    }

    /// Plans the next receive from a producer for a stream or a kernel: see [ChannelReceive]. It counts as received
    /// now, so each plan must be done, and the stream must have done all plans before the caller itself takes
    /// another item of the producer.
    ///
    /// @param producer a member, one of [#producers]
    /// @throws IllegalStateException if an item is not released
    public ChannelReceive planReceive(int producer) {
        IncomingRings rings = incoming("planReceive");
        int index = index("planReceive", producer);
        if (rings.hasItem()) {
            throw new IllegalStateException(channel.prefix("planReceive") + "an item of producer "
                    + rings.current("planReceive").producer() + " is not released; release it first");
        }
        return rings.ring(index).plan();
    }

    /// Ends the caller's side, and waits for no other PE. The memory is used again when all members have closed
    /// the channel, as that of a block; see [coterie.SymmetricMemory#close]. A second close does nothing, nor one
    /// after the end of the team.
    @Override
    public void close() {
        if (!channel.memory().isAccessible(channel.me())) {
            return;
        }
        if (outgoing != null) {
            outgoing.end();
        }
        if (incoming != null) {
            incoming.end();
        }
        channel.memory().close();
    }

    @Override
    public String toString() {
        return "channel of team \"" + channel.name() + "\" from members " + Arrays.toString(channel.producers())
                + " to member " + channel.consumer();
    }
}

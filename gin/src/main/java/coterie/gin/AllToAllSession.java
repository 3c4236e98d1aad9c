// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.IntegerView;
import coterie.WaitTimeoutException;
import coterie.stream.KernelGroup;
import java.time.Duration;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;

/// An exchange of single values among the members of a team, in *epochs*, without signals and barriers: a value tells
/// its receiver itself that it has come.
///
/// ```java
/// try (AllToAllSession exchange = gin.allToAll(all, requirement, 0)) {
///     for (int peer = 0; peer < all.size(); peer++) {
///         exchange.send(peer, all.rank(), rows[peer]);  // the sender chooses the slot at the receiver
///     }
///     for (int slot = 0; slot < all.size(); slot++) {
///         sum += exchange.receive(slot);
///     }
///     exchange.endEpoch();
/// }
/// ```
///
/// In each epoch a member sends at least one value to every member, itself included, and receives at least one of
/// every member; [#endEpoch] checks both. So no member is two epochs ahead of another, and two sets of slots, used by
/// turns, are enough. In one epoch each slot of a member gets one value at most: members agree on the slots.
///
/// Values have 8 bytes. Epochs go on in the next session of the block. A session is the resource of a `try`: its close
/// waits for nothing. Threads: any, as [Gin]; those of a kernel send and receive each by itself, with
/// `by(thread)`, and end the epoch together.
/// @counterpart `ncclLLA2ASession`; on every conduit, towards peers that are not direct with a fence for each value
public final class AllToAllSession implements AutoCloseable {
    /// Tags are `epoch << SENDER_BITS | sender`, so that they go up with the epochs.
    private static final int SENDER_BITS = 20;

    private static final long ALL_BITS = -1;

    private final Gin gin;
    private final Block block;

    /// What the views of one session share.
    private static final class Block {
        final GinTeam team;
        final int number;
        final AllToAllSlots slots;
        final Window window;
        final IntegerView words;

        /// of each member: the epoch after the latest in which the caller has sent to it, or received of it
        final AtomicLongArray sent;

        final AtomicLongArray received;
        final AtomicBoolean isClosed = new AtomicBoolean();

        /// The group of a kernel that ends an epoch meets before and after it is written.
        volatile long epoch;

        Block(GinTeam team, int number, AllToAllSlots slots, Window window, IntegerView words) {
            this.team = team;
            this.number = number;
            this.slots = slots;
            this.window = window;
            this.words = words;
            this.epoch = words.getAcquire(slots.epochs());
            this.sent = new AtomicLongArray(team.size());
            this.received = new AtomicLongArray(team.size());
        }
    }

    private AllToAllSession(Gin gin, Block block) {
        this.gin = gin;
        this.block = block;
    }

    static AllToAllSession begin(Gin gin, GinTeam team, ResourceRequirement requirement, int block) {
        DeviceCommunicator comm = gin.communicator();
        GinContext context = gin.context();
        comm.checkOpen("allToAll");
        comm.checks().checkOwner("allToAll", "team", team);
        comm.checks().checkNotNull("allToAll", "requirement", requirement);
        Resources got = comm.resources(requirement);
        int slots = requirement.slots();
        if (slots == 0) {
            throw new IllegalArgumentException(context.where("allToAll") + ": " + requirement
                    + "; allowed are those of ResourceRequirement.allToAll");
        }
        long words = AllToAllSlots.words(slots);
        long blocks = requirement.bytes() / (words * Long.BYTES);
        if (block < 0 || block >= blocks) {
            throw new IndexOutOfBoundsException(
                    context.where("allToAll") + ": block " + block + "; allowed are [0, " + blocks + ")");
        }
        Window window = comm.resourceWindow();
        IntegerView view = window.longs(context.index);
        long base = window.word(comm.rank(), got.byteOffset()) + block * words;
        AllToAllSlots places = new AllToAllSlots(base, slots);
        if (view.compareAndExchange(places.use(), 0, 1, comm.rank()) != 0) {
            throw new GinException(
                    GinError.BUSY,
                    context.where("allToAll") + ": another session uses block " + block + "; close it before");
        }
        return new AllToAllSession(gin, new Block(team, block, places, window, view));
    }

    /// Returns the same session for a group of a kernel's threads, which call each method together; for a thread that
    /// calls alone pass the thread.
    /// @counterpart the coop of a session
    public AllToAllSession by(KernelGroup group) {
        return new AllToAllSession(gin.by(group), block);
    }

    /// Returns the same session with another timeout, as [Gin#withTimeout].
    public AllToAllSession withTimeout(Duration timeout) {
        return new AllToAllSession(gin.withTimeout(timeout), block);
    }

    /// Returns the number of the epoch, which began with 0 when the communicator was made.
    public long epoch() {
        return block.epoch;
    }

    /// Sends a value to a slot of a member, which sees it as soon as it has come.
    /// @counterpart `ncclLLA2ASession::send`
    /// @param peer in `[0, team.size())`; the caller's own number is allowed
    /// @param slot at the peer, in `[0, slots)` of the requirement, to which no other value goes in this epoch
    public void send(int peer, int slot, long value) {
        int rank = checked("send", peer, slot);
        if (gin.group() == null) {
            store(rank, peer, slot, value);
        } else {
            gin.once(() -> store(rank, peer, slot, value));
        }
    }

    /// Sends a value to the same slot of every member.
    /// @counterpart `ncclLLA2ASession::bcast`
    /// @param slot as of [#send]
    public void broadcast(int slot, long value) {
        int size = block.team.size();
        for (int peer = 0; peer < size; peer++) {
            checked("broadcast", peer, slot);
        }
        gin.once(() -> {
            for (int peer = 0; peer < size; peer++) {
                store(block.team.toCommunicator(peer), peer, slot, value);
            }
        });
    }

    private int checked(String operation, int peer, int slot) {
        GinContext context = gin.context();
        int rank = gin.communicator().checks().target(context, operation, block.team, peer);
        checkSlot(operation, slot);
        return rank;
    }

    private void checkSlot(String operation, int slot) {
        GinContext context = gin.context();
        gin.communicator().checkOpen(operation);
        if (block.isClosed.get()) {
            throw new IllegalStateException(context.where(operation) + ": the all-to-all session is closed");
        }
        if (slot < 0 || slot >= block.slots.count) {
            throw new IndexOutOfBoundsException(context.where(operation) + ": slot " + slot + " of block "
                    + block.number + "; allowed are [0, " + block.slots.count + ")");
        }
    }

    private void store(int rank, int peer, int slot, long value) {
        long epoch = block.epoch;
        gin.context().hint(OptFlag.DEFAULT);
        block.words.put(block.slots.value(epoch, slot), value, rank);
        if (!gin.communicator().isDirect(rank)) {
            gin.context().context.fence();
        }
        block.words.setRelease(
                block.slots.tag(epoch, slot), least(epoch) | gin.communicator().rank(), rank);
        block.sent.set(peer, epoch + 1);
    }

    /// Returns the least tag of an epoch; no tag of an earlier one is as large, and a slot begins with 0.
    private static long least(long epoch) {
        return (epoch + 1) << SENDER_BITS;
    }

    /// Waits for the value that a slot of the caller gets in this epoch, and returns it; any number of times.
    /// @counterpart `ncclLLA2ASession::recv`; `recvUnrolled` and `recvReduce` are loops of it
    /// @param slot in `[0, slots)` of the requirement
    /// @throws coterie.WaitTimeoutException at the timeout
    /// @throws coterie.PeFailedException if a PE has failed meanwhile
    public long receive(int slot) {
        checkSlot("receive", slot);
        long epoch = block.epoch;
        long word = block.slots.tag(epoch, slot);
        long tag = awaitTag(epoch, slot, word, least(epoch));
        int sender = (int) (tag & ((1L << SENDER_BITS) - 1));
        int peer = block.team.fromCommunicator(sender);
        if (peer >= 0) {
            block.received.set(peer, epoch + 1);
        }
        return block.words.get(block.slots.value(epoch, slot));
    }

    private long awaitTag(long epoch, int slot, long word, long least) {
        try {
            if (SignalWaits.hasMet(gin, block.words, word, 0, least, ALL_BITS)) {
                return GinContext.raw(block.words, word);
            }
        } catch (WaitTimeoutException e) {
            throw Wait.expired(report(epoch, slot), gin.timeout());
        }
        return SignalWaits.waitWord(gin, block.words, word, 0, least, ALL_BITS, () -> report(epoch, slot));
    }

    private String report(long epoch, int slot) {
        long tag = block.words.get(block.slots.tag(epoch, slot));
        long before = (tag >>> SENDER_BITS) - 1;
        return gin.context().where("receive") + ": slot " + slot + " of block " + block.number
                + " has no value of epoch " + epoch + (before < 0 ? "" : ", its latest is of epoch " + before);
    }

    /// Ends the caller's epoch: the caller reads none of its slots any more. Waits for no member.
    /// @counterpart `ncclLLA2ASession::endEpoch`; that the caller has sent to and received of all is unchecked
    ///     there
    /// @throws IllegalStateException if the caller has not sent to every member, or not received of every member:
    ///     the message has the ranks, and the epoch goes on
    public void endEpoch() {
        checkSlot("endEpoch", 0);
        gin.once(() -> {
            long epoch = block.epoch;
            checkAll("sent to", block.sent, epoch);
            checkAll("received of", block.received, epoch);
            block.words.setRelease(block.slots.epochs(), epoch + 1);
            block.epoch = epoch + 1;
        });
    }

    private void checkAll(String what, AtomicLongArray known, long epoch) {
        StringJoiner missing = new StringJoiner(", ");
        for (int peer = 0; peer < known.length(); peer++) {
            if (known.get(peer) <= epoch) {
                missing.add(String.valueOf(block.team.toCommunicator(peer)));
            }
        }
        if (missing.length() > 0) {
            throw new IllegalStateException(gin.context().where("endEpoch") + ": in epoch " + epoch + " of block "
                    + block.number + " the caller has not " + what + " ranks [" + missing
                    + "]; each member sends to and receives of all in each epoch");
        }
    }

    /// Ends the session; another may use the block, and goes on with the epoch. A second close does nothing.
    @Override
    public void close() {
        if (block.isClosed.compareAndSet(false, true) && !block.window.isClosed()) {
            block.words.setRelease(block.slots.use(), 0);
        }
    }

    @Override
    public String toString() {
        return "all-to-all session of block " + block.number + " on " + gin;
    }
}

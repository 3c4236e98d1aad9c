// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.Team;
import coterie.cuda.ExchangeMemory.Word;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.stream.EventOption;
import coterie.stream.StreamEvent;
import coterie.stream.StreamException;
import coterie.stream.StreamOption;
import coterie.stream.StreamRuntime;
import coterie.stream.WorkStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Sends and receives between pairs of members by the host. Each pair and direction has a lane, a stream of the host,
/// so that no transfer waits for one with another member. A transfer is over on both sides at the same time:
///
/// ```
///  sender    offers n bytes │ waits │ device → slot │ puts the slot │ waits        │ … next piece
///  receiver  wants n bytes  │ waits │ waits                         │ slot → device, takes it │ …
/// ```
///
/// Both compare the bytes before any move. A stream of the driver that waits for nothing does the copies, and the
/// lanes ask whether they are over: the device waits for the lanes in the program's stream alone.
final class HostExchange {
    /// Polls of a wait between two looks for failed members.
    private static final int HEALTH_POLLS = 64;

    private final DeviceContext context;
    private final StreamRuntime runtime;
    private final String teamName;

    /// The team's members, which it has until it is closed.
    private final int[] members;

    private final ExchangeMemory memory;
    private @Nullable StreamEvent begun;
    private final @Nullable PairLane[] senders;
    private final @Nullable PairLane[] receivers;
    private final List<PairLane> open = new ArrayList<>();

    /// The driver's stream for copies; 0 until [#open].
    private long copies;

    /// Why no transfer can go on any more; null if they can.
    private volatile @Nullable Throwable broken;

    HostExchange(Cuda cuda, Team team, String teamName, StagingMemory stage) {
        this.context = cuda.context();
        this.runtime = cuda.runtime();
        this.teamName = teamName;
        this.members = team.pes();
        this.memory = new ExchangeMemory(team, stage);
        this.senders = new PairLane[team.size()];
        this.receivers = new PairLane[team.size()];
    }

    /// Makes what may fail. Not collective.
    void open() {
        begun = runtime.createEvent(EventOption.DISABLE_TIMING);
        copies = context.created(
                "collectives",
                result -> context.driver.call(
                        DriverFunction.STREAM_CREATE_WITH_PRIORITY,
                        result,
                        DriverConstant.CU_STREAM_NON_BLOCKING.value(),
                        StreamRuntime.LEAST_PRIORITY));
    }

    /// Enqueues transfers with other members to the lane of the program's stream.
    void enqueue(WorkStream host, String operation, List<DeviceTransfer> transfers) {
        StreamEvent begin = Objects.requireNonNull(begun);
        host.record(begin);
        List<PairLane> used = new ArrayList<>();
        for (DeviceTransfer each : transfers) {
            PairLane lane = lane(each);
            if (!used.contains(lane)) {
                lane.stream.waitEvent(begin);
                used.add(lane);
            }
            lane.enqueue(operation, each);
        }
        for (PairLane each : used) {
            each.stream.record(each.done);
            host.waitEvent(each.done);
        }
    }

    private PairLane lane(DeviceTransfer transfer) {
        @Nullable PairLane[] lanes = transfer.isSend() ? senders : receivers;
        PairLane lane = lanes[transfer.peer()];
        if (lane == null) {
            lane = new PairLane(transfer.direction(), transfer.peer());
            lanes[transfer.peer()] = lane;
            open.add(lane);
        }
        return lane;
    }

    /// Ends all waits, for the first cause.
    private void fail(Throwable cause) {
        if (broken == null) {
            broken = cause;
        }
    }

    private String prefix(String operation) {
        return operation + " of device memory on team \"" + teamName + "\", PE " + context.world.pe() + ": ";
    }

    /// What one member sends to another one, in order.
    private final class PairLane {
        final WorkStream stream;
        final StreamEvent done = runtime.createEvent(EventOption.DISABLE_TIMING);
        private final DeviceTransfer.Direction direction;
        private final int peer;
        private final long copied;
        private long transfers;
        private long pieces;

        PairLane(DeviceTransfer.Direction direction, int peer) {
            this.direction = direction;
            this.peer = peer;
            this.stream = runtime.createStream(toString(), StreamRuntime.LEAST_PRIORITY, StreamOption.NON_BLOCKING);
            stream.onFailure(HostExchange.this::fail);
            this.copied = context.created(
                    "collectives",
                    result -> context.driver.call(
                            DriverFunction.EVENT_CREATE, result, DriverConstant.CU_EVENT_DISABLE_TIMING.value()));
        }

        void enqueue(String operation, DeviceTransfer transfer) {
            transfers++;
            agree(operation, transfer);
            long done = 0;
            do {
                long bytes = Math.min(memory.slotBytes(), transfer.bytes() - done);
                pieces++;
                if (transfer.isSend()) {
                    send(transfer.at() + done, bytes);
                } else {
                    receive(transfer.at() + done, bytes);
                }
                done += bytes;
            } while (done < transfer.bytes());
        }

        /// Exchanges the bytes of the transfer with the peer, and compares them.
        private void agree(String operation, DeviceTransfer transfer) {
            Word mine = transfer.isSend() ? Word.OWN_OFFER : Word.OWN_WANT;
            stream.execute(() -> memory.set(mine, peer, transfer.bytes()));
            if (transfer.isSend()) {
                memory.putWord(stream, mine, Word.OFFERED_BYTES, Word.OFFERED, transfers, peer);
                stream.executeUntil(new PairWait(this, Word.WANTED, transfers));
                stream.execute(() -> compare(operation, transfer, memory.get(Word.WANTED_BYTES, peer)));
            } else {
                memory.putWord(stream, mine, Word.WANTED_BYTES, Word.WANTED, transfers, peer);
                stream.executeUntil(new PairWait(this, Word.OFFERED, transfers));
                stream.execute(() -> compare(operation, transfer, memory.get(Word.OFFERED_BYTES, peer)));
            }
        }

        private void compare(String operation, DeviceTransfer transfer, long theirs) {
            long sent = transfer.isSend() ? transfer.bytes() : theirs;
            long received = transfer.isSend() ? theirs : transfer.bytes();
            if (sent != received) {
                int me = context.world.pe();
                int other = members[peer];
                throw new CollectiveMismatchException(prefix(operation) + "PE " + (transfer.isSend() ? me : other)
                        + " sends " + sent + " bytes to PE " + (transfer.isSend() ? other : me) + ", which receives "
                        + received);
            }
        }

        private void send(long from, long bytes) {
            if (bytes > 0) {
                long to = memory.sourceAddress(peer);
                stream.executeUntil(new DeviceCopy(DriverFunction.MEMCPY_TO_HOST, to, from, bytes, copied));
            }
            memory.putPiece(stream, bytes, pieces, peer);
            stream.executeUntil(new PairWait(this, Word.TAKEN, pieces));
        }

        private void receive(long to, long bytes) {
            stream.executeUntil(new PairWait(this, Word.ARRIVED, pieces));
            if (bytes > 0) {
                long from = memory.targetAddress(peer);
                stream.executeUntil(new DeviceCopy(DriverFunction.MEMCPY_TO_DEVICE, to, from, bytes, copied));
            }
            memory.putTaken(stream, pieces, peer);
        }

        /// Its work is over, or goes on no more.
        void close() {
            stream.close();
            if (context.canRelease()) {
                context.driver.call(DriverFunction.EVENT_DESTROY, copied);
            }
        }

        /// For people: the name of the stream, and what a wait is for.
        @Override
        public String toString() {
            return (direction == DeviceTransfer.Direction.SEND ? "send to PE " : "receive from PE ") + members[peer]
                    + " on team \"" + teamName + "\"";
        }
    }

    /// That a word of a pair has come to a number.
    private final class PairWait implements BooleanSupplier {
        private final PairLane lane;
        private final Word word;
        private final long number;
        private int polls;

        PairWait(PairLane lane, Word word, long number) {
            this.lane = lane;
            this.word = word;
            this.number = number;
        }

        @Override
        public boolean getAsBoolean() {
            checkNotBroken();
            if (memory.signal(word, lane.peer).fetch() >= number) {
                return true;
            }
            if (++polls % HEALTH_POLLS == 0) {
                checkMembers(lane);
            }
            return false;
        }

        @Override
        public String toString() {
            return lane.toString();
        }
    }

    /// Throws if a member has failed: also one that is not the peer, since the peer may wait for it.
    private void checkMembers(PairLane lane) {
        for (int pe : members) {
            if (context.world.team().hasFailed(pe)) {
                throw new PeFailedException(
                        lane + ", PE " + context.world.pe() + ": PE " + pe + " has failed", List.of(pe));
            }
        }
    }

    /// Throws what another transfer has failed with, so that the program's stream has it whichever fails first.
    private void checkNotBroken() {
        Throwable cause = broken;
        if (cause instanceof RuntimeException first) {
            throw first;
        }
        if (cause != null) {
            throw new CoterieException("another transfer has failed: " + cause.getMessage(), cause);
        }
    }

    /// A copy of the driver, which begins at the first poll.
    private final class DeviceCopy implements BooleanSupplier {
        private final DriverFunction kind;
        private final long to;
        private final long from;
        private final long bytes;
        private final long event;
        private boolean hasBegun;

        DeviceCopy(DriverFunction kind, long to, long from, long bytes, long event) {
            this.kind = kind;
            this.to = to;
            this.from = from;
            this.bytes = bytes;
            this.event = event;
        }

        /// A virtual thread has no context of the driver, and a capture refuses calls: another poll does them.
        @Override
        public boolean getAsBoolean() {
            String operation = "a copy of a transfer";
            context.checkNotLost(operation);
            if (context.captures.get() > 0 || Thread.currentThread().isVirtual()) {
                checkNotBroken();
                return false;
            }
            context.check(operation, context.driver.call(DriverFunction.CTX_SET_CURRENT, context.handle));
            if (!hasBegun) {
                hasBegun = true;
                context.check(operation, context.driver.call(kind, to, from, bytes, copies));
                context.check(operation, context.driver.call(DriverFunction.EVENT_RECORD, event, copies));
            }
            return context.isOver(operation, context.driver.call(DriverFunction.EVENT_QUERY, event));
        }

        @Override
        public String toString() {
            return "copy of a transfer on team \"" + teamName + "\"";
        }
    }

    /// After a transfer has failed: waits until the others have failed, too, which takes no other PE.
    void settle() {
        if (broken == null) {
            return;
        }
        for (PairLane each : open) {
            context.world.progressUntil(() -> each.stream.pending() == 0);
            try {
                each.stream.query();
            } catch (StreamException e) {
                fail(e); // the program's stream has it, too
            }
        }
    }

    /// Ends what this member has of it. Its work is over.
    void close() {
        open.forEach(PairLane::close);
        if (copies != 0 && context.canRelease()) {
            context.driver.call(DriverFunction.STREAM_DESTROY, copies);
            copies = 0;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.Team;
import coterie.collective.CollectiveType;
import coterie.cuda.DeviceTransfer.Direction;
import coterie.stream.StreamException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collectives of a team over [DeviceMemory], as operations of a [CudaStream]. [Cuda#collectives] makes them.
///
/// ```java
/// DeviceCollectives collectives = cuda.collectives(world.team());
/// stream.launch(gradients, grid, block, 0, memory, n);
/// collectives.allReduce(stream, Reduction.SUM, ElementType.FLOAT, memory, 0, memory, 0, n);
/// stream.launch(update, grid, block, 0, memory, n);
/// ```
///
/// Source and target are at the same place on every member, but for the own blocks of the table, and where sender
/// and receiver each pass their own: in allToAllV, send and receive. Indices count elements from the begin of the
/// part, as those of a view do; counts are the same on all members, `0 ≤ count`; 0 moves nothing. The table has the
/// elements; `n` is the number of members, *in place* says where a target begins that overlaps with its source:
///
/// | collective | source | target | in place |
/// |---|---|---|---|
/// | allReduce, reduce, broadcast | count | count | at the source |
/// | allGather, gather | count | n × count | so that the source is the caller's own block of it |
/// | reduceScatter, scatter | n × count | count | at the caller's own block of the source |
/// | allToAll | n × count | n × count | not |
/// | allToAllV | what its counts say | what its counts say | not |
/// | send, receive | count, of the sender | count, of the receiver | not |
///
/// **Engines.** Three can do the work, the first that all members can use, or the one of the setting
/// `COTERIE_CUDA_COLLECTIVES`; a call that it can't do goes to the next one, on all members alike:
///
/// | engine | needs | can't do |
/// |---|---|---|
/// | nccl | NCCL 2.14 or later, a device for each member | reductions of 16-bit integers and of bits |
/// | kernels | NVRTC, memory that each member reaches on all | reductions of more than 64 members, allToAllV, group |
/// | host | nothing | |
///
/// A floating-point sum is reduced as NCCL groups it, by kernels in the order of the members as [Team#allReduce]
/// does, by the host as a request of [Team#prepare]. [coterie.ExtendedReduction#AVERAGE] of floating-point numbers
/// is that sum, divided once; NCCL divides and rounds in its own way.
/// MIN and MAX follow [coterie.Reduction], but for numbers that are none (NaN) and zeros with NCCL.
///
/// **Order.** All members call the same collectives in the same order; a send and its receive are calls of two
/// members, which may be at different places. Those of one object run one after the other, in whatever streams;
/// with other collectives of the team they have no order. The host engine reports calls that differ with a
/// [coterie.CollectiveMismatchException] in the stream, of a send and its receive the sizes; the others can't, and
/// such calls may wait for ever.
///
/// **Captures.** A stream that captures takes collectives of the nccl engine, and refuses those of the others. The
/// program orders the launches of the graph with other collectives of the object.
///
/// **Failures.** If a PE fails, the streams of the others fail, and their devices wait for nothing more.
///
/// Threads: one platform thread at a time.
public final class DeviceCollectives implements AutoCloseable {
    private final Cuda cuda;
    private final DeviceContext context;
    private final Team team;
    private final String teamName;
    private final StagingMemory stage;
    private final List<CollectiveEngine> engines;
    private final String reason;
    private final DeviceCallChecks checks;
    private final ExchangeChecks exchanges;
    private final CollectiveSequence sequence;

    /// The group that the caller is in.
    private @Nullable TransferGroup group;

    private boolean isClosed;

    /// Of an operation before the latest collective.
    private volatile @Nullable StreamException failure;

    /// @param team a duplicate of the program's
    /// @param teamName of the program's
    DeviceCollectives(
            Cuda cuda, Team team, String teamName, StagingMemory stage, List<CollectiveEngine> engines, String reason) {
        this.cuda = cuda;
        this.context = cuda.context();
        this.team = team;
        this.teamName = teamName;
        this.stage = stage;
        this.engines = List.copyOf(engines);
        this.reason = reason;
        this.checks = new DeviceCallChecks(context, team, teamName);
        this.exchanges = new ExchangeChecks(checks, team);
        this.sequence = new CollectiveSequence(cuda, this.engines);
    }

    /// Returns the name of the engine that does what it can: "nccl", "kernels" or "host".
    public String engine() {
        return engines.getFirst().name();
    }

    /// Returns why it is this engine, for people.
    public String reason() {
        return reason;
    }

    /// Element `i` of every target becomes the reduction of element `i` of all sources.
    /// @counterpart `nvshmemx_TYPE_OP_reduce_on_stream`, `ncclAllReduce`
    /// @throws IllegalArgumentException if an argument is out of range, ranges overlap, the type lacks the
    ///     reduction, or a member of the team has no part of the memory
    /// @throws IndexOutOfBoundsException if a range leaves the memory
    /// @throws coterie.stream.StreamException if an operation of the stream has failed
    /// @throws CudaException if the device has failed
    public void allReduce(
            CudaStream stream,
            ReductionOperator<?> reduction,
            ElementType elements,
            DeviceMemory target,
            long targetIndex,
            DeviceMemory source,
            long sourceIndex,
            long count) {
        checks.checked(reduction, "allReduce", "reduction");
        run(CollectiveType.ALL_REDUCE, stream, reduction, elements, target, targetIndex, source, sourceIndex, count, 0);
    }

    /// Element `i` of the root's target becomes the reduction of element `i` of all sources; the other targets
    /// stay as they are. Throws as [#allReduce] does.
    /// @counterpart `ncclReduce`
    /// @param root a member, in `[0, size)`
    public void reduce(
            CudaStream stream,
            ReductionOperator<?> reduction,
            ElementType elements,
            DeviceMemory target,
            long targetIndex,
            DeviceMemory source,
            long sourceIndex,
            long count,
            int root) {
        checks.checked(reduction, "reduce", "reduction");
        run(CollectiveType.REDUCE, stream, reduction, elements, target, targetIndex, source, sourceIndex, count, root);
    }

    /// Copies the root's source to every target, the root's included. Throws as [#allReduce] does.
    /// @counterpart `nvshmemx_broadcastmem_on_stream`, `ncclBroadcast`
    /// @param root a member, in `[0, size)`
    public void broadcast(
            CudaStream stream,
            ElementType elements,
            DeviceMemory target,
            long targetIndex,
            DeviceMemory source,
            long sourceIndex,
            long count,
            int root) {
        run(CollectiveType.BROADCAST, stream, null, elements, target, targetIndex, source, sourceIndex, count, root);
    }

    /// Copies the source of each member to its block of every target. Throws as [#allReduce] does.
    /// @counterpart `nvshmemx_fcollectmem_on_stream`, `ncclAllGather`
    /// @param count elements of a block
    public void allGather(
            CudaStream stream,
            ElementType elements,
            DeviceMemory target,
            long targetIndex,
            DeviceMemory source,
            long sourceIndex,
            long count) {
        run(CollectiveType.ALL_GATHER, stream, null, elements, target, targetIndex, source, sourceIndex, count, 0);
    }

    /// Copies the source of each member to its block of the root's target; the other targets stay as they are.
    /// Throws as [#allReduce] does.
    /// @counterpart `ncclGather`
    /// @param count elements of a block
    /// @param root a member, in `[0, size)`
    public void gather(
            CudaStream stream,
            ElementType elements,
            DeviceMemory target,
            long targetIndex,
            DeviceMemory source,
            long sourceIndex,
            long count,
            int root) {
        run(CollectiveType.GATHER, stream, null, elements, target, targetIndex, source, sourceIndex, count, root);
    }

    /// Copies each member's block of the root's source to its target. Throws as [#allReduce] does.
    /// @counterpart `ncclScatter`
    /// @param count elements of a block
    /// @param root a member, in `[0, size)`
    public void scatter(
            CudaStream stream,
            ElementType elements,
            DeviceMemory target,
            long targetIndex,
            DeviceMemory source,
            long sourceIndex,
            long count,
            int root) {
        run(CollectiveType.SCATTER, stream, null, elements, target, targetIndex, source, sourceIndex, count, root);
    }

    /// Reduces `size * count` elements over all members; each member's target gets its block of the result. Throws
    /// as [#allReduce] does.
    /// @counterpart `nvshmemx_TYPE_OP_reducescatter_on_stream`, `ncclReduceScatter`
    /// @param count elements of a block
    public void reduceScatter(
            CudaStream stream,
            ReductionOperator<?> reduction,
            ElementType elements,
            DeviceMemory target,
            long targetIndex,
            DeviceMemory source,
            long sourceIndex,
            long count) {
        checks.checked(reduction, "reduceScatter", "reduction");
        run(
                CollectiveType.REDUCE_SCATTER,
                stream,
                reduction,
                elements,
                target,
                targetIndex,
                source,
                sourceIndex,
                count,
                0);
    }

    /// Exchanges blocks: block `j` of the source of member `i` becomes block `i` of the target of member `j`.
    /// Throws as [#allReduce] does.
    /// @counterpart `nvshmemx_alltoallmem_on_stream`, `ncclAlltoAll`
    /// @param count elements of a block
    public void allToAll(
            CudaStream stream,
            ElementType elements,
            DeviceMemory target,
            long targetIndex,
            DeviceMemory source,
            long sourceIndex,
            long count) {
        run(CollectiveType.ALL_TO_ALL, stream, null, elements, target, targetIndex, source, sourceIndex, count, 0);
    }

    /// Exchanges blocks of any lengths as [#allToAll] does those of one: sender and receiver of a block pass its
    /// count. Throws as [#allReduce] does.
    /// @counterpart a group of `ncclSend` and `ncclRecv`
    /// @param targetCounts elements of the block from each member
    /// @param targetIndices where each of them begins; the blocks are disjoint from each other and from the source
    /// @param sourceCounts elements of the block for each member
    /// @param sourceIndices where each of them begins
    public void allToAllV(
            CudaStream stream,
            ElementType elements,
            DeviceMemory target,
            long[] targetCounts,
            long[] targetIndices,
            DeviceMemory source,
            long[] sourceCounts,
            long[] sourceIndices) {
        checkStream("allToAllV", stream);
        List<DeviceTransfer> transfers =
                exchanges.allToAllV(elements, target, targetCounts, targetIndices, source, sourceCounts, sourceIndices);
        sequence.enqueue(new DeviceExchange(stream, "allToAllV", DeviceExchange.Scope.TEAM, transfers));
    }

    /// Sends elements to a member, which receives as many; those of one pair meet in order. It may wait for the
    /// receive: so that two members send to each other, see [#group]. Throws as [#allReduce] does.
    /// @counterpart `ncclSend`
    /// @param peer a member, in `[0, size)`; the caller itself in a [#group] alone
    public void send(
            CudaStream stream, ElementType elements, DeviceMemory source, long sourceIndex, long count, int peer) {
        transfer(Direction.SEND, stream, elements, source, sourceIndex, count, peer);
    }

    /// Receives elements that a member sends. Throws as [#allReduce] does.
    /// @counterpart `ncclRecv`
    /// @param peer a member, in `[0, size)`; the caller itself in a [#group] alone
    public void receive(
            CudaStream stream, ElementType elements, DeviceMemory target, long targetIndex, long count, int peer) {
        transfer(Direction.RECEIVE, stream, elements, target, targetIndex, count, peer);
    }

    /// Starts sends and receives together, so that none waits for another one:
    ///
    /// ```java
    /// collectives.group(() -> {
    ///     collectives.send(stream, ElementType.FLOAT, halo, 0, n, right);
    ///     collectives.receive(stream, ElementType.FLOAT, halo, n, n, left);
    /// });
    /// ```
    ///
    /// Throws as [#allReduce] does.
    /// @counterpart `ncclGroupStart`, `ncclGroupEnd`
    /// @param transfers is called at once; it calls [#send] and [#receive] of this object, for one stream and for
    ///     memory that a receive fills alone. If it throws, nothing is enqueued
    /// @throws IllegalStateException if the caller is in a group
    public void group(Runnable transfers) {
        checks.checked(transfers, "group", "transfers");
        checkOpen("group");
        checkNotGrouped("group");
        TransferGroup made = new TransferGroup();
        group = made;
        try {
            transfers.run();
        } finally {
            group = null;
        }
        CudaStream stream = made.stream;
        if (stream != null) {
            start(stream, "group", made.transfers);
        }
    }

    /// The calls of a group.
    private static final class TransferGroup {
        final List<DeviceTransfer> transfers = new ArrayList<>();

        @Nullable
        CudaStream stream;
    }

    private void transfer(
            Direction direction,
            CudaStream stream,
            ElementType elements,
            DeviceMemory memory,
            long index,
            long count,
            int peer) {
        String operation = direction == Direction.SEND ? "send" : "receive";
        checkUsable(operation, stream);
        DeviceTransfer transfer = exchanges.transfer(direction, elements, memory, index, count, peer);
        TransferGroup open = group;
        if (open == null) {
            start(stream, operation, List.of(transfer));
            return;
        }
        CudaStream first = open.stream;
        if (first != null && !first.equals(stream)) {
            throw checks.illegal(
                    operation,
                    "a group has one stream: \"" + first.name() + "\", and not also \"" + stream.name() + "\"");
        }
        open.stream = stream;
        open.transfers.add(transfer);
    }

    private void start(CudaStream stream, String operation, List<DeviceTransfer> transfers) {
        checkStream(operation, stream);
        exchanges.check(operation, transfers);
        sequence.enqueue(new DeviceExchange(stream, operation, DeviceExchange.Scope.PEERS, transfers));
    }

    /// Waits until the stream of every member has come to it, and completes what the stream has put. The host does
    /// it, with any engine.
    /// @counterpart `nvshmemx_barrier_on_stream`
    /// @throws coterie.stream.StreamException if an operation of the stream has failed
    public void barrier(CudaStream stream) {
        checkStream("barrier", stream);
        sequence.enqueue(stream, () -> stream.barrier(team));
    }

    private void run(
            CollectiveType type,
            CudaStream stream,
            @Nullable ReductionOperator<?> reduction,
            ElementType elements,
            DeviceMemory target,
            long targetIndex,
            DeviceMemory source,
            long sourceIndex,
            long count,
            int root) {
        checkStream(type.method(), stream);
        DeviceCall call =
                checks.call(type, stream, reduction, elements, target, targetIndex, source, sourceIndex, count, root);
        if (count > 0) {
            sequence.enqueue(call);
        }
    }

    private void checkStream(String operation, CudaStream stream) {
        checkUsable(operation, stream);
        checkNotGrouped(operation);
    }

    private void checkNotGrouped(String operation) {
        if (group != null) {
            throw new IllegalStateException(checks.prefix(operation) + "a group has send and receive alone");
        }
    }

    private void checkUsable(String operation, CudaStream stream) {
        checks.checked(stream, operation, "stream");
        checkOpen(operation);
        checks.stream(operation, stream);
    }

    private void checkOpen(String operation) {
        if (isClosed) {
            throw new IllegalStateException(checks.prefix(operation) + "the collectives are closed");
        }
    }

    /// Ends the caller's use of the collectives, and waits for no other PE: collectives that are not over still run,
    /// and what the caller has for them goes after them. Synchronize the streams before, if the program needs the
    /// results. What NCCL has stays until the world closes, since its members end a communicator together:
    /// [#destroy] gives it back at once. A second close does nothing.
    ///
    /// @throws coterie.stream.StreamException if an operation before a collective has failed; all is closed
    ///     nevertheless
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        DeviceContext.refuseVirtual("close of collectives", checks.prefix("close"));
        isClosed = true;
        cuda.forget(this);
        engines.forEach(CollectiveEngine::settle);
        context.releases.add(this::release);
        StreamException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    private boolean release() {
        try {
            sequence.end();
        } catch (StreamException e) {
            failure = e; // for the close; after it the stream or the runtime tells
        } finally {
            engines.forEach(engine -> context.releases.add(engine::closeAlone));
            stage.close();
            team.close();
        }
        return true;
    }

    /// Waits for the latest collective, and ends the collectives of all members.
    ///
    /// **Collective** over the team. If a member has failed, this waits for no member.
    /// @counterpart `ncclCommDestroy`
    /// @throws coterie.stream.StreamException if an operation before a collective has failed; all is closed
    ///     nevertheless
    public void destroy() {
        checkOpen("destroy");
        DeviceContext.refuseVirtual("destroy of collectives", checks.prefix("destroy"));
        isClosed = true;
        cuda.forget(this);
        try {
            sequence.end();
        } finally {
            engines.forEach(CollectiveEngine::settle);
            destroyAll();
        }
    }

    private void destroyAll() {
        boolean isWhole = team.failedPes().length == 0;
        try {
            if (isWhole) {
                team.barrier(); // no device uses another's memory any more
            }
        } finally {
            engines.forEach(CollectiveEngine::close);
            stage.close();
            if (isWhole) {
                team.destroy();
            } else {
                team.close();
            }
        }
    }

    @Override
    public String toString() {
        return "collectives of team \"" + teamName + "\" by " + engine();
    }
}

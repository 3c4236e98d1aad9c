// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.Reduction;
import coterie.Team;
import coterie.collective.CollectiveType;
import coterie.stream.StreamException;
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
/// Source and target are at the same place on every member, but for the own blocks of the table. Offsets are bytes
/// from the begin of the part, a multiple of the element's size; counts are in elements, the same on all,
/// `0 ≤ count`; 0 moves nothing. The table has the elements; `n` is the number of members, *in place* says where a
/// target begins that overlaps with its source:
///
/// | collective | source | target | in place |
/// |---|---|---|---|
/// | allReduce, reduce, broadcast | count | count | at the source |
/// | allGather | count | n × count | so that the source is the caller's own block of it |
/// | reduceScatter | n × count | count | at the caller's own block of the source |
/// | allToAll | n × count | n × count | not |
///
/// **Engines.** Three can do the work, the first that all members can use, or the one of the setting
/// `COTERIE_CUDA_COLLECTIVES`; a call that it can't do goes to the next one, on all members alike:
///
/// | engine | needs | can't do |
/// |---|---|---|
/// | nccl | NCCL 2.14 or later, a device for each member | reductions of 16-bit integers and of bits |
/// | kernels | NVRTC, memory that each member reaches on all | reductions of more than 64 members |
/// | host | nothing | |
///
/// A floating-point sum is reduced as NCCL groups it, by kernels in the order of the members as [Team#allReduce]
/// does, by the host as a request of [Team#prepare].
/// MIN and MAX follow [Reduction], but for numbers that are none (NaN) and zeros with NCCL.
///
/// **Order.** All members call the same collectives in the same order. Those of one object run one after the
/// other, in whatever streams; with other collectives of the team they have no order. The host engine reports
/// calls that differ with a [coterie.CollectiveMismatchException] in the stream; the others can't, and such calls
/// may wait for ever.
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

    /// What the latest collective is before.
    private final CudaEvent latest;

    private @Nullable CudaStream latestStream;

    /// A team that has all members of this one.
    private @Nullable Team checkedTeam;

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
        this.latest = cuda.createUntimedEvent();
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
            Reduction reduction,
            ElementType elements,
            DeviceMemory target,
            long targetByte,
            DeviceMemory source,
            long sourceByte,
            long count) {
        checked(reduction, "allReduce", "reduction");
        run(CollectiveType.ALL_REDUCE, stream, reduction, elements, target, targetByte, source, sourceByte, count, 0);
    }

    /// Element `i` of the root's target becomes the reduction of element `i` of all sources; the other targets
    /// stay as they are. Throws as [#allReduce] does.
    /// @counterpart `ncclReduce`
    /// @param root a member, in `[0, size)`
    public void reduce(
            CudaStream stream,
            Reduction reduction,
            ElementType elements,
            DeviceMemory target,
            long targetByte,
            DeviceMemory source,
            long sourceByte,
            long count,
            int root) {
        checked(reduction, "reduce", "reduction");
        run(CollectiveType.REDUCE, stream, reduction, elements, target, targetByte, source, sourceByte, count, root);
    }

    /// Copies the root's source to every target, the root's included. Throws as [#allReduce] does.
    /// @counterpart `nvshmemx_broadcastmem_on_stream`, `ncclBroadcast`
    /// @param root a member, in `[0, size)`
    public void broadcast(
            CudaStream stream,
            ElementType elements,
            DeviceMemory target,
            long targetByte,
            DeviceMemory source,
            long sourceByte,
            long count,
            int root) {
        run(CollectiveType.BROADCAST, stream, null, elements, target, targetByte, source, sourceByte, count, root);
    }

    /// Copies the source of each member to its block of every target. Throws as [#allReduce] does.
    /// @counterpart `nvshmemx_fcollectmem_on_stream`, `ncclAllGather`
    /// @param count elements of a block
    public void allGather(
            CudaStream stream,
            ElementType elements,
            DeviceMemory target,
            long targetByte,
            DeviceMemory source,
            long sourceByte,
            long count) {
        run(CollectiveType.ALL_GATHER, stream, null, elements, target, targetByte, source, sourceByte, count, 0);
    }

    /// Reduces `size * count` elements over all members; each member's target gets its block of the result. Throws
    /// as [#allReduce] does.
    /// @counterpart `nvshmemx_TYPE_OP_reducescatter_on_stream`, `ncclReduceScatter`
    /// @param count elements of a block
    public void reduceScatter(
            CudaStream stream,
            Reduction reduction,
            ElementType elements,
            DeviceMemory target,
            long targetByte,
            DeviceMemory source,
            long sourceByte,
            long count) {
        checked(reduction, "reduceScatter", "reduction");
        run(
                CollectiveType.REDUCE_SCATTER,
                stream,
                reduction,
                elements,
                target,
                targetByte,
                source,
                sourceByte,
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
            long targetByte,
            DeviceMemory source,
            long sourceByte,
            long count) {
        run(CollectiveType.ALL_TO_ALL, stream, null, elements, target, targetByte, source, sourceByte, count, 0);
    }

    /// Waits until the stream of every member has come to it, and completes what the stream has put. The host does
    /// it, with any engine.
    /// @counterpart `nvshmemx_barrier_on_stream`
    /// @throws coterie.stream.StreamException if an operation of the stream has failed
    public void barrier(CudaStream stream) {
        checkStream("barrier", stream);
        order(stream);
        stream.barrier(team);
        passed(stream);
    }

    private void run(
            CollectiveType type,
            CudaStream stream,
            @Nullable Reduction reduction,
            ElementType elements,
            DeviceMemory target,
            long targetByte,
            DeviceMemory source,
            long sourceByte,
            long count,
            int root) {
        String operation = type.method();
        checkStream(operation, stream);
        checked(elements, operation, "elements");
        checkReduction(operation, reduction, elements);
        int sources = DeviceCall.sourceBlocks(type, team.size());
        int targets = DeviceCall.targetBlocks(type, team.size());
        long most = Long.MAX_VALUE / elements.byteSize() / team.size();
        if (count < 0 || count > most) {
            throw illegal(operation, "count " + count + " is outside [0, " + most + "]");
        }
        if (root < 0 || root >= team.size()) {
            throw new IndexOutOfBoundsException(
                    prefix(operation) + "root " + root + " is outside [0, " + team.size() + ")");
        }
        long bytes = count * elements.byteSize();
        long to = place(operation, "target", target, targetByte, elements, targets * bytes);
        long from = place(operation, "source", source, sourceByte, elements, sources * bytes);
        checkOverlap(type, to, targets * bytes, from, sources * bytes, bytes);
        if (count == 0) {
            return;
        }
        DeviceCall call = new DeviceCall(
                stream, type, reduction, elements, target, to, source, from, sourceByte, targetByte, count, root);
        enqueue(engine(call), call);
    }

    private CollectiveEngine engine(DeviceCall call) {
        for (CollectiveEngine each : engines) {
            if (each.serves(call)) {
                return each;
            }
        }
        throw new AssertionError("the host serves all calls");
    }

    private void enqueue(CollectiveEngine engine, DeviceCall call) {
        CudaStream stream = call.stream();
        if (stream.core.isCaptured()) {
            if (!engine.isCapturable()) {
                stream.core.refuseCapture(call.operation());
            }
            engine.enqueue(call); // the graph's launches have the order in which the program launches them
            return;
        }
        order(stream);
        engine.enqueue(call);
        passed(stream);
    }

    /// Lets the stream wait for the latest collective, if that is in another one.
    private void order(CudaStream stream) {
        if (latestStream != null && latestStream != stream) {
            stream.waitEvent(latest);
        }
    }

    private void passed(CudaStream stream) {
        stream.record(latest);
        latestStream = stream;
    }

    private void checkStream(String operation, CudaStream stream) {
        checked(stream, operation, "stream");
        checkOpen(operation);
        if (!stream.core.context.equals(context)) {
            throw illegal(operation, "stream \"" + stream.name() + "\" belongs to another Cuda");
        }
        stream.core.check(operation);
    }

    private void checkOpen(String operation) {
        if (isClosed) {
            throw new IllegalStateException(prefix(operation) + "the collectives are closed");
        }
    }

    private void checkReduction(String operation, @Nullable Reduction reduction, ElementType elements) {
        if (reduction != null) {
            try {
                reduction.width(elements);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(prefix(operation) + e.getMessage(), e);
            }
        }
    }

    /// Returns the address of a range in this PE's own part.
    private long place(
            String operation, String role, DeviceMemory memory, long offset, ElementType elements, long bytes) {
        checked(memory, operation, role);
        if (!memory.belongsTo(context)) {
            throw illegal(operation, "the " + role + " belongs to another Cuda");
        }
        checkMembers(operation, role, memory.team());
        if (offset % elements.byteSize() != 0) {
            throw illegal(
                    operation,
                    "the " + role + "'s offset " + offset + " is no multiple of " + elements.byteSize()
                            + " bytes, the size of " + elements);
        }
        return memory.address(operation, offset, bytes, memory.team().member());
    }

    private void checkMembers(String operation, String role, Team having) {
        if (having.equals(checkedTeam)) {
            return;
        }
        for (int member = 0; member < team.size(); member++) {
            if (team.translate(member, having) < 0) {
                throw illegal(
                        operation,
                        "the " + role + " is memory of team \"" + having.name() + "\", of which PE " + team.pe(member)
                                + " is no member; allowed is memory of a team that has all members of this one");
            }
        }
        checkedTeam = having;
    }

    private void checkOverlap(
            CollectiveType type, long to, long targetBytes, long from, long sourceBytes, long blockBytes) {
        if (targetBytes == 0 || to >= from + sourceBytes || from >= to + targetBytes) {
            return;
        }
        long own = team.member() * blockBytes;
        boolean isAllowed = switch (type) {
            case ALL_GATHER -> from == to + own;
            case REDUCE_SCATTER -> to == from + own;
            case ALL_TO_ALL -> false;
            default -> to == from;
        };
        if (!isAllowed) {
            throw illegal(
                    type.method(),
                    "the target, " + targetBytes + " bytes, and the source, " + sourceBytes
                            + " bytes, overlap; they must be disjoint"
                            + (type == CollectiveType.ALL_TO_ALL
                                    ? ""
                                    : type == CollectiveType.ALL_GATHER || type == CollectiveType.REDUCE_SCATTER
                                            ? ", or the smaller one this member's block of the other"
                                            : ", or begin at the same offset"));
        }
    }

    private IllegalArgumentException illegal(String operation, String what) {
        return new IllegalArgumentException(prefix(operation) + what);
    }

    private <T> T checked(T argument, String operation, String name) {
        if (argument == null) {
            throw new NullPointerException(prefix(operation) + name + " is null");
        }
        return argument;
    }

    private String prefix(String operation) {
        return operation + " of device memory on team \"" + teamName + "\", PE " + context.world.pe() + ": ";
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
        DeviceContext.refuseVirtual("close of collectives", prefix("close"));
        isClosed = true;
        cuda.forget(this);
        context.releases.add(this::release);
        StreamException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    private boolean release() {
        try {
            awaitLatest();
        } catch (StreamException e) {
            failure = e; // for the close; after it the stream or the runtime tells
        } finally {
            engines.forEach(engine -> context.releases.add(engine::closeAlone));
            stage.close();
            team.close();
        }
        return true;
    }

    private void awaitLatest() {
        try {
            if (!context.isLost() && !context.releases.isWorldClosed()) {
                latest.await();
            }
        } finally {
            latest.close();
        }
    }

    /// Waits for the latest collective, and ends the collectives of all members.
    ///
    /// **Collective** over the team. If a member has failed, this waits for no member.
    /// @counterpart `ncclCommDestroy`
    /// @throws coterie.stream.StreamException if an operation before a collective has failed; all is closed
    ///     nevertheless
    public void destroy() {
        checkOpen("destroy");
        DeviceContext.refuseVirtual("destroy of collectives", prefix("destroy"));
        isClosed = true;
        cuda.forget(this);
        try {
            awaitLatest();
        } finally {
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

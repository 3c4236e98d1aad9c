// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.Team;
import coterie.collective.CollectiveType;
import coterie.cuda.nccl.LibNccl;
import coterie.cuda.nccl.NcclConstant;
import coterie.cuda.nccl.NcclFunction;
import coterie.spi.FaceSupport;
import coterie.spi.ProgressHook;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Collectives by NCCL, with a communicator for the team. It does not block: NCCL works in a thread of its own,
/// and the PE waits for it in the waiting room.
///
/// A kernel of NCCL waits for the other members' kernels, so that the failure of a PE would leave the device
/// waiting. So a hook of the world looks for failed members, and aborts the communicator.
final class NcclEngine implements CollectiveEngine {
    private static final int SUCCESS = NcclConstant.ncclSuccess.value();
    private static final int IN_PROGRESS = NcclConstant.ncclInProgress.value();

    /// Rounds of a wait between two looks for failed members.
    private static final int HEALTH_POLLS = 64;

    private final DeviceContext context;
    private final Team team;

    /// For messages: the team's own is that of a duplicate.
    private final String teamName;

    /// The team's members, which it has until it is closed.
    private final int[] members;

    private final LibNccl nccl;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment answer = arena.allocate(JAVA_INT);
    private final BooleanSupplier hasSettled = new Settlement();
    private final ProgressHook.Registration hook;

    /// NCCL allows one thread at a time; each call is short.
    private final ReentrantLock lock = new ReentrantLock();

    // The lock guards these.
    private long communicator;
    private int outcome;

    private volatile @Nullable String broken;
    private int polls;

    private NcclEngine(DeviceContext context, Team team, String teamName, LibNccl nccl) {
        this.context = context;
        this.team = team;
        this.teamName = teamName;
        this.members = team.pes();
        this.nccl = nccl;
        this.hook = FaceSupport.of(context.world).addProgress(this::watch);
    }

    /// Returns the 128 bytes by which the members find each other.
    static void makeId(LibNccl nccl, MemorySegment result) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment id = arena.allocate(LibNccl.ID_BYTES);
            int made = nccl.call(NcclFunction.GET_UNIQUE_ID, id.address(), 0, 0, 0, 0, 0, 0);
            if (made != SUCCESS) {
                throw new CoterieException("NCCL makes no identity: " + nccl.describe(made, 0));
            }
            result.copyFrom(id);
        }
    }

    /// Connects this member with the others, which do the same.
    ///
    /// @param isCalledOff whether another member can't
    /// @throws CoterieException if it can't, or is called off
    static NcclEngine connect(
            DeviceContext context,
            Team team,
            String teamName,
            LibNccl nccl,
            MemorySegment id,
            BooleanSupplier isCalledOff) {
        NcclEngine engine = new NcclEngine(context, team, teamName, nccl);
        boolean isDone = false;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment made = arena.allocate(JAVA_LONG);
            int result = nccl.connect(made, team.size(), id, team.member());
            engine.lock.lock();
            try {
                engine.communicator = made.get(JAVA_LONG, 0);
            } finally {
                engine.lock.unlock();
            }
            engine.check("connect", result);
            context.world.progressUntil(() -> engine.hasSettled() || isCalledOff.getAsBoolean());
            engine.check("connect", engine.hasSettled() ? engine.outcome() : IN_PROGRESS);
            if (!engine.hasSettled()) {
                throw new CoterieException("NCCL does not connect, as another member can't");
            }
            isDone = true;
            return engine;
        } finally {
            if (!isDone) {
                engine.abort("a member could not connect");
                engine.end();
            }
        }
    }

    /// That no call of the communicator is under way.
    private final class Settlement implements BooleanSupplier {
        @Override
        public boolean getAsBoolean() {
            return hasSettled();
        }

        @Override
        public String toString() {
            return "NCCL of team \"" + teamName + "\"";
        }
    }

    private boolean hasSettled() {
        lock.lock();
        try {
            if (communicator == 0) {
                return true;
            }
            int result = nccl.call(NcclFunction.COMM_GET_ASYNC_ERROR, communicator, answer.address(), 0, 0, 0, 0, 0);
            outcome = result == SUCCESS ? answer.get(JAVA_INT, 0) : result;
            return outcome != IN_PROGRESS;
        } finally {
            lock.unlock();
        }
    }

    private int outcome() {
        lock.lock();
        try {
            return outcome;
        } finally {
            lock.unlock();
        }
    }

    private String prefix(String operation) {
        return operation + " of device memory on team \"" + teamName + "\", PE " + context.world.pe() + ": ";
    }

    private void check(String operation, int result) {
        if (!isGood(result)) {
            String message = "NCCL " + nccl.versionText() + " has failed: " + nccl.describe(result, communicator);
            abort(message);
            throw new CoterieException(prefix(operation) + message);
        }
        checkNotBroken(operation);
    }

    private void checkNotBroken(String operation) {
        String cause = broken;
        if (cause != null) {
            throw new CoterieException(
                    prefix(operation) + "the communicator has ended: " + cause + "; close the collectives");
        }
    }

    /// Waits until a call that NCCL goes on with is over.
    private void settle(String operation, int result) {
        check(operation, result);
        if (result == IN_PROGRESS) {
            context.world.progressUntil(hasSettled);
            check(operation, outcome());
        }
    }

    /// Ends the communicator and its kernels, if a member has failed. The device must not wait for it.
    private boolean watch() {
        if (broken != null
                || ++polls % HEALTH_POLLS != 0
                || Thread.currentThread().isVirtual()) {
            return false;
        }
        for (int pe : members) {
            if (context.world.team().hasFailed(pe)) {
                abort("PE " + pe + " has failed");
                return true;
            }
        }
        return false;
    }

    private void abort(String cause) {
        lock.lock();
        try {
            if (broken == null) {
                broken = cause;
                if (communicator != 0 && context.canRelease()) {
                    nccl.call(NcclFunction.COMM_ABORT, communicator, 0, 0, 0, 0, 0, 0);
                }
                communicator = 0;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String name() {
        return EngineParts.NCCL;
    }

    /// NCCL reduces no 16-bit integers, and no bits. It moves any bytes.
    @Override
    public boolean serves(DeviceCall call) {
        return call.reduction() == null || (type(call.elements()) != null && call.reduction().nccl != null);
    }

    static @Nullable NcclConstant type(ElementType elements) {
        return switch (elements) {
            case BYTE -> NcclConstant.ncclInt8;
            case UNSIGNED_BYTE -> NcclConstant.ncclUint8;
            case SHORT, UNSIGNED_SHORT, FLOAT8_E4M3, FLOAT8_E5M2 -> null;
            case INT -> NcclConstant.ncclInt32;
            case UNSIGNED_INT -> NcclConstant.ncclUint32;
            case LONG -> NcclConstant.ncclInt64;
            case UNSIGNED_LONG -> NcclConstant.ncclUint64;
            case FLOAT -> NcclConstant.ncclFloat32;
            case DOUBLE -> NcclConstant.ncclFloat64;
            case HALF -> NcclConstant.ncclFloat16;
            case BFLOAT16 -> NcclConstant.ncclBfloat16;
        };
    }

    @Override
    public boolean isCapturable() {
        return true;
    }

    @Override
    public void enqueue(DeviceCall call) {
        enqueue(call.stream(), call.operation(), (with, stream) -> start(call, with, stream));
    }

    @Override
    public boolean servesExchanges() {
        return true;
    }

    @Override
    public void exchange(DeviceExchange exchange) {
        enqueue(exchange.stream(), exchange.operation(), (with, stream) -> start(exchange, with, stream));
    }

    /// Calls of NCCL, of which the last result counts.
    private interface Start {
        int start(long communicator, long stream);
    }

    private void enqueue(CudaStream stream, String operation, Start start) {
        StreamCore core = stream.core;
        core.lock(operation);
        try {
            checkNotBroken(operation);
            settle(operation, started(start, core.handle));
            core.enqueued(operation, DeviceContext.SUCCESS);
        } finally {
            core.unlock();
        }
    }

    private int started(Start start, long stream) {
        lock.lock();
        try {
            return communicator == 0 ? SUCCESS : start.start(communicator, stream);
        } finally {
            lock.unlock();
        }
    }

    private int start(DeviceCall call, long with, long stream) {
        DeviceReduction reduction = call.reduction();
        NcclConstant type = reduction == null ? NcclConstant.ncclUint8 : type(call.elements());
        NcclConstant operator = reduction == null ? NcclConstant.ncclSum : reduction.nccl;
        if (type == null || operator == null) {
            throw new AssertionError(call);
        }
        long count = reduction == null ? call.bytes() : call.count();
        long from = call.from();
        long to = call.to();
        return switch (call.type()) {
            case ALL_REDUCE ->
                nccl.call(NcclFunction.ALL_REDUCE, from, to, count, type.value(), operator.value(), with, stream);
            case REDUCE ->
                nccl.call(
                        NcclFunction.REDUCE,
                        from,
                        to,
                        count,
                        type.value(),
                        operator.value(),
                        call.root(),
                        with,
                        stream);
            case BROADCAST ->
                nccl.call(NcclFunction.BROADCAST, from, to, count, type.value(), call.root(), with, stream);
            case ALL_GATHER -> nccl.call(NcclFunction.ALL_GATHER, from, to, count, type.value(), with, stream, 0);
            case REDUCE_SCATTER ->
                nccl.call(NcclFunction.REDUCE_SCATTER, from, to, count, type.value(), operator.value(), with, stream);
            case GATHER, SCATTER, ALL_TO_ALL -> exchange(call, with, stream);
            default -> throw new AssertionError(call);
        };
    }

    private static boolean isGood(int result) {
        return result == SUCCESS || result == IN_PROGRESS;
    }

    /// Sends and receives blocks, as a group: the calls of NCCL for it came later than the version that this needs.
    private int exchange(DeviceCall call, long with, long stream) {
        int type = NcclConstant.ncclUint8.value();
        long bytes = call.bytes();
        int result = nccl.call(NcclFunction.GROUP_START, 0, 0, 0, 0, 0, 0, 0);
        for (int member = 0; member < team.size() && isGood(result); member++) {
            long from = call.from() + (call.type() == CollectiveType.GATHER ? 0 : member * bytes);
            long to = call.to() + (call.type() == CollectiveType.SCATTER ? 0 : member * bytes);
            boolean isInPlace = member == team.member() && from == to;
            if (!isInPlace && isSent(call, team.member(), member)) {
                result = nccl.call(NcclFunction.SEND, from, bytes, type, member, with, stream, 0);
            }
            if (!isInPlace && isSent(call, member, team.member()) && isGood(result)) {
                result = nccl.call(NcclFunction.RECV, to, bytes, type, member, with, stream, 0);
            }
        }
        int ended = nccl.call(NcclFunction.GROUP_END, 0, 0, 0, 0, 0, 0, 0); // also after an error
        return isGood(result) ? ended : result;
    }

    private int start(DeviceExchange exchange, long with, long stream) {
        int type = NcclConstant.ncclUint8.value();
        int result = nccl.call(NcclFunction.GROUP_START, 0, 0, 0, 0, 0, 0, 0);
        for (DeviceTransfer each : exchange.transfers()) {
            if (each.bytes() > 0 && isGood(result)) {
                NcclFunction function = each.isSend() ? NcclFunction.SEND : NcclFunction.RECV;
                result = nccl.call(function, each.at(), each.bytes(), type, each.peer(), with, stream, 0);
            }
        }
        int ended = nccl.call(NcclFunction.GROUP_END, 0, 0, 0, 0, 0, 0, 0); // also after an error
        return isGood(result) ? ended : result;
    }

    /// Returns whether one member sends a block to another.
    private static boolean isSent(DeviceCall call, int from, int to) {
        return switch (call.type()) {
            case GATHER -> to == call.root();
            case SCATTER -> from == call.root();
            default -> true;
        };
    }

    /// NCCL's members wait for each other when they end a communicator, and may use each other's memory until then.
    @Override
    public boolean closeAlone() {
        if (broken == null && members.length > 1 && !context.isLost() && !context.releases.isWorldClosing()) {
            return false;
        }
        close();
        return true;
    }

    @Override
    public void close() {
        try {
            if (broken == null && !context.isLost()) {
                settle("close", ended(NcclFunction.COMM_FINALIZE));
                check("close", ended(NcclFunction.COMM_DESTROY));
            }
        } finally {
            end();
        }
    }

    private int ended(NcclFunction function) {
        lock.lock();
        try {
            return communicator == 0 ? SUCCESS : nccl.call(function, communicator, 0, 0, 0, 0, 0, 0);
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        hook.close();
        arena.close();
    }
}

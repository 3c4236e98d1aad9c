// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.ElementView;
import coterie.ReductionOperator;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.cuda.driver.DriverFunction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Collectives by the host, which always work: piece by piece, the device copies its elements to staging memory,
/// the lane of the stream does core's collective in place there, and the device copies the result back.
final class HostEngine implements CollectiveEngine {
    /// Descriptions that are kept, since a stream keeps a request for each. A program that uses more pays for
    /// new requests.
    private static final int MAX_KEPT = 64;

    private static final Collective BARRIER = Collective.barrier();

    private final Team team;
    private final StagingMemory stage;
    private final HostExchange exchange;
    private final Map<Piece, Collective> kept = new HashMap<>();

    /// What a request depends on.
    private record Piece(
            CollectiveType type, @Nullable DeviceReduction reduction, ElementType elements, long count, int root) {}

    /// @param team a duplicate of the program's
    /// @param teamName of the program's
    HostEngine(Cuda cuda, Team team, String teamName, StagingMemory stage) {
        this.team = team;
        this.stage = stage;
        this.exchange = new HostExchange(cuda, team, teamName, stage);
    }

    /// Makes what may fail. Not collective.
    void open() {
        stage.register();
        exchange.open();
    }

    @Override
    public String name() {
        return "host";
    }

    @Override
    public boolean serves(DeviceCall call) {
        return true;
    }

    @Override
    public boolean isCapturable() {
        return false;
    }

    @Override
    public void enqueue(DeviceCall call) {
        int size = team.size();
        int blocks = Math.max(DeviceCall.sourceBlocks(call.type(), size), DeviceCall.targetBlocks(call.type(), size));
        long most = stage.byteSize() / call.elements().byteSize() / blocks;
        for (long done = 0; done < call.count(); done += most) {
            piece(call, done, Math.min(most, call.count() - done));
        }
    }

    @Override
    public boolean servesExchanges() {
        return true;
    }

    @Override
    public void exchange(DeviceExchange call) {
        CudaStream stream = call.stream();
        if (call.scope() == DeviceExchange.Scope.TEAM) {
            stream.collective(team, BARRIER); // finds members that call something else
        }
        List<DeviceTransfer> others = new ArrayList<>();
        List<DeviceTransfer> received = new ArrayList<>();
        for (DeviceTransfer each : call.transfers()) {
            if (each.peer() != team.member()) {
                others.add(each);
            } else if (!each.isSend()) {
                received.add(each);
            }
        }
        int next = 0;
        for (DeviceTransfer each : call.transfers()) {
            if (each.peer() == team.member() && each.isSend()) {
                long to = received.get(next++).at();
                stream.copy(call.operation(), DriverFunction.MEMCPY, to, each.at(), each.bytes());
            }
        }
        if (!others.isEmpty()) {
            stream.onHost(host -> exchange.enqueue(host, call.operation(), others));
        }
    }

    /// Does the elements `[done, done + count)` of each block.
    private void piece(DeviceCall call, long done, long count) {
        boolean isRoot = team.member() == call.root();
        int width = call.elements().byteSize();
        long own = stage.address() + team.member() * count * width;
        boolean isSource = switch (call.type()) {
            case BROADCAST, SCATTER -> isRoot;
            default -> true;
        };
        if (isSource) {
            copy(
                    call,
                    DriverFunction.MEMCPY_TO_HOST,
                    DeviceCall.sourceBlocks(call.type(), team.size()),
                    call.type() == CollectiveType.ALL_GATHER || call.type() == CollectiveType.GATHER
                            ? own
                            : stage.address(),
                    count * width,
                    call.from() + done * width,
                    call.bytes(),
                    count * width);
        }
        call.stream().collective(team, collective(call, count));
        boolean isTarget = switch (call.type()) {
            case REDUCE, GATHER -> isRoot;
            case BROADCAST -> !isRoot || call.to() != call.from();
            default -> true;
        };
        if (isTarget) {
            copy(
                    call,
                    DriverFunction.MEMCPY_TO_DEVICE,
                    DeviceCall.targetBlocks(call.type(), team.size()),
                    call.to() + done * width,
                    call.bytes(),
                    call.type() == CollectiveType.SCATTER ? own : stage.address(),
                    count * width,
                    count * width);
        }
    }

    /// Copies blocks of `bytes`, a stride apart: in one command where they have no gaps.
    private static void copy(
            DeviceCall call,
            DriverFunction kind,
            int blocks,
            long to,
            long toStride,
            long from,
            long fromStride,
            long bytes) {
        if (toStride == bytes && fromStride == bytes) {
            call.stream().copy(call.operation(), kind, to, from, blocks * bytes);
            return;
        }
        for (int block = 0; block < blocks; block++) {
            call.stream().copy(call.operation(), kind, to + block * toStride, from + block * fromStride, bytes);
        }
    }

    private Collective collective(DeviceCall call, long count) {
        if (kept.size() >= MAX_KEPT) {
            kept.clear();
        }
        return kept.computeIfAbsent(
                new Piece(call.type(), call.reduction(), call.elements(), count, call.root()), this::described);
    }

    private Collective described(Piece piece) {
        ElementView view = stage.view(piece.elements);
        long count = piece.count;
        long all = count * team.size();
        return switch (piece.type) {
            case ALL_REDUCE ->
                Collective.allReduce(reduction(piece)).source(view, 0, count).target(view, 0, count);
            case REDUCE ->
                Collective.reduce(reduction(piece), piece.root)
                        .source(view, 0, count)
                        .target(view, 0, count);
            case BROADCAST ->
                Collective.broadcast(piece.root).source(view, 0, count).target(view, 0, count);
            case ALL_GATHER ->
                Collective.allGather()
                        .source(view, team.member() * count, count)
                        .target(view, 0, all);
            case GATHER ->
                Collective.gather(piece.root)
                        .source(view, team.member() * count, count)
                        .target(view, 0, all);
            case SCATTER ->
                Collective.scatter(piece.root).source(view, 0, all).target(view, team.member() * count, count);
            case REDUCE_SCATTER ->
                Collective.reduceScatter(reduction(piece)).source(view, 0, all).target(view, 0, count);
            case ALL_TO_ALL -> Collective.allToAll().source(view, 0, all).target(view, 0, all);
            default -> throw new AssertionError(piece);
        };
    }

    private static ReductionOperator<?> reduction(Piece piece) {
        return Objects.requireNonNull(piece.reduction).operator();
    }

    @Override
    public void settle() {
        exchange.settle();
    }

    @Override
    public void close() {
        exchange.close();
        stage.unregister();
    }
}

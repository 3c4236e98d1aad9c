// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.ElementView;
import coterie.Reduction;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.cuda.driver.DriverFunction;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Collectives by the host, which always work: piece by piece, the device copies its elements to staging memory,
/// the lane of the stream does core's collective in place there, and the device copies the result back.
final class HostEngine implements CollectiveEngine {
    /// Descriptions that are kept, since a stream keeps a request for each. A program that uses more pays for
    /// new requests.
    private static final int MAX_KEPT = 64;

    private final Team team;
    private final StagingMemory stage;
    private final Map<Piece, Collective> kept = new HashMap<>();

    /// What a request depends on.
    private record Piece(
            CollectiveType type, @Nullable Reduction reduction, ElementType elements, long count, int root) {}

    HostEngine(Team team, StagingMemory stage) {
        this.team = team;
        this.stage = stage;
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

    /// Does the elements `[done, done + count)` of each block.
    private void piece(DeviceCall call, long done, long count) {
        boolean isRoot = team.member() == call.root();
        int width = call.elements().byteSize();
        long own = call.type() == CollectiveType.ALL_GATHER ? stage.address() + team.member() * count * width : 0;
        if (call.type() != CollectiveType.BROADCAST || isRoot) {
            copy(
                    call,
                    DriverFunction.MEMCPY_TO_HOST,
                    DeviceCall.sourceBlocks(call.type(), team.size()),
                    own == 0 ? stage.address() : own,
                    count * width,
                    call.from() + done * width,
                    call.bytes(),
                    count * width);
        }
        call.stream().collective(team, collective(call, count));
        boolean isTarget = switch (call.type()) {
            case REDUCE -> isRoot;
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
                    stage.address(),
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
            case REDUCE_SCATTER ->
                Collective.reduceScatter(reduction(piece)).source(view, 0, all).target(view, 0, count);
            case ALL_TO_ALL -> Collective.allToAll().source(view, 0, all).target(view, 0, all);
            default -> throw new AssertionError(piece);
        };
    }

    private static Reduction reduction(Piece piece) {
        return Objects.requireNonNull(piece.reduction);
    }

    @Override
    public void close() {
        stage.unregister();
    }
}

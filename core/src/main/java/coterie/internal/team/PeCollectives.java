// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.ElementView;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.ViewCollectives;
import coterie.collective.Collective;
import coterie.internal.request.CalledCollective;
import coterie.internal.sync.KnownOperators;
import coterie.internal.sync.Membership;
import coterie.internal.wait.OperationKind;
import coterie.spi.ReductionKind;
import org.jspecify.annotations.Nullable;

/// The collectives of a team over symmetric memory: calls, and what only requests have.
abstract class PeCollectives extends PeArrayCollectives implements ViewCollectives {
    private final TeamCalls calls;
    private final Membership membership;

    PeCollectives(TeamCalls calls, Membership membership) {
        this.calls = calls;
        this.membership = membership;
    }

    /// Returns what the team has for its collectives.
    final TeamCalls calls() {
        return calls;
    }

    @Override
    final StagedCollectives staged() {
        return calls.staged();
    }

    @Override
    final StagedRecords records() {
        return new StagedRecords(calls.staged(), membership);
    }

    final <T> T checked(String operation, String name, @Nullable T argument) {
        if (argument == null) {
            throw new NullPointerException(membership.messagePrefix(operation) + name + " is null");
        }
        return argument;
    }

    @Override
    public final void run(Collective collective) {
        request(checked("run", "collective", collective));
    }

    /// Runs what is described, by a call if all members can.
    private void request(Collective described) {
        CalledCollective called = calls.blockingRequests().run(described);
        if (called != null) {
            called.call(calls.data());
        }
    }

    @Override
    public final long allReduce(Reduction reduction, long value) {
        return calls.scalars().reduce(KnownOperators.kind(reduction), value);
    }

    @Override
    public final long allReduce(IntegerReduction reduction, long value) {
        return calls.scalars().reduce(reduction, value);
    }

    @Override
    public final double allReduce(Reduction reduction, double value) {
        return calls.scalars().reduce(KnownOperators.kind(reduction), value);
    }

    @Override
    public final <V extends ElementView> void allReduce(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count) {
        reduceOnAll(OperationKind.ALL_REDUCE, reduction, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public final <V extends ElementView> void inclusiveScan(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count) {
        reduceOnAll(OperationKind.INCLUSIVE_SCAN, reduction, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public final <V extends ElementView> void exclusiveScan(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count) {
        reduceOnAll(OperationKind.EXCLUSIVE_SCAN, reduction, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public final <V extends ElementView> void reduceScatter(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count) {
        reduceOnAll(OperationKind.REDUCE_SCATTER, reduction, target, targetIndex, source, sourceIndex, count);
    }

    private void reduceOnAll(
            OperationKind kind,
            @Nullable ReductionOperator<?> reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        ReductionOperator<?> operator = checked(kind.label(), "reduction", reduction);
        ReductionKind known = KnownOperators.kind(operator);
        if (known != null) {
            calls.data().reduce(kind, known, target, targetIndex, source, sourceIndex, count);
            return;
        }
        Collective described = switch (kind) {
            case ALL_REDUCE -> Collective.allReduce(operator);
            case INCLUSIVE_SCAN -> Collective.inclusiveScan(operator);
            case EXCLUSIVE_SCAN -> Collective.exclusiveScan(operator);
            default -> Collective.reduceScatter(operator);
        };
        long given = kind == OperationKind.REDUCE_SCATTER ? all(kind, count) : count;
        run(kind, described, target, targetIndex, count, source, sourceIndex, given);
    }

    @Override
    public final <V extends ElementView> void reduce(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count,
            int root) {
        Collective described = Collective.reduce(checked("reduce", "reduction", reduction), root);
        run(OperationKind.REDUCE, described, target, targetIndex, count, source, sourceIndex, count);
    }

    @Override
    public final <V extends ElementView> void reduceScatterV(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long[] counts,
            long[] sourceIndices) {
        String name = OperationKind.REDUCE_SCATTER_V.label();
        long[] lengths = checked(name, "counts", counts);
        long mine = membership.me() < lengths.length ? lengths[membership.me()] : 0; // else the source is refused
        request(Collective.reduceScatterV(checked(name, "reduction", reduction))
                .source(checked(name, "source", source), lengths, checked(name, "sourceIndices", sourceIndices))
                .target(checked(name, "target", target), targetIndex, mine));
    }

    @Override
    public final void broadcast(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root) {
        calls.data().broadcast(target, targetIndex, source, sourceIndex, count, root);
    }

    @Override
    public final void allGatherV(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        calls.data().move(OperationKind.ALL_GATHER_V, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public final void allGather(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        calls.data().move(OperationKind.ALL_GATHER, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public final void gather(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root) {
        OperationKind kind = OperationKind.GATHER;
        run(kind, Collective.gather(root), target, targetIndex, all(kind, count), source, sourceIndex, count);
    }

    @Override
    public final void gatherV(
            ElementView target,
            long[] counts,
            long[] targetIndices,
            ElementView source,
            long sourceIndex,
            long count,
            int root) {
        String name = OperationKind.GATHER_V.label();
        Collective described = Collective.gatherV(root).source(checked(name, "source", source), sourceIndex, count);
        boolean isIgnored = membership.me() != root;
        request(
                isIgnored
                        ? described
                        : described.target(
                                checked(name, "target", target),
                                checked(name, "counts", counts),
                                checked(name, "targetIndices", targetIndices)));
    }

    @Override
    public final void scatter(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root) {
        OperationKind kind = OperationKind.SCATTER;
        run(kind, Collective.scatter(root), target, targetIndex, count, source, sourceIndex, all(kind, count));
    }

    @Override
    public final void scatterV(
            ElementView target,
            long targetIndex,
            long count,
            ElementView source,
            long[] counts,
            long[] sourceIndices,
            int root) {
        String name = OperationKind.SCATTER_V.label();
        Collective described = Collective.scatterV(root).target(checked(name, "target", target), targetIndex, count);
        boolean isIgnored = membership.me() != root;
        request(
                isIgnored
                        ? described
                        : described.source(
                                checked(name, "source", source),
                                checked(name, "counts", counts),
                                checked(name, "sourceIndices", sourceIndices)));
    }

    @Override
    public final void allToAll(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        calls.data().move(OperationKind.ALL_TO_ALL, target, targetIndex, source, sourceIndex, count);
    }

    @Override
    public final void allToAllV(
            ElementView target,
            long[] targetCounts,
            long[] targetIndices,
            ElementView source,
            long[] sourceCounts,
            long[] sourceIndices) {
        String name = OperationKind.ALL_TO_ALL_V.label();
        request(Collective.allToAllV()
                .source(
                        checked(name, "source", source),
                        checked(name, "sourceCounts", sourceCounts),
                        checked(name, "sourceIndices", sourceIndices))
                .target(
                        checked(name, "target", target),
                        checked(name, "targetCounts", targetCounts),
                        checked(name, "targetIndices", targetIndices)));
    }

    @Override
    public final void allToAllStrided(
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count) {
        calls.data()
                .allToAllStrided(
                        target, targetIndex, targetStride, source, sourceIndex, sourceStride, blockLength, count);
    }

    /// Runs what only requests have.
    private void run(
            OperationKind kind,
            Collective described,
            @Nullable ElementView target,
            long targetIndex,
            long wanted,
            @Nullable ElementView source,
            long sourceIndex,
            long given) {
        request(described
                .source(checked(kind.label(), "source", source), sourceIndex, given)
                .target(checked(kind.label(), "target", target), targetIndex, wanted));
    }

    /// Returns the elements of a block of each member.
    private long all(OperationKind kind, long count) {
        long most = Long.MAX_VALUE / Long.BYTES / membership.size();
        if (count < 0 || count > most) {
            throw new IllegalArgumentException(
                    membership.messagePrefix(kind.label()) + "count " + count + " is outside [0, " + most + "]");
        }
        return count * membership.size();
    }
}

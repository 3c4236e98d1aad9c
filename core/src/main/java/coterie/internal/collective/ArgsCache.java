// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.ElementView;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.ElementSignature;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;

/// Begins collectives over memory, and checks what a member passes to them.
///
/// Programs ask for the same again and again: what was checked the latest time, for the same kind of collective,
/// is not checked again as long as the blocks live, and its way is chosen already.
final class ArgsCache {
    private final TeamSync teamSync;
    private final Membership membership;
    private final PeContext home;
    private final ArgumentChecks argumentChecks;
    private final AlgorithmSelector selector;

    private final CollectiveArgs allReduce = new CollectiveArgs(OperationKind.ALL_REDUCE, CollectiveType.ALL_REDUCE);
    private final CollectiveArgs inclusiveScan =
            new CollectiveArgs(OperationKind.INCLUSIVE_SCAN, CollectiveType.INCLUSIVE_SCAN);
    private final CollectiveArgs exclusiveScan =
            new CollectiveArgs(OperationKind.EXCLUSIVE_SCAN, CollectiveType.EXCLUSIVE_SCAN);
    private final CollectiveArgs reduceScatter =
            new CollectiveArgs(OperationKind.REDUCE_SCATTER, CollectiveType.REDUCE_SCATTER);
    private final CollectiveArgs broadcast = new CollectiveArgs(OperationKind.BROADCAST, CollectiveType.BROADCAST);
    private final CollectiveArgs allGatherV =
            new CollectiveArgs(OperationKind.ALL_GATHER_V, CollectiveType.ALL_GATHER_V);
    private final CollectiveArgs allGather = new CollectiveArgs(OperationKind.ALL_GATHER, CollectiveType.ALL_GATHER);
    private final CollectiveArgs allToAll = new CollectiveArgs(OperationKind.ALL_TO_ALL, CollectiveType.ALL_TO_ALL);
    private final CollectiveArgs allToAllStrided =
            new CollectiveArgs(OperationKind.ALL_TO_ALL_STRIDED, CollectiveType.ALL_TO_ALL_V);

    ArgsCache(TeamSync teamSync, ArgumentChecks argumentChecks, AlgorithmSelector selector) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.home = teamSync.context();
        this.argumentChecks = argumentChecks;
        this.selector = selector;
    }

    CollectiveArgs allReduce(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        return begun(allReduce, reduction, target, targetIndex, 1, source, sourceIndex, 1, 1, count);
    }

    CollectiveArgs inclusiveScan(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        return begun(inclusiveScan, reduction, target, targetIndex, 1, source, sourceIndex, 1, 1, count);
    }

    CollectiveArgs exclusiveScan(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        return begun(exclusiveScan, reduction, target, targetIndex, 1, source, sourceIndex, 1, 1, count);
    }

    CollectiveArgs reduceScatter(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        return begun(reduceScatter, reduction, target, targetIndex, 1, source, sourceIndex, 1, 1, count);
    }

    CollectiveArgs broadcast(
            ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root) {
        CollectiveArgs args =
                begun(broadcast, CollectiveArgs.NONE, target, targetIndex, 1, source, sourceIndex, 1, 1, count);
        if (root < 0 || root >= membership.size()) {
            teamSync.leave();
            argumentChecks.checkRoot(args.kind, root);
        }
        args.root(root);
        return args;
    }

    CollectiveArgs allGatherV(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        return begun(allGatherV, CollectiveArgs.NONE, target, targetIndex, 1, source, sourceIndex, 1, 1, count);
    }

    CollectiveArgs allGather(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        return begun(allGather, CollectiveArgs.NONE, target, targetIndex, 1, source, sourceIndex, 1, 1, count);
    }

    CollectiveArgs allToAll(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        return begun(allToAll, CollectiveArgs.NONE, target, targetIndex, 1, source, sourceIndex, 1, 1, count);
    }

    CollectiveArgs allToAllStrided(
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count) {
        return begun(
                allToAllStrided,
                CollectiveArgs.NONE,
                target,
                targetIndex,
                targetStride,
                source,
                sourceIndex,
                sourceStride,
                blockLength,
                count);
    }

    /// Begins a call: whatever is not as it should be is thrown before anybody meets, and ends it.
    private CollectiveArgs begun(
            CollectiveArgs args,
            Reduction reduction,
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count) {
        teamSync.checkAlive(args.kind.label());
        selector.components();
        teamSync.begin(args.kind);
        PeMemory targetBlock = HeapOffsets.blockIfAny(target);
        PeMemory sourceBlock = HeapOffsets.blockIfAny(source);
        boolean isSame = targetBlock != null
                && sourceBlock != null
                && targetBlock.isAliveIn(home)
                && sourceBlock.isAliveIn(home)
                && target.type() == source.type()
                && args.repeats(
                        reduction,
                        target.type(),
                        targetBlock,
                        targetIndex,
                        targetStride,
                        sourceBlock,
                        sourceIndex,
                        sourceStride,
                        blockLength,
                        count);
        if (!isSame) {
            set(
                    args,
                    reduction,
                    target,
                    targetIndex,
                    targetStride,
                    source,
                    sourceIndex,
                    sourceStride,
                    blockLength,
                    count);
        }
        if (teamSync.listeners().isAny()) {
            notifyOfAccess(args, target, targetIndex, targetStride, source, sourceIndex, sourceStride, count);
        }
        return args;
    }

    private void notifyOfAccess(
            CollectiveArgs args,
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long count) {
        long all = count * membership.size();
        long length = args.blockLength;
        long read = switch (args.type) {
            case REDUCE_SCATTER, ALL_TO_ALL, ALL_TO_ALL_V -> ArgumentChecks.span(all, sourceStride, length);
            default -> count;
        };
        long written = switch (args.type) {
            case ALL_GATHER, ALL_TO_ALL, ALL_TO_ALL_V -> ArgumentChecks.span(all, targetStride, length);
            case ALL_GATHER_V -> target.length() - targetIndex;
            default -> count;
        };
        boolean goesOn = false;
        try {
            teamSync.listeners().access(args.kind, source, sourceIndex, read);
            teamSync.listeners().access(args.kind, target, targetIndex, written);
            goesOn = true;
        } finally {
            if (!goesOn) {
                teamSync.leave();
            }
        }
    }

    private void set(
            CollectiveArgs args,
            Reduction reduction,
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count) {
        boolean isFine = false;
        args.keep(null, 0, 0, null, 0, 0, 1);
        try {
            ElementType type = argumentChecks.type(args.kind, target, source);
            args.target = target;
            switch (args.type) {
                case ALL_REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN ->
                    vector(args, reduction, target, targetIndex, source, sourceIndex, count);
                case REDUCE_SCATTER -> scatter(args, reduction, target, targetIndex, source, sourceIndex, count);
                case BROADCAST -> copy(args, target, targetIndex, source, sourceIndex, count);
                case ALL_GATHER_V -> gatherAny(args, target, targetIndex, source, sourceIndex, count);
                case ALL_GATHER -> gather(args, target, targetIndex, source, sourceIndex, count);
                case ALL_TO_ALL -> exchange(args, target, targetIndex, source, sourceIndex, count);
                case ALL_TO_ALL_V ->
                    exchangeApart(
                            args,
                            target,
                            targetIndex,
                            targetStride,
                            source,
                            sourceIndex,
                            sourceStride,
                            blockLength,
                            count);
                default -> throw new AssertionError(args.type);
            }
            boolean isReduction = isReduction(args.type);
            args.setAgreed(
                    isReduction ? ElementSignature.of(reduction, type) : ElementSignature.ofBlocks(type, blockLength),
                    selector.digest());
            if (args.type != CollectiveType.ALL_GATHER_V) {
                args.addAgreed(count);
            }
            if (args.type == CollectiveType.ALL_TO_ALL_V) {
                args.addAgreed(targetStride);
                args.addAgreed(sourceStride);
            }
            args.selected = selector.of(args.type, args.bytes);
            args.keep(
                    HeapOffsets.blockOf(target),
                    targetIndex,
                    targetStride,
                    HeapOffsets.blockOf(source),
                    sourceIndex,
                    sourceStride,
                    blockLength);
            isFine = true;
        } finally {
            if (!isFine) {
                teamSync.leave();
            }
        }
    }

    private static boolean isReduction(CollectiveType type) {
        return switch (type) {
            case ALL_REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN, REDUCE_SCATTER -> true;
            default -> false;
        };
    }

    private void vector(
            CollectiveArgs args,
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        argumentChecks.checkReduction(args.kind, reduction, target.type());
        copy(args, target, targetIndex, source, sourceIndex, count);
        args.reduction = reduction;
    }

    private void copy(
            CollectiveArgs args,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        ElementType type = target.type();
        argumentChecks.checkCount(args.kind, type, count, 1);
        long to = argumentChecks.place(args.kind, "target", target, targetIndex, count);
        long from = argumentChecks.place(args.kind, "source", source, sourceIndex, count);
        long bytes = count * type.byteSize();
        argumentChecks.checkInPlaceOrApart(args.kind, to, bytes, from, bytes);
        args.set(CollectiveArgs.NONE, type, to, from, count, bytes);
    }

    private void scatter(
            CollectiveArgs args,
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        ElementType type = target.type();
        argumentChecks.checkReduction(args.kind, reduction, type);
        argumentChecks.checkCount(args.kind, type, count, membership.size());
        long all = count * membership.size();
        long to = argumentChecks.place(args.kind, "target", target, targetIndex, count);
        long from = argumentChecks.place(args.kind, "source", source, sourceIndex, all);
        int width = type.byteSize();
        argumentChecks.checkInPlaceOrApart(args.kind, to, count * width, from, all * width);
        args.set(reduction, type, to, from, count, count * width);
    }

    private void gatherAny(
            CollectiveArgs args,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        ElementType type = target.type();
        argumentChecks.checkCount(args.kind, type, count, 1);
        long to = argumentChecks.place(args.kind, "target", target, targetIndex, 0);
        long from = argumentChecks.place(args.kind, "source", source, sourceIndex, count);
        args.set(CollectiveArgs.NONE, type, to, from, count, 0);
    }

    private void gather(
            CollectiveArgs args,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        ElementType type = target.type();
        argumentChecks.checkCount(args.kind, type, count, membership.size());
        long all = count * membership.size();
        long to = argumentChecks.place(args.kind, "target", target, targetIndex, all);
        long from = argumentChecks.place(args.kind, "source", source, sourceIndex, count);
        int width = type.byteSize();
        argumentChecks.checkApart(args.kind, to, all * width, from, count * width);
        args.set(CollectiveArgs.NONE, type, to, from, count, all * width);
    }

    private void exchange(
            CollectiveArgs args,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count) {
        ElementType type = target.type();
        argumentChecks.checkCount(args.kind, type, count, membership.size());
        long all = count * membership.size();
        long to = argumentChecks.place(args.kind, "target", target, targetIndex, all);
        long from = argumentChecks.place(args.kind, "source", source, sourceIndex, all);
        int width = type.byteSize();
        argumentChecks.checkApart(args.kind, to, all * width, from, all * width);
        args.set(CollectiveArgs.NONE, type, to, from, count, all * width);
    }

    private void exchangeApart(
            CollectiveArgs args,
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count) {
        ElementType type = target.type();
        argumentChecks.checkCount(args.kind, type, count, membership.size());
        argumentChecks.checkBlockLength(args.kind, blockLength);
        argumentChecks.checkStride(args.kind, "target", targetStride, blockLength);
        argumentChecks.checkStride(args.kind, "source", sourceStride, blockLength);
        long all = count * membership.size();
        long targetSpan = ArgumentChecks.span(all, targetStride, blockLength);
        long sourceSpan = ArgumentChecks.span(all, sourceStride, blockLength);
        long to = argumentChecks.place(args.kind, "target", target, targetIndex, targetSpan);
        long from = argumentChecks.place(args.kind, "source", source, sourceIndex, sourceSpan);
        int width = type.byteSize();
        argumentChecks.checkApart(args.kind, to, targetSpan * width, from, sourceSpan * width);
        args.set(CollectiveArgs.NONE, type, to, from, count, 0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.ElementView;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.plan.BufferForm;
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

    /// The latest of each kind.
    private final CollectiveArgs[] latest = new CollectiveArgs[OperationKind.values().length];

    ArgsCache(TeamSync teamSync, ArgumentChecks argumentChecks, AlgorithmSelector selector) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.home = teamSync.context();
        this.argumentChecks = argumentChecks;
        this.selector = selector;
        keep(OperationKind.ALL_REDUCE, CollectiveType.ALL_REDUCE);
        keep(OperationKind.INCLUSIVE_SCAN, CollectiveType.INCLUSIVE_SCAN);
        keep(OperationKind.EXCLUSIVE_SCAN, CollectiveType.EXCLUSIVE_SCAN);
        keep(OperationKind.REDUCE_SCATTER, CollectiveType.REDUCE_SCATTER);
        keep(OperationKind.BROADCAST, CollectiveType.BROADCAST);
        keep(OperationKind.ALL_GATHER, CollectiveType.ALL_GATHER);
        keep(OperationKind.ALL_GATHER_V, CollectiveType.ALL_GATHER_V);
        keep(OperationKind.ALL_TO_ALL, CollectiveType.ALL_TO_ALL);
        keep(OperationKind.ALL_TO_ALL_STRIDED, CollectiveType.ALL_TO_ALL_V);
    }

    private void keep(OperationKind kind, CollectiveType type) {
        latest[kind.ordinal()] = new CollectiveArgs(kind, type);
    }

    /// Begins a call: whatever is not as it should be is thrown before anybody meets, and ends it. Strides and the
    /// length of blocks are 1 but in an all-to-all with strides.
    ///
    /// @param reduction [CollectiveArgs#NONE] where nothing is reduced
    CollectiveArgs begin(
            OperationKind kind,
            Reduction reduction,
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count) {
        CollectiveArgs args = latest[kind.ordinal()];
        teamSync.checkAlive(kind.label());
        selector.open();
        teamSync.begin(kind);
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
        try {
            if (!isSame) {
                args.keep(targetIndex, targetStride, sourceIndex, sourceStride, blockLength);
                check(args, reduction, target, source, count);
                args.keep(targetBlock, sourceBlock);
            }
            if (teamSync.listeners().isAny()) {
                teamSync.listeners().access(kind, source, sourceIndex, args.read);
                teamSync.listeners().access(kind, target, targetIndex, args.written);
            }
        } catch (Throwable e) {
            teamSync.leave();
            throw e;
        }
        return args;
    }

    /// Sets the root of a call that has begun.
    void root(CollectiveArgs args, int root) {
        if (root < 0 || root >= membership.size()) {
            teamSync.leave();
            argumentChecks.checkRoot(args.kind, root);
        }
        args.root(root);
    }

    private void check(CollectiveArgs args, Reduction reduction, ElementView target, ElementView source, long count) {
        OperationKind kind = args.kind;
        BufferForm sourceForm = BufferForm.source(args.type, true);
        BufferForm targetForm = BufferForm.target(args.type, true);
        ElementType type = argumentChecks.type(kind, target, source);
        int width = type.byteSize();
        if (args.type.isReduction()) {
            argumentChecks.checkReduction(kind, reduction, type);
        }
        boolean isCounted = args.type != CollectiveType.ALL_GATHER_V; // whose counts only the round tells
        boolean isDivided = isCounted && (sourceForm.isDivided() || targetForm.isDivided());
        argumentChecks.checkCount(kind, type, count, isDivided ? membership.size() : 1);
        boolean isStrided = args.type == CollectiveType.ALL_TO_ALL_V;
        if (isStrided) {
            argumentChecks.checkBlockLength(kind, args.blockLength);
            argumentChecks.checkStride(kind, "target", args.toStride, args.blockLength);
            argumentChecks.checkStride(kind, "source", args.fromStride, args.blockLength);
        }
        long all = count * membership.size();
        long read = sourceForm.isDivided() ? ArgumentChecks.span(all, args.fromStride, args.blockLength) : count;
        long written = targetForm.isDivided() ? ArgumentChecks.span(all, args.toStride, args.blockLength) : count;
        long to = argumentChecks.place(kind, "target", target, args.targetIndex, isCounted ? written : 0);
        long from = argumentChecks.place(kind, "source", source, args.sourceIndex, read);
        if (isCounted) {
            argumentChecks.checkOverlap(kind, !targetForm.isDivided(), to, written * width, from, read * width);
        }
        long bytes = isStrided || !isCounted ? 0 : written * width;
        args.set(reduction, type, to, from, count, bytes);
        args.target = target;
        args.read = read;
        args.written = isCounted ? written : target.length() - args.targetIndex;
        args.setAgreed(
                args.type.isReduction()
                        ? ElementSignature.of(reduction, type)
                        : ElementSignature.ofBlocks(type, args.blockLength),
                selector.digest());
        if (isCounted) {
            args.addAgreed(count);
        }
        if (isStrided) {
            args.addAgreed(args.toStride);
            args.addAgreed(args.fromStride);
        }
        args.selected = selector.of(args.type, bytes);
    }
}

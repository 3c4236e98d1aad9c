// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.ElementView;
import coterie.collective.CollectiveType;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.plan.BufferForm;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.ElementSignature;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.CollectiveListeners;
import coterie.internal.wait.OperationKind;
import coterie.spi.ReductionKind;
import org.jspecify.annotations.Nullable;

/// Checks the arguments of collectives over memory, and selects their algorithms.
///
/// Programs make the same call again and again: what was checked the latest time, for the same kind of collective, is
/// not checked again as long as the blocks live, and its algorithm is selected already.
final class CheckedCalls {
    private final CollectiveListeners listeners;
    private final Membership membership;
    private final PeContext home;
    private final ArgumentChecks argumentChecks;
    private final AlgorithmSelector selector;

    /// The latest of each kind, or null.
    private final @Nullable Call[] latest = new Call[OperationKind.values().length];

    CheckedCalls(TeamSync teamSync, ArgumentChecks argumentChecks, AlgorithmSelector selector) {
        this.listeners = teamSync.listeners();
        this.membership = teamSync.membership();
        this.home = teamSync.context();
        this.argumentChecks = argumentChecks;
        this.selector = selector;
    }

    private static Call made(OperationKind kind) {
        return new Call(
                kind,
                kind == OperationKind.ALL_TO_ALL_STRIDED
                        ? CollectiveType.ALL_TO_ALL_V
                        : CollectiveType.valueOf(kind.name()));
    }

    /// Returns the checked call of a caller that is inside the gate. Strides and the length of blocks are 1 but in an
    /// all-to-all with strides.
    ///
    /// @param reduction [Call#NONE] where nothing is reduced
    /// @param root of a broadcast; any number in other calls
    Call of(
            OperationKind kind,
            ReductionKind reduction,
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count,
            int root) {
        Call call = latest[kind.ordinal()];
        if (call == null) {
            call = made(kind);
            latest[kind.ordinal()] = call;
        }
        PeMemory targetBlock = HeapOffsets.blockIfAny(target);
        PeMemory sourceBlock = HeapOffsets.blockIfAny(source);
        boolean isSame = targetBlock != null
                && sourceBlock != null
                && targetBlock.isAliveIn(home)
                && sourceBlock.isAliveIn(home)
                && target.type() == source.type()
                && call.repeats(
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
            call.keep(targetIndex, targetStride, sourceIndex, sourceStride, blockLength);
            check(call, reduction, target, source, count);
            call.keep(targetBlock, sourceBlock);
        }
        if (call.type == CollectiveType.BROADCAST) {
            argumentChecks.checkRoot(kind, root);
            call.root(root);
        }
        if (listeners.isAny()) {
            listeners.access(kind, source, sourceIndex, call.read);
            listeners.access(kind, target, targetIndex, call.written);
        }
        return call;
    }

    private void check(Call call, ReductionKind reduction, ElementView target, ElementView source, long count) {
        OperationKind kind = call.kind;
        BufferForm sourceForm = BufferForm.source(call.type, true);
        BufferForm targetForm = BufferForm.target(call.type, true);
        ElementType type = argumentChecks.type(kind, target, source);
        int width = type.byteSize();
        if (call.type.isReduction()) {
            argumentChecks.checkReduction(kind, reduction, type);
        }
        boolean isCounted = call.type != CollectiveType.ALL_GATHER_V; // whose counts only the round tells
        boolean isDivided = isCounted && (sourceForm.isDivided() || targetForm.isDivided());
        argumentChecks.checkCount(kind, type, count, isDivided ? membership.size() : 1);
        boolean isStrided = call.type == CollectiveType.ALL_TO_ALL_V;
        if (isStrided) {
            argumentChecks.checkBlockLength(kind, call.blockLength);
            argumentChecks.checkStride(kind, "target", call.toStride, call.blockLength);
            argumentChecks.checkStride(kind, "source", call.fromStride, call.blockLength);
        }
        long all = count * membership.size();
        long read = sourceForm.isDivided() ? ArgumentChecks.span(all, call.fromStride, call.blockLength) : count;
        long written = targetForm.isDivided() ? ArgumentChecks.span(all, call.toStride, call.blockLength) : count;
        long to = argumentChecks.place(kind, "target", target, call.targetIndex, isCounted ? written : 0);
        long from = argumentChecks.place(kind, "source", source, call.sourceIndex, read);
        if (isCounted) {
            argumentChecks.checkOverlap(kind, !targetForm.isDivided(), to, written * width, from, read * width);
        }
        long bytes = isStrided || !isCounted ? 0 : written * width;
        call.set(reduction, type, to, from, count, bytes);
        call.target = target;
        call.read = read;
        call.written = isCounted ? written : target.length() - call.targetIndex;
        call.agreed.of(
                call.type.isReduction()
                        ? ElementSignature.of(reduction, type)
                        : ElementSignature.ofBlocks(type, call.blockLength),
                to,
                from,
                selector.digest());
        if (isCounted) {
            call.agreed.add(count);
        }
        if (isStrided) {
            call.agreed.add(call.toStride);
            call.agreed.add(call.fromStride);
        }
        call.selected = selector.of(call.type, bytes);
    }
}

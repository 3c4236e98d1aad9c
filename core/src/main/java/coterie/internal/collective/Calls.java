// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.Elements;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.rma.Places;
import coterie.internal.wait.WaitKind;

/// Begins collectives over memory, and checks what a member passes to them.
///
/// Programs ask for the same again and again: what was checked the latest time, for the same kind of collective, is
/// not checked again as long as the blocks live, and its way is chosen already.
final class Calls {
    private final TeamSync teamSync;
    private final Membership membership;
    private final PeContext home;
    private final Operands operands;
    private final Choices choices;

    private final Call reduce = new Call(WaitKind.REDUCE, CollectiveType.ALLREDUCE);
    private final Call inclusiveScan = new Call(WaitKind.INCLUSIVE_SCAN, CollectiveType.INCLUSIVE_SCAN);
    private final Call exclusiveScan = new Call(WaitKind.EXCLUSIVE_SCAN, CollectiveType.EXCLUSIVE_SCAN);
    private final Call reduceScatter = new Call(WaitKind.REDUCE_SCATTER, CollectiveType.REDUCE_SCATTER);
    private final Call broadcast = new Call(WaitKind.BROADCAST, CollectiveType.BROADCAST);
    private final Call collect = new Call(WaitKind.COLLECT, CollectiveType.ALLGATHERV);
    private final Call fcollect = new Call(WaitKind.FCOLLECT, CollectiveType.ALLGATHER);
    private final Call alltoall = new Call(WaitKind.ALLTOALL, CollectiveType.ALLTOALL);
    private final Call alltoallStrided = new Call(WaitKind.ALLTOALL_STRIDED, CollectiveType.ALLTOALLV);

    Calls(TeamSync teamSync, Operands operands, Choices choices) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.home = teamSync.context();
        this.operands = operands;
        this.choices = choices;
    }

    Call reduce(Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        return begun(reduce, reduction, target, targetIndex, 1, source, sourceIndex, 1, count);
    }

    Call inclusiveScan(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        return begun(inclusiveScan, reduction, target, targetIndex, 1, source, sourceIndex, 1, count);
    }

    Call exclusiveScan(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        return begun(exclusiveScan, reduction, target, targetIndex, 1, source, sourceIndex, 1, count);
    }

    Call reduceScatter(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        return begun(reduceScatter, reduction, target, targetIndex, 1, source, sourceIndex, 1, count);
    }

    Call broadcast(Elements target, long targetIndex, Elements source, long sourceIndex, long count, int root) {
        Call call = begun(broadcast, Call.NONE, target, targetIndex, 1, source, sourceIndex, 1, count);
        if (root < 0 || root >= membership.size()) {
            teamSync.leave();
            operands.checkRoot(call.kind, root);
        }
        call.root(root);
        return call;
    }

    Call collect(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        return begun(collect, Call.NONE, target, targetIndex, 1, source, sourceIndex, 1, count);
    }

    Call fcollect(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        return begun(fcollect, Call.NONE, target, targetIndex, 1, source, sourceIndex, 1, count);
    }

    Call alltoall(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        return begun(alltoall, Call.NONE, target, targetIndex, 1, source, sourceIndex, 1, count);
    }

    Call alltoallStrided(
            Elements target,
            long targetIndex,
            long targetStride,
            Elements source,
            long sourceIndex,
            long sourceStride,
            long count) {
        return begun(
                alltoallStrided,
                Call.NONE,
                target,
                targetIndex,
                targetStride,
                source,
                sourceIndex,
                sourceStride,
                count);
    }

    /// Begins a call: whatever is not as it should be is thrown before anybody meets, and ends it.
    private Call begun(
            Call call,
            Reduction reduction,
            Elements target,
            long targetIndex,
            long targetStride,
            Elements source,
            long sourceIndex,
            long sourceStride,
            long count) {
        teamSync.checkAlive(call.kind.words());
        choices.components();
        teamSync.begin(call.kind);
        PeMemory targetBlock = Places.blockIfAny(target);
        PeMemory sourceBlock = Places.blockIfAny(source);
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
                        count);
        if (!isSame) {
            set(call, reduction, target, targetIndex, targetStride, source, sourceIndex, sourceStride, count);
        }
        return call;
    }

    private void set(
            Call call,
            Reduction reduction,
            Elements target,
            long targetIndex,
            long targetStride,
            Elements source,
            long sourceIndex,
            long sourceStride,
            long count) {
        boolean isFine = false;
        call.keep(null, 0, 0, null, 0, 0);
        try {
            ElementType type = operands.type(call.kind, target, source);
            call.target = target;
            switch (call.type) {
                case ALLREDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN ->
                    vector(call, reduction, target, targetIndex, source, sourceIndex, count);
                case REDUCE_SCATTER -> scatter(call, reduction, target, targetIndex, source, sourceIndex, count);
                case BROADCAST -> copy(call, target, targetIndex, source, sourceIndex, count);
                case ALLGATHERV -> gatherAny(call, target, targetIndex, source, sourceIndex, count);
                case ALLGATHER -> gather(call, target, targetIndex, source, sourceIndex, count);
                case ALLTOALL -> exchange(call, target, targetIndex, source, sourceIndex, count);
                case ALLTOALLV ->
                    exchangeApart(call, target, targetIndex, targetStride, source, sourceIndex, sourceStride, count);
                default -> throw new AssertionError(call.type);
            }
            boolean isReduction = isReduction(call.type);
            call.say(isReduction ? Signature.of(reduction, type) : Signature.of(type), choices.digest());
            if (call.type != CollectiveType.ALLGATHERV) {
                call.also(count);
            }
            if (call.type == CollectiveType.ALLTOALLV) {
                call.also(targetStride);
                call.also(sourceStride);
            }
            call.choice = choices.of(call.type, call.bytes);
            call.keep(
                    Places.blockOf(target),
                    targetIndex,
                    targetStride,
                    Places.blockOf(source),
                    sourceIndex,
                    sourceStride);
            isFine = true;
        } finally {
            if (!isFine) {
                teamSync.leave();
            }
        }
    }

    private static boolean isReduction(CollectiveType type) {
        return switch (type) {
            case ALLREDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN, REDUCE_SCATTER -> true;
            default -> false;
        };
    }

    private void vector(
            Call call,
            Reduction reduction,
            Elements target,
            long targetIndex,
            Elements source,
            long sourceIndex,
            long count) {
        operands.checkReduction(call.kind, reduction, target.type());
        copy(call, target, targetIndex, source, sourceIndex, count);
        call.reduction = reduction;
    }

    private void copy(Call call, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        ElementType type = target.type();
        operands.checkCount(call.kind, type, count, 1);
        long to = operands.place(call.kind, "target", target, targetIndex, count);
        long from = operands.place(call.kind, "source", source, sourceIndex, count);
        long bytes = count * type.byteSize();
        operands.checkInPlaceOrApart(call.kind, to, bytes, from, bytes);
        call.set(Call.NONE, type, to, from, count, bytes);
    }

    private void scatter(
            Call call,
            Reduction reduction,
            Elements target,
            long targetIndex,
            Elements source,
            long sourceIndex,
            long count) {
        ElementType type = target.type();
        operands.checkReduction(call.kind, reduction, type);
        operands.checkCount(call.kind, type, count, membership.size());
        long all = count * membership.size();
        long to = operands.place(call.kind, "target", target, targetIndex, count);
        long from = operands.place(call.kind, "source", source, sourceIndex, all);
        int width = type.byteSize();
        operands.checkInPlaceOrApart(call.kind, to, count * width, from, all * width);
        call.set(reduction, type, to, from, count, count * width);
    }

    private void gatherAny(
            Call call, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        ElementType type = target.type();
        operands.checkCount(call.kind, type, count, 1);
        long to = operands.place(call.kind, "target", target, targetIndex, 0);
        long from = operands.place(call.kind, "source", source, sourceIndex, count);
        call.set(Call.NONE, type, to, from, count, 0);
    }

    private void gather(Call call, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        ElementType type = target.type();
        operands.checkCount(call.kind, type, count, membership.size());
        long all = count * membership.size();
        long to = operands.place(call.kind, "target", target, targetIndex, all);
        long from = operands.place(call.kind, "source", source, sourceIndex, count);
        int width = type.byteSize();
        operands.checkApart(call.kind, to, all * width, from, count * width);
        call.set(Call.NONE, type, to, from, count, all * width);
    }

    private void exchange(Call call, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        ElementType type = target.type();
        operands.checkCount(call.kind, type, count, membership.size());
        long all = count * membership.size();
        long to = operands.place(call.kind, "target", target, targetIndex, all);
        long from = operands.place(call.kind, "source", source, sourceIndex, all);
        int width = type.byteSize();
        operands.checkApart(call.kind, to, all * width, from, all * width);
        call.set(Call.NONE, type, to, from, count, all * width);
    }

    private void exchangeApart(
            Call call,
            Elements target,
            long targetIndex,
            long targetStride,
            Elements source,
            long sourceIndex,
            long sourceStride,
            long count) {
        ElementType type = target.type();
        operands.checkCount(call.kind, type, count, membership.size());
        operands.checkStride(call.kind, "target", targetStride);
        operands.checkStride(call.kind, "source", sourceStride);
        long all = count * membership.size();
        long targetSpan = Operands.span(all, targetStride);
        long sourceSpan = Operands.span(all, sourceStride);
        long to = operands.place(call.kind, "target", target, targetIndex, targetSpan);
        long from = operands.place(call.kind, "source", source, sourceIndex, sourceSpan);
        int width = type.byteSize();
        operands.checkApart(call.kind, to, targetSpan * width, from, sourceSpan * width);
        call.set(Call.NONE, type, to, from, count, 0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.internal.wait.WaitKind.ALLTOALL;
import static coterie.internal.wait.WaitKind.ALLTOALL_STRIDED;
import static coterie.internal.wait.WaitKind.BROADCAST;
import static coterie.internal.wait.WaitKind.COLLECT;
import static coterie.internal.wait.WaitKind.EXCLUSIVE_SCAN;
import static coterie.internal.wait.WaitKind.FCOLLECT;
import static coterie.internal.wait.WaitKind.INCLUSIVE_SCAN;
import static coterie.internal.wait.WaitKind.REDUCE;
import static coterie.internal.wait.WaitKind.REDUCE_SCATTER;

import coterie.ElementType;
import coterie.Elements;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.internal.rma.HeapCopies;
import coterie.internal.rma.PeContext;
import coterie.internal.wait.WaitKind;

/// The collectives over symmetric memory. All go the same way:
///
/// ```
///  check my arguments           wrong ones are refused before anybody meets
///  say them, meet               all must agree: where they don't, no target has changed
///    write into targets         by puts and gets, so on any conduit
///  complete, meet               my target is complete, and everybody is done with my source
/// ```
///
/// [Rounds] has the meetings.
public final class DataCollectives {
    private final Gathering gathering;
    private final Meeting meeting;
    private final Roster roster;
    private final PeContext context;
    private final Operands operands;
    private final Rounds rounds;
    private final ShareReductions shares;
    private final Exchanges exchanges;

    public DataCollectives(Gathering gathering) {
        this.gathering = gathering;
        this.meeting = gathering.meeting();
        this.roster = gathering.roster();
        this.context = gathering.context().own();
        this.operands = new Operands(roster, gathering.context());
        this.rounds = new Rounds(gathering);
        HeapCopies copies = new HeapCopies(context);
        this.shares = new ShareReductions(roster, copies, context.scratch());
        this.exchanges = new Exchanges(roster, copies);
    }

    /// See [coterie.Team#reduce(Reduction, Elements, long, Elements, long, long)].
    public void reduce(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        byShares(REDUCE, reduction, target, targetIndex, source, sourceIndex, count);
    }

    /// See [coterie.Team#inclusiveScan].
    public void inclusiveScan(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        byShares(INCLUSIVE_SCAN, reduction, target, targetIndex, source, sourceIndex, count);
    }

    /// See [coterie.Team#exclusiveScan].
    public void exclusiveScan(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        byShares(EXCLUSIVE_SCAN, reduction, target, targetIndex, source, sourceIndex, count);
    }

    private void byShares(
            WaitKind kind,
            Reduction reduction,
            Elements target,
            long targetIndex,
            Elements source,
            long sourceIndex,
            long count) {
        ElementType type = type(kind, target, source);
        operands.checkReduction(kind, reduction, type);
        operands.checkCount(kind, type, count, 1);
        long to = operands.place(kind, "target", target, targetIndex, count);
        long from = operands.place(kind, "source", source, sourceIndex, count);
        long bytes = count * type.byteSize();
        operands.checkInPlaceOrApart(kind, to, bytes, from, bytes);
        rounds.begin(kind, Signature.of(reduction, type), to, from, count);
        rounds.agree(kind, 4, 4);
        try {
            switch (kind) {
                case INCLUSIVE_SCAN -> shares.inclusiveScan(reduction, type, to, from, count);
                case EXCLUSIVE_SCAN -> shares.exclusiveScan(reduction, type, to, from, count);
                default -> shares.reduce(reduction, type, to, from, count);
            }
            context.complete();
        } finally {
            rounds.finish(kind);
        }
    }

    /// See [coterie.Team#reduceScatter].
    ///
    /// In place, everybody's target is what member 0 reads: it goes first, and the others when it has ended.
    public void reduceScatter(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        ElementType type = type(REDUCE_SCATTER, target, source);
        operands.checkReduction(REDUCE_SCATTER, reduction, type);
        operands.checkCount(REDUCE_SCATTER, type, count, roster.size());
        long all = count * roster.size();
        long to = operands.place(REDUCE_SCATTER, "target", target, targetIndex, count);
        long from = operands.place(REDUCE_SCATTER, "source", source, sourceIndex, all);
        int width = type.byteSize();
        operands.checkInPlaceOrApart(REDUCE_SCATTER, to, count * width, from, all * width);
        rounds.begin(REDUCE_SCATTER, Signature.of(reduction, type), to, from, count);
        boolean isInPlace = to == from;
        rounds.agree(REDUCE_SCATTER, 4, 4);
        if (isInPlace) {
            partOfFirst(reduction, type, to, from, count);
        }
        try {
            if (!isInPlace || roster.me() != 0) {
                shares.reducePart(reduction, type, to, from, count);
            }
            context.complete();
        } finally {
            rounds.finish(REDUCE_SCATTER);
        }
    }

    /// Reduces member 0's part, and meets.
    private void partOfFirst(Reduction reduction, ElementType type, long to, long from, long count) {
        try {
            if (roster.me() == 0) {
                shares.reducePart(reduction, type, to, from, count);
            }
        } catch (PeFailedException e) {
            rounds.agree(REDUCE_SCATTER, 0, 0);
            rounds.finish(REDUCE_SCATTER);
            throw e;
        }
        rounds.agree(REDUCE_SCATTER, 0, 0);
    }

    /// See [coterie.Team#broadcast].
    public void broadcast(Elements target, long targetIndex, Elements source, long sourceIndex, long count, int root) {
        ElementType type = type(BROADCAST, target, source);
        operands.checkRoot(BROADCAST, root);
        operands.checkCount(BROADCAST, type, count, 1);
        long to = operands.place(BROADCAST, "target", target, targetIndex, count);
        long from = operands.place(BROADCAST, "source", source, sourceIndex, count);
        long bytes = count * type.byteSize();
        operands.checkInPlaceOrApart(BROADCAST, to, bytes, from, bytes);
        rounds.begin(BROADCAST, Signature.of(type), to, from, count);
        meeting.say(4, root);
        rounds.agree(BROADCAST, 5, 5);
        try {
            if (roster.me() == root) {
                exchanges.toAll(to, from, bytes);
                context.complete();
            }
        } finally {
            rounds.finish(BROADCAST);
        }
    }

    /// See [coterie.Team#collect]. Only the round tells how many elements there are in all, so what they don't fit
    /// into is refused after it, by all members alike.
    public void collect(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        ElementType type = type(COLLECT, target, source);
        operands.checkCount(COLLECT, type, count, 1);
        long to = operands.place(COLLECT, "target", target, targetIndex, 0);
        long from = operands.place(COLLECT, "source", source, sourceIndex, count);
        rounds.begin(COLLECT, Signature.of(type), to, from, count);
        rounds.agree(COLLECT, 4, Rounds.COUNT);
        try {
            long before = 0;
            long total = 0;
            long most = 0;
            for (int member = 0; member < roster.size(); member++) {
                long given = meeting.heard(member, Rounds.COUNT);
                before += member < roster.me() ? given : 0;
                total = total > Long.MAX_VALUE - given ? Long.MAX_VALUE : total + given;
                most = Math.max(most, given);
            }
            int width = type.byteSize();
            operands.place(COLLECT, "target", target, targetIndex, total);
            operands.checkApart(COLLECT, to, total * width, from, most * width);
            exchanges.toAll(to + before * width, from, count * width);
            context.complete();
        } finally {
            rounds.finish(COLLECT);
        }
    }

    /// See [coterie.Team#fcollect].
    public void fcollect(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        ElementType type = type(FCOLLECT, target, source);
        operands.checkCount(FCOLLECT, type, count, roster.size());
        long all = count * roster.size();
        long to = operands.place(FCOLLECT, "target", target, targetIndex, all);
        long from = operands.place(FCOLLECT, "source", source, sourceIndex, count);
        int width = type.byteSize();
        operands.checkApart(FCOLLECT, to, all * width, from, count * width);
        rounds.begin(FCOLLECT, Signature.of(type), to, from, count);
        rounds.agree(FCOLLECT, 4, 4);
        try {
            exchanges.toAll(to + roster.me() * count * width, from, count * width);
            context.complete();
        } finally {
            rounds.finish(FCOLLECT);
        }
    }

    /// See [coterie.Team#alltoall].
    public void alltoall(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        ElementType type = type(ALLTOALL, target, source);
        operands.checkCount(ALLTOALL, type, count, roster.size());
        long all = count * roster.size();
        long to = operands.place(ALLTOALL, "target", target, targetIndex, all);
        long from = operands.place(ALLTOALL, "source", source, sourceIndex, all);
        int width = type.byteSize();
        operands.checkApart(ALLTOALL, to, all * width, from, all * width);
        rounds.begin(ALLTOALL, Signature.of(type), to, from, count);
        rounds.agree(ALLTOALL, 4, 4);
        try {
            exchanges.blocks(to, from, count * width);
            context.complete();
        } finally {
            rounds.finish(ALLTOALL);
        }
    }

    /// See [coterie.Team#alltoallStrided].
    public void alltoallStrided(
            Elements target,
            long targetIndex,
            long targetStride,
            Elements source,
            long sourceIndex,
            long sourceStride,
            long count) {
        ElementType type = type(ALLTOALL_STRIDED, target, source);
        operands.checkCount(ALLTOALL_STRIDED, type, count, roster.size());
        operands.checkStride(ALLTOALL_STRIDED, "target", targetStride);
        operands.checkStride(ALLTOALL_STRIDED, "source", sourceStride);
        long all = count * roster.size();
        long targetSpan = Operands.span(all, targetStride);
        long sourceSpan = Operands.span(all, sourceStride);
        long to = operands.place(ALLTOALL_STRIDED, "target", target, targetIndex, targetSpan);
        long from = operands.place(ALLTOALL_STRIDED, "source", source, sourceIndex, sourceSpan);
        int width = type.byteSize();
        operands.checkApart(ALLTOALL_STRIDED, to, targetSpan * width, from, sourceSpan * width);
        rounds.begin(ALLTOALL_STRIDED, Signature.of(type), to, from, count);
        meeting.say(4, targetStride);
        meeting.say(5, sourceStride);
        rounds.agree(ALLTOALL_STRIDED, 6, 6);
        try {
            exchanges.blocksApart(to, targetStride * width, from, sourceStride * width, width, count);
            context.complete();
        } finally {
            rounds.finish(ALLTOALL_STRIDED);
        }
    }

    private ElementType type(WaitKind kind, Elements target, Elements source) {
        gathering.checkAlive(kind.words());
        return operands.type(kind, target, source);
    }
}

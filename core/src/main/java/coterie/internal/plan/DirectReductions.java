// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Direct reductions, for members that load and store each other's memory: each member reduces a share of the
/// elements of all sources, in the order of the members, and writes the results into the targets.
///
/// ```
///  elements        0 ┄┄┄┄┄┄┄┄┄┄┄ 3 ┄┄┄┄┄┄┄┄┄┄┄ 6 ┄┄┄┄┄┄┄┄┄┄┄ 9
///  source of 0     │ member 0's  │ member 1's  │ member 2's  │   a member reads its column, piece by piece,
///  source of 1     │   share     │   share     │   share     │   from top to bottom, and writes it into the
///  source of 2     │             │             │             │   targets
/// ```
///
/// One member computes each element, so all members have the same bits. A member has read its piece of a source
/// before it writes to the target there, and no other member touches either: so source and target may be the same.
///
/// Each member learns once where the others' buffers are, and waits once until the others have written.
final class DirectReductions {
    /// Bytes of a piece: three of them fit the L1 cache.
    private static final long PIECE = 8L << 10;

    /// With two members there is no intermediate result, and larger pieces are faster as long as they fit the L2.
    private static final long PIECE_OF_TWO = 128L << 10;

    /// A plan has no more pieces than this; those of long vectors are longer.
    private static final long MOST_PIECES = 1024;

    static void allreduce(Plan.Builder plan, CollectiveShape shape) {
        Columns columns = new Columns(plan, shape);
        for (ByteSpan piece : columns.pieces) {
            ByteSpan result = inTarget(piece);
            columns.fold(piece, result);
            shape.others().forEach(member -> plan.copy(result.of(member), result));
        }
        DirectCopies.close(plan, shape);
    }

    static void reduce(Plan.Builder plan, CollectiveShape shape) {
        Columns columns = new Columns(plan, shape);
        columns.pieces.forEach(piece -> columns.fold(piece, DirectCopies.at(shape, shape.root(), inTarget(piece))));
        DirectCopies.close(plan, shape);
    }

    /// Declines in place: a member's target is what member 0 reads.
    static void reduceScatter(Plan.Builder plan, CollectiveShape shape) {
        Columns columns = new Columns(plan, shape);
        long begin = shape.source(shape.me()).offset();
        for (ByteSpan piece : columns.pieces) {
            columns.fold(piece, shape.target(0).part(piece.offset() - begin, piece.bytes()));
        }
        DirectCopies.close(plan, shape);
    }

    static void inclusiveScan(Plan.Builder plan, CollectiveShape shape) {
        if (shape.isSequential()) {
            scan(plan, shape, 0);
            return;
        }
        for (ByteSpan piece : new Columns(plan, shape).pieces) {
            ByteSpan before = DirectCopies.at(shape, 0, piece);
            for (int member = 0; member < shape.size(); member++) {
                ByteSpan target = DirectCopies.at(shape, member, inTarget(piece));
                if (member > 0) {
                    plan.fold(target, before, DirectCopies.at(shape, member, piece));
                } else if (!shape.inPlace()) {
                    plan.copy(target, before);
                }
                before = target;
            }
        }
        DirectCopies.close(plan, shape);
    }

    /// Two buffers take turns: one has what comes before a member while the other takes what comes before the next.
    static void exclusiveScan(Plan.Builder plan, CollectiveShape shape) {
        if (shape.isSequential()) {
            scan(plan, shape, 1);
            return;
        }
        Columns columns = new Columns(plan, shape);
        ByteSpan first = plan.scratch(columns.longest);
        ByteSpan second = plan.scratch(columns.longest);
        for (ByteSpan piece : columns.pieces) {
            ByteSpan before = first.part(0, piece.bytes());
            ByteSpan next = second.part(0, piece.bytes());
            plan.copy(before, DirectCopies.at(shape, 0, piece));
            plan.clear(DirectCopies.at(shape, 0, inTarget(piece)));
            for (int member = 1; member < shape.size(); member++) {
                if (member < shape.size() - 1) {
                    plan.fold(next, before, DirectCopies.at(shape, member, piece));
                }
                plan.copy(DirectCopies.at(shape, member, inTarget(piece)), before);
                ByteSpan done = before;
                before = next;
                next = done;
            }
        }
        DirectCopies.close(plan, shape);
    }

    /// Reduces for each member the operands of all before it at once: what one member gets is too short to go on from.
    /// From the last member to the first, since in place a target is a source that later members alone need.
    ///
    /// @param behind how many of the last operands a member does not get
    private static void scan(Plan.Builder plan, CollectiveShape shape, int behind) {
        for (ByteSpan piece : new Columns(plan, shape).pieces) {
            List<ByteSpan> sources = IntStream.range(0, shape.size())
                    .mapToObj(member -> DirectCopies.at(shape, member, piece))
                    .toList();
            for (int member = shape.size() - 1; member >= 0; member--) {
                ByteSpan target = DirectCopies.at(shape, member, inTarget(piece));
                int operands = member + 1 - behind;
                if (operands == 0) {
                    plan.clear(target);
                } else if (operands > 1 || behind > 0 || !shape.inPlace()) {
                    plan.foldAll(target, sources.subList(0, operands));
                }
            }
        }
        DirectCopies.close(plan, shape);
    }

    /// The bytes of the target that have the same place there as these have in the source.
    private static ByteSpan inTarget(ByteSpan piece) {
        return new ByteSpan(PlanBuffer.TARGET, piece.offset(), piece.bytes());
    }

    /// A plan while it grows, and the pieces of this member's share of a vector.
    private static final class Columns {
        /// Where they are in this member's source.
        final List<ByteSpan> pieces = new ArrayList<>();

        /// Bytes of the longest piece, a multiple of the elements' width.
        final long longest;

        private final Plan.Builder plan;
        private final CollectiveShape shape;

        /// Where intermediate results are, which can't be in the target.
        private @Nullable ByteSpan scratch;

        Columns(Plan.Builder plan, CollectiveShape shape) {
            this.plan = plan;
            this.shape = shape;
            ByteSpan share = shape.source().count() == 1 ? share() : shape.source(shape.me());
            long piece = Math.max(shape.size() == 2 ? PIECE_OF_TWO : PIECE, share.bytes() / MOST_PIECES);
            this.longest = Math.min(share.bytes(), Math.max(1, piece / shape.width()) * shape.width());
            for (long at = 0; at < share.bytes(); at += longest) {
                pieces.add(share.part(at, Math.min(longest, share.bytes() - at)));
            }
            DirectCopies.open(plan, shape);
        }

        private ByteSpan share() {
            long elements = shape.source(0).bytes() / shape.width();
            long from = begin(elements, shape.me()) * shape.width();
            return shape.source(0).part(from, begin(elements, shape.me() + 1) * shape.width() - from);
        }

        /// The first element of a member's share; that of the member after the last is the end.
        private long begin(long elements, int member) {
            return member * (elements / shape.size()) + Math.min(member, elements % shape.size());
        }

        /// Reduces a piece of all sources. Only the last fold writes the result, which may be a source that it reads.
        void fold(ByteSpan piece, ByteSpan result) {
            if (shape.isSequential() && shape.size() > 1) {
                plan.foldAll(
                        result,
                        IntStream.range(0, shape.size())
                                .mapToObj(member -> DirectCopies.at(shape, member, piece))
                                .toList());
                return;
            }
            ByteSpan sum = DirectCopies.at(shape, 0, piece);
            if (shape.size() == 1 && !shape.inPlace()) {
                plan.copy(result, sum);
            }
            for (int member = 1; member < shape.size(); member++) {
                ByteSpan next = member == shape.size() - 1 ? result : intermediate(piece.bytes());
                plan.fold(next, sum, DirectCopies.at(shape, member, piece));
                sum = next;
            }
        }

        private ByteSpan intermediate(long length) {
            ByteSpan made = scratch;
            if (made == null) {
                made = plan.scratch(longest);
                scratch = made;
            }
            return made.part(0, length);
        }
    }

    private DirectReductions() {}
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

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
        columns.each((from, length) -> {
            ByteSpan result = shape.target(0).part(from, length);
            columns.fold(from, length, result);
            for (int places = 1; places < shape.size(); places++) {
                plan.copy(result.of(shape.neighbour(places)), result);
            }
        });
        columns.close();
    }

    static void reduce(Plan.Builder plan, CollectiveShape shape) {
        Columns columns = new Columns(plan, shape);
        columns.each((from, length) -> columns.fold(
                from, length, DirectCopies.at(shape, shape.root(), new ByteSpan(PlanBuffer.TARGET, from, length))));
        columns.close();
    }

    /// Declines in place: a member's target is what member 0 reads.
    static void reduceScatter(Plan.Builder plan, CollectiveShape shape) {
        Columns columns = new Columns(plan, shape);
        ByteSpan mine = shape.source(shape.me());
        columns.pieces(
                mine.offset(),
                mine.bytes(),
                (from, length) -> columns.fold(from, length, shape.target(0).part(from - mine.offset(), length)));
        columns.close();
    }

    static void inclusiveScan(Plan.Builder plan, CollectiveShape shape) {
        Columns columns = new Columns(plan, shape);
        columns.each((from, length) -> {
            ByteSpan result = new ByteSpan(PlanBuffer.TARGET, from, length);
            ByteSpan before = columns.operand(0, from, length);
            for (int member = 0; member < shape.size(); member++) {
                ByteSpan target = DirectCopies.at(shape, member, result);
                if (member > 0) {
                    plan.fold(target, before, columns.operand(member, from, length));
                } else if (!shape.inPlace()) {
                    plan.copy(target, before);
                }
                before = target;
            }
        });
        columns.close();
    }

    /// Two buffers take turns: one has what comes before a member while the other takes what comes before the next.
    static void exclusiveScan(Plan.Builder plan, CollectiveShape shape) {
        Columns columns = new Columns(plan, shape);
        ByteSpan first = plan.scratch(columns.longest);
        ByteSpan second = plan.scratch(columns.longest);
        columns.each((from, length) -> {
            ByteSpan result = new ByteSpan(PlanBuffer.TARGET, from, length);
            ByteSpan before = first.part(0, length);
            ByteSpan next = second.part(0, length);
            plan.copy(before, columns.operand(0, from, length));
            plan.clear(DirectCopies.at(shape, 0, result));
            for (int member = 1; member < shape.size(); member++) {
                if (member < shape.size() - 1) {
                    plan.fold(next, before, columns.operand(member, from, length));
                }
                plan.copy(DirectCopies.at(shape, member, result), before);
                ByteSpan done = before;
                before = next;
                next = done;
            }
        });
        columns.close();
    }

    @FunctionalInterface
    private interface Work {
        void on(long from, long length);
    }

    /// A plan while it grows, and this member's share of a vector.
    private static final class Columns {

        /// Bytes of the longest piece, a multiple of the elements' width.
        final long longest;

        private final Plan.Builder plan;
        private final CollectiveShape shape;
        private final long from;
        private final long to;

        /// Where intermediate results are, which can't be in the target.
        private @Nullable ByteSpan scratch;

        Columns(Plan.Builder plan, CollectiveShape shape) {
            this.plan = plan;
            this.shape = shape;
            long elements = shape.source(0).bytes() / shape.width();
            this.from = begin(elements, shape.me()) * shape.width();
            this.to = begin(elements, shape.me() + 1) * shape.width();
            long share =
                    shape.source().count() == 1 ? to - from : shape.source(0).bytes();
            long piece = Math.max(shape.size() == 2 ? PIECE_OF_TWO : PIECE, share / MOST_PIECES);
            this.longest = Math.min(share, Math.max(1, piece / shape.width()) * shape.width());
            DirectCopies.open(plan, shape);
        }

        /// The first element of a member's share; that of the member after the last is the end.
        private long begin(long elements, int member) {
            return member * (elements / shape.size()) + Math.min(member, elements % shape.size());
        }

        /// Does work on each piece of the share.
        void each(Work work) {
            pieces(from, to - from, work);
        }

        void pieces(long begin, long bytes, Work work) {
            for (long at = begin; at < begin + bytes; at += longest) {
                work.on(at, Math.min(longest, begin + bytes - at));
            }
        }

        ByteSpan operand(int member, long at, long length) {
            return DirectCopies.at(shape, member, new ByteSpan(PlanBuffer.SOURCE, at, length));
        }

        /// Reduces a piece of all sources. Only the last fold writes the result, which may be a source that it reads.
        void fold(long at, long length, ByteSpan result) {
            ByteSpan sum = operand(0, at, length);
            if (shape.size() == 1 && !shape.inPlace()) {
                plan.copy(result, sum);
            }
            for (int member = 1; member < shape.size(); member++) {
                ByteSpan next = member == shape.size() - 1 ? result : intermediate(length);
                plan.fold(next, sum, operand(member, at, length));
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

        void close() {
            DirectCopies.close(plan, shape);
        }
    }

    private DirectReductions() {}
}

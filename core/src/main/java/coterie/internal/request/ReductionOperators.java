// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.CustomReduction;
import coterie.ElementType;
import coterie.ExtendedReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.internal.collective.KernelOperator;
import coterie.internal.p2p.Operator;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// What reductions do with elements.
final class ReductionOperators {
    private ReductionOperators() {}

    /// @param operator null where nothing is reduced
    /// @param members of the team
    static Operator of(@Nullable ReductionOperator operator, ElementType type, int members) {
        return switch (operator) {
            case null -> new KernelOperator(Reduction.SUM, type);
            case Reduction reduction -> new KernelOperator(reduction, type);
            case CustomReduction custom -> new CustomOperator(custom);
            case ExtendedReduction extended ->
                switch (extended) {
                    case AVERAGE -> new Average(new KernelOperator(Reduction.SUM, type), members);
                    case LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR -> new Logical(extended, type);
                    case MIN_LOCATION, MAX_LOCATION -> new Location(type, extended == ExtendedReduction.MAX_LOCATION);
                };
        };
    }

    /// Whether there is an element that changes no other, for members that have none before them.
    static boolean hasIdentity(ReductionOperator operator) {
        return !(operator instanceof CustomReduction)
                && operator != ExtendedReduction.MIN_LOCATION
                && operator != ExtendedReduction.MAX_LOCATION;
    }

    /// A mean: a sum that is divided at the end.
    private record Average(KernelOperator sum, int members) implements Operator {
        @Override
        public void fold(
                MemorySegment target,
                long to,
                MemorySegment left,
                long leftFrom,
                MemorySegment right,
                long rightFrom,
                long length) {
            sum.fold(target, to, left, leftFrom, right, rightFrom, length);
        }

        @Override
        public void clear(MemorySegment target, long at, long length) {
            sum.clear(target, at, length);
        }

        @Override
        public void finish(MemorySegment target, long at, long length) {
            if (sum.elements() == ElementType.FLOAT) {
                ExtendedKernels.divideFloats(target, at, length, members);
            } else {
                ExtendedKernels.divideDoubles(target, at, length, members);
            }
        }
    }

    /// Whether elements differ from 0, of all members, of any, or of an odd number.
    private record Logical(ExtendedReduction reduction, ElementType type) implements Operator {
        @Override
        public void fold(
                MemorySegment target,
                long to,
                MemorySegment left,
                long leftFrom,
                MemorySegment right,
                long rightFrom,
                long length) {
            ExtendedKernels.combineTruths(
                    reduction, type.byteSize(), target, to, left, leftFrom, right, rightFrom, length);
        }

        @Override
        public void clear(MemorySegment target, long at, long length) {
            Reduction identity = reduction == ExtendedReduction.LOGICAL_AND ? Reduction.PRODUCT : Reduction.SUM;
            new KernelOperator(identity, type).clear(target, at, length);
        }

        /// A member's own elements are no truths yet, where they have met no others.
        @Override
        public void finish(MemorySegment target, long at, long length) {
            ExtendedKernels.combineTruths(
                    ExtendedReduction.LOGICAL_OR, type.byteSize(), target, at, target, at, target, at, length);
        }
    }

    /// The least or the greatest of values, and where it was found.
    private record Location(ElementType type, boolean isGreatest) implements Operator {
        @Override
        public void fold(
                MemorySegment target,
                long to,
                MemorySegment left,
                long leftFrom,
                MemorySegment right,
                long rightFrom,
                long length) {
            int width = type.byteSize();
            for (long at = 0; at < length; at += 2L * width) {
                boolean isRight = isPreferred(right, rightFrom + at, left, leftFrom + at);
                MemorySegment winner = isRight ? right : left;
                long from = (isRight ? rightFrom : leftFrom) + at;
                long value = ExtendedKernels.bits(winner, from, width);
                long location = ExtendedKernels.bits(winner, from + width, width);
                ExtendedKernels.setBits(target, to + at, width, value);
                ExtendedKernels.setBits(target, to + at + width, width, location);
            }
        }

        /// Whether a pair comes before another one.
        private boolean isPreferred(MemorySegment one, long at, MemorySegment other, long otherAt) {
            int width = type.byteSize();
            long rank = ExtendedKernels.rank(type, ExtendedKernels.bits(one, at, width), isGreatest);
            long otherRank = ExtendedKernels.rank(type, ExtendedKernels.bits(other, otherAt, width), isGreatest);
            if (rank != otherRank) {
                return isGreatest ? rank > otherRank : rank < otherRank;
            }
            return ExtendedKernels.rank(type, ExtendedKernels.bits(one, at + width, width), true)
                    < ExtendedKernels.rank(type, ExtendedKernels.bits(other, otherAt + width, width), true);
        }

        @Override
        public void clear(MemorySegment target, long at, long length) {
            throw new AssertionError("minimum and maximum have no identity element"); // prepare refuses what needs it
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.CustomReduction;
import coterie.ElementType;
import coterie.ExtendedReduction;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.ScaledSum;
import coterie.internal.collective.KernelOperator;
import coterie.internal.p2p.Operator;
import coterie.internal.posix.AddressSpace;
import coterie.internal.sync.KnownOperators;
import coterie.spi.FoldStep;
import coterie.spi.ReductionKind;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What reductions do with elements.
final class ReductionOperators {
    private ReductionOperators() {}

    /// @param operator null where nothing is reduced
    /// @param members of the team
    static Operator of(@Nullable ReductionOperator<?> operator, ElementType type, int members) {
        return switch (operator) {
            case null -> new KernelOperator(ReductionKind.SUM, type);
            case Reduction _ -> kernel(operator, type);
            case IntegerReduction known ->
                switch (known) {
                    case AND, OR, XOR -> kernel(operator, type);
                    case LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR -> new Logical(known, type);
                };
            case CustomReduction custom -> new CustomOperator(custom);
            case ScaledSum scaled -> scaled(type, scaled.factor(), 1, members);
            case ExtendedReduction extended ->
                switch (extended) {
                    case AVERAGE -> scaled(type, 1, members, members);
                    case MIN_LOCATION, MAX_LOCATION -> new Location(type, extended == ExtendedReduction.MAX_LOCATION);
                };
        };
    }

    private static Scaled scaled(ElementType type, double factor, int divisor, int members) {
        return new Scaled(new KernelOperator(ReductionKind.SUM, type), factor, divisor, members == 1);
    }

    private static KernelOperator kernel(ReductionOperator<?> operator, ElementType type) {
        return new KernelOperator(Objects.requireNonNull(KnownOperators.kind(operator)), type);
    }

    /// Whether there is an element that changes no other, for members that have none before them.
    static boolean hasIdentity(ReductionOperator<?> operator) {
        return !(operator instanceof CustomReduction)
                && operator != ExtendedReduction.MIN_LOCATION
                && operator != ExtendedReduction.MAX_LOCATION;
    }

    /// A sum that is multiplied and divided at the end; one of both numbers is 1.
    ///
    /// @param isAlone whether the team has one member, so that nothing is summed
    private record Scaled(KernelOperator sum, double factor, int divisor, boolean isAlone) implements Operator {
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

        /// Scales the sums before they are rounded, for the only time.
        @Override
        public void foldAll(long target, long[] operands, int count, long length, MemorySegment accumulators) {
            if (count == 1) {
                sum.foldAll(target, operands, count, length, accumulators);
                return;
            }
            long zeros = accumulators.byteSize() / 2; // sums are before them
            long piece = sum.piece(zeros);
            ExtendedKernels.negativeZeros(accumulators, zeros, piece);
            for (long at = 0; at < length; at += piece) {
                long bytes = Math.min(piece, length - at);
                sum.accumulate(operands, count, at, bytes, accumulators);
                ExtendedKernels.scaleFloats(
                        accumulators, 0, bytes / Short.BYTES * Float.BYTES, (float) factor, divisor);
                sum.fold(FoldStep.LAST, AddressSpace.ALL, target + at, accumulators, 0, accumulators, zeros, bytes);
            }
        }

        @Override
        public void finish(MemorySegment target, long at, long length) {
            switch (sum.elements()) {
                case FLOAT -> ExtendedKernels.scaleFloats(target, at, length, (float) factor, divisor);
                case DOUBLE -> ExtendedKernels.scaleDoubles(target, at, length, factor, divisor);
                default -> {
                    if (isAlone && factor != 1) { // others have been scaled before they were rounded
                        ExtendedKernels.scaleShorts(sum.elements(), target, at, length, (float) factor);
                    }
                }
            }
        }
    }

    /// Whether elements differ from 0, of all members, of any, or of an odd number.
    private record Logical(IntegerReduction reduction, ElementType type) implements Operator {
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
            ReductionKind identity =
                    reduction == IntegerReduction.LOGICAL_AND ? ReductionKind.PRODUCT : ReductionKind.SUM;
            new KernelOperator(identity, type).clear(target, at, length);
        }

        /// A member's own elements are no truths yet, where they have met no others.
        @Override
        public void finish(MemorySegment target, long at, long length) {
            ExtendedKernels.combineTruths(
                    IntegerReduction.LOGICAL_OR, type.byteSize(), target, at, target, at, target, at, length);
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

// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.ElementType;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The reductions that [Kernels] compute: those of [Reduction], and of [IntegerReduction] those on bits.
public enum ReductionKind {
    /// as [Reduction#SUM]
    SUM,
    /// as [Reduction#PRODUCT]
    PRODUCT,
    /// as [Reduction#MIN]
    MIN,
    /// as [Reduction#MAX]
    MAX,
    /// as [IntegerReduction#AND]
    AND,
    /// as [IntegerReduction#OR]
    OR,
    /// as [IntegerReduction#XOR]
    XOR;

    private static final List<Optional<ReductionKind>> KINDS =
            Arrays.stream(values()).map(Optional::of).toList();

    /// Returns the kind of an operator, empty for one that kernels don't compute. Allocates nothing.
    public static Optional<ReductionKind> of(ReductionOperator<?> operator) {
        Objects.requireNonNull(operator, "ReductionKind.of: operator is null");
        if (operator instanceof Reduction known) {
            return KINDS.get(known.ordinal());
        }
        return operator instanceof IntegerReduction known && AND.ordinal() + known.ordinal() < KINDS.size()
                ? KINDS.get(AND.ordinal() + known.ordinal())
                : Optional.empty();
    }

    /// Returns the operator that programs pass.
    public ReductionOperator<?> operator() {
        return switch (this) {
            case SUM -> Reduction.SUM;
            case PRODUCT -> Reduction.PRODUCT;
            case MIN -> Reduction.MIN;
            case MAX -> Reduction.MAX;
            case AND -> IntegerReduction.AND;
            case OR -> IntegerReduction.OR;
            case XOR -> IntegerReduction.XOR;
        };
    }

    /// Returns whether it is one of bits, which floating-point numbers don't have.
    public boolean isBitwise() {
        return compareTo(AND) >= 0;
    }

    /// Returns whether elements of a type have it.
    public boolean suits(ElementType type) {
        return type.isReducible() && (!isBitwise() || !type.isFloatingPoint());
    }

    /// Returns the bytes in which one element is kept while more are to come: as many as an element has, or those of
    /// a `float` where 16-bit numbers are added or multiplied.
    public int accumulatorSize(ElementType type) {
        return widens(type) ? Float.BYTES : type.byteSize();
    }

    /// Returns whether it keeps elements in something wider while more are to come.
    public boolean widens(ElementType type) {
        boolean isShort = type == ElementType.HALF || type == ElementType.BFLOAT16;
        return isShort && (this == SUM || this == PRODUCT);
    }
}

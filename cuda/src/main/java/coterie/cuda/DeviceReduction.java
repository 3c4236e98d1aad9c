// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.ExtendedReduction;
import coterie.ReductionOperator;
import coterie.cuda.nccl.NcclConstant;
import coterie.spi.ReductionKind;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The reductions of collectives over device memory, and what the engines call them.
enum DeviceReduction {
    /// as [coterie.Reduction#SUM]
    SUM(ReductionKind.SUM, NcclConstant.ncclSum),
    /// as [coterie.Reduction#PRODUCT]
    PRODUCT(ReductionKind.PRODUCT, NcclConstant.ncclProd),
    /// as [coterie.Reduction#MIN]
    MIN(ReductionKind.MIN, NcclConstant.ncclMin),
    /// as [coterie.Reduction#MAX]
    MAX(ReductionKind.MAX, NcclConstant.ncclMax),
    /// as [coterie.IntegerReduction#AND]
    AND(ReductionKind.AND, null),
    /// as [coterie.IntegerReduction#OR]
    OR(ReductionKind.OR, null),
    /// as [coterie.IntegerReduction#XOR]
    XOR(ReductionKind.XOR, null),
    /// as [ExtendedReduction#AVERAGE]
    AVERAGE(null, NcclConstant.ncclAvg);

    /// Null for one that kernels of the host don't have.
    private final @Nullable ReductionKind kind;

    /// Null for one that NCCL doesn't have.
    final @Nullable NcclConstant nccl;

    DeviceReduction(@Nullable ReductionKind kind, @Nullable NcclConstant nccl) {
        this.kind = kind;
        this.nccl = nccl;
    }

    /// Returns the reduction of an operator, empty for one that devices don't compute.
    static Optional<DeviceReduction> of(ReductionOperator<?> operator) {
        for (DeviceReduction each : values()) {
            if (each.operator().equals(operator)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /// Returns the operator that programs pass.
    ReductionOperator<?> operator() {
        return kind == null ? ExtendedReduction.AVERAGE : kind.operator();
    }

    /// Returns whether elements of a type have it.
    boolean suits(ElementType elements) {
        return kind == null ? elements.isFloatingPoint() && elements.isReducible() : kind.suits(elements);
    }

    /// Returns whether the order of the numbers decides, which signed integers have otherwise than unsigned ones.
    boolean isOrdered() {
        return this == MIN || this == MAX;
    }
}

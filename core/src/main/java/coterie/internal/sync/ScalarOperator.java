// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.ElementType;
import coterie.spi.ReductionKind;

/// How two numbers become one, as words: of a LONG, or the bits of a DOUBLE.
public record ScalarOperator(ReductionKind reduction, ElementType type) {

    long of(long left, long right) {
        return type == ElementType.DOUBLE
                ? Double.doubleToRawLongBits(of(Double.longBitsToDouble(left), Double.longBitsToDouble(right)))
                : ofLongs(left, right);
    }

    private long ofLongs(long left, long right) {
        return switch (reduction) {
            case SUM -> left + right;
            case PRODUCT -> left * right;
            case MIN -> Math.min(left, right);
            case MAX -> Math.max(left, right);
            case AND -> left & right;
            case OR -> left | right;
            case XOR -> left ^ right;
        };
    }

    private double of(double left, double right) {
        return switch (reduction) {
            case SUM -> left + right;
            case PRODUCT -> left * right;
            case MIN -> Math.min(left, right);
            case MAX -> Math.max(left, right);
            case AND, OR, XOR -> throw new AssertionError(this);
        };
    }
}

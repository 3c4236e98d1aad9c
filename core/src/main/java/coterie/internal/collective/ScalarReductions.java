// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.Reduction;
import coterie.internal.wait.WaitKind;

/// Reductions of one number a member: it travels with the round, and everybody reduces all, in the order of the
/// members.
public final class ScalarReductions {
    private static final int SIGNATURE = 0;
    private static final int VALUE = 1;

    private final Gathering gathering;
    private final Meeting meeting;
    private final Operands operands;
    private final int size;

    public ScalarReductions(Gathering gathering) {
        this.gathering = gathering;
        this.meeting = gathering.meeting();
        this.operands = new Operands(gathering.roster(), gathering.context());
        this.size = gathering.roster().size();
    }

    /// See [coterie.Team#reduce(Reduction, long)].
    public long reduce(Reduction reduction, long value) {
        meet(reduction, ElementType.LONG, value);
        long result = meeting.heard(0, VALUE);
        for (int member = 1; member < size; member++) {
            result = apply(reduction, result, meeting.heard(member, VALUE));
        }
        return result;
    }

    /// See [coterie.Team#reduce(Reduction, double)].
    public double reduce(Reduction reduction, double value) {
        operands.checkReduction(WaitKind.REDUCE, reduction, ElementType.DOUBLE);
        meet(reduction, ElementType.DOUBLE, Double.doubleToRawLongBits(value));
        double result = Double.longBitsToDouble(meeting.heard(0, VALUE));
        for (int member = 1; member < size; member++) {
            result = apply(reduction, result, Double.longBitsToDouble(meeting.heard(member, VALUE)));
        }
        return result;
    }

    private void meet(Reduction reduction, ElementType type, long bits) {
        gathering.begin(WaitKind.REDUCE);
        meeting.say(SIGNATURE, Signature.ofScalar(reduction, type));
        meeting.say(VALUE, bits);
        gathering.meet(WaitKind.REDUCE, 2, 1);
    }

    private static long apply(Reduction reduction, long left, long right) {
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

    private static double apply(Reduction reduction, double left, double right) {
        return switch (reduction) {
            case SUM -> left + right;
            case PRODUCT -> left * right;
            case MIN -> Math.min(left, right);
            case MAX -> Math.max(left, right);
            case AND, OR, XOR -> throw new AssertionError(reduction);
        };
    }
}

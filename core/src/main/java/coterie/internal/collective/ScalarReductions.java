// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.internal.wait.WaitKind;
import java.util.Arrays;
import java.util.List;

/// Reductions of one number a member: it travels with the round. In a small team everybody reduces all, in the
/// order of the members; in a large one the members do on the way, each those of its subtree.
///
/// Where people or layers that plug in have it otherwise, it is reduced as vectors are.
public final class ScalarReductions {
    private static final int VALUE = 1;

    private static final List<Combination> LONGS = combinations(ElementType.LONG);
    private static final List<Combination> DOUBLES = combinations(ElementType.DOUBLE);

    private final Gathering gathering;
    private final Meeting meeting;
    private final Operands operands;
    private final Rounds rounds;
    private final DataCollectives data;
    private final Call call = new Call(WaitKind.REDUCE, CollectiveType.ALLREDUCE);

    /// Whether numbers travel with rounds, once that is known.
    private boolean isRound;

    public ScalarReductions(Gathering gathering, DataCollectives data) {
        this.gathering = gathering;
        this.meeting = gathering.meeting();
        this.data = data;
        this.rounds = new Rounds(gathering);
        this.operands = new Operands(gathering.roster(), gathering.context());
    }

    private static List<Combination> combinations(ElementType type) {
        return Arrays.stream(Reduction.values())
                .map(reduction -> new Combination(reduction, type))
                .toList();
    }

    /// See [coterie.Team#reduce(Reduction, long)].
    public long reduce(Reduction reduction, long value) {
        return reduce(LONGS.get(reduction.ordinal()), value);
    }

    /// See [coterie.Team#reduce(Reduction, double)].
    public double reduce(Reduction reduction, double value) {
        operands.checkReduction(WaitKind.REDUCE, reduction, ElementType.DOUBLE);
        long bits = reduce(DOUBLES.get(reduction.ordinal()), Double.doubleToRawLongBits(value));
        return Double.longBitsToDouble(bits);
    }

    private long reduce(Combination combination, long bits) {
        if (!isRound && !gathering.isPoisoned()) {
            isRound = data.goesByRound(CollectiveType.ALLREDUCE, Long.BYTES);
        }
        return isRound || !data.reduceNumber(combination.reduction(), combination.type(), bits)
                ? byRound(combination, bits)
                : data.reducedNumber();
    }

    private long byRound(Combination combination, long bits) {
        gathering.begin(WaitKind.REDUCE);
        call.number(Signature.ofScalar(combination.reduction(), combination.type()), 0);
        rounds.combine(call, combination, VALUE, bits);
        return meeting.combined(combination, VALUE);
    }
}

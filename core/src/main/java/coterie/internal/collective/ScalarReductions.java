// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.sync.CallGate;
import coterie.internal.sync.ScalarOperator;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import java.util.Arrays;
import java.util.List;

/// Reductions of one number a member: it travels with the round. In a small team each member reduces all, in the
/// order of the members; in a large one the members do on the way, each those of its subtree.
///
/// Where people or layers that plug in have it otherwise, it is reduced as vectors are.
public final class ScalarReductions {
    private static final List<ScalarOperator> LONGS = operators(ElementType.LONG);
    private static final List<ScalarOperator> DOUBLES = operators(ElementType.DOUBLE);

    private final TeamSync teamSync;
    private final NumberRound round;
    private final ArgumentChecks argumentChecks;
    private final DataCollectives data;
    private final AlgorithmSelector selector;
    private final Call call = new Call(OperationKind.ALL_REDUCE, CollectiveType.ALL_REDUCE);

    /// Whether numbers travel with rounds, once that is known.
    private boolean isRound;

    public ScalarReductions(TeamSync teamSync, DataCollectives data) {
        this.teamSync = teamSync;
        this.round = new NumberRound(teamSync);
        this.data = data;
        this.selector = data.selector();
        this.argumentChecks = new ArgumentChecks(teamSync.membership(), teamSync.context());
    }

    private static List<ScalarOperator> operators(ElementType type) {
        return Arrays.stream(Reduction.values())
                .map(reduction -> new ScalarOperator(reduction, type))
                .toList();
    }

    /// See [coterie.Team#allReduce(Reduction, long)].
    public long reduce(Reduction reduction, long value) {
        argumentChecks.checkGiven(OperationKind.ALL_REDUCE, "reduction", reduction);
        return reduce(LONGS.get(reduction.ordinal()), value);
    }

    /// See [coterie.Team#allReduce(Reduction, double)].
    public double reduce(Reduction reduction, double value) {
        argumentChecks.checkReduction(OperationKind.ALL_REDUCE, reduction, ElementType.DOUBLE);
        long bits = reduce(DOUBLES.get(reduction.ordinal()), Double.doubleToRawLongBits(value));
        return Double.longBitsToDouble(bits);
    }

    private long reduce(ScalarOperator operator, long bits) {
        if (!isRound && !teamSync.isPoisoned()) {
            isRound = selector.goesByRound(CollectiveType.ALL_REDUCE, Long.BYTES);
        }
        return isRound ? byRound(operator, bits) : data.reduceNumber(operator, bits);
    }

    private long byRound(ScalarOperator operator, long bits) {
        long result;
        try (CallGate.Passage _ = teamSync.gate().enter(OperationKind.ALL_REDUCE)) {
            call.number(operator, bits, 0);
            round.run(call);
            result = call.number;
        }
        selector.trace(call.kind.label(), call.type, Long.BYTES, 0, AlgorithmSelector.ROUND);
        return result;
    }
}

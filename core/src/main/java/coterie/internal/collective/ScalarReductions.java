// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.IntegerReduction;
import coterie.collective.CollectiveType;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.sync.CallGate;
import coterie.internal.sync.KnownOperators;
import coterie.internal.sync.ScalarOperator;
import coterie.internal.sync.TeamSync;
import coterie.internal.trace.Tracing;
import coterie.internal.wait.OperationKind;
import coterie.spi.ReductionKind;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
    private final Supplier<DataCollectives> data;
    private final AlgorithmSelector selector;
    private final Call call = new Call(OperationKind.ALL_REDUCE, CollectiveType.ALL_REDUCE);

    /// Whether numbers travel with rounds, once that is known.
    private boolean isRound;

    /// @param data serves numbers that don't travel with a round
    public ScalarReductions(TeamSync teamSync, AlgorithmSelector selector, Supplier<DataCollectives> data) {
        this.teamSync = teamSync;
        this.round = new NumberRound(teamSync);
        this.data = data;
        this.selector = selector;
        this.argumentChecks = new ArgumentChecks(teamSync.membership(), teamSync.context());
    }

    private static List<ScalarOperator> operators(ElementType type) {
        return Arrays.stream(ReductionKind.values())
                .map(reduction -> new ScalarOperator(reduction, type))
                .toList();
    }

    /// See [coterie.Team#allReduce(coterie.Reduction, long)].
    public long reduce(@Nullable ReductionKind reduction, long value) {
        ReductionKind given = argumentChecks.checkGiven(OperationKind.ALL_REDUCE, "reduction", reduction);
        return reduce(LONGS.get(given.ordinal()), value);
    }

    /// See [coterie.Team#allReduce(coterie.IntegerReduction, long)].
    public long reduce(@Nullable IntegerReduction reduction, long value) {
        return switch (argumentChecks.checkGiven(OperationKind.ALL_REDUCE, "reduction", reduction)) {
            case AND, OR, XOR -> reduce(KnownOperators.kind(reduction), value);
            case LOGICAL_AND -> reduce(ReductionKind.AND, truth(value));
            case LOGICAL_OR -> reduce(ReductionKind.OR, truth(value));
            case LOGICAL_XOR -> reduce(ReductionKind.XOR, truth(value));
        };
    }

    private static long truth(long value) {
        return value == 0 ? 0 : 1;
    }

    /// See [coterie.Team#allReduce(coterie.Reduction, double)].
    public double reduce(@Nullable ReductionKind reduction, double value) {
        ReductionKind given = argumentChecks.checkGiven(OperationKind.ALL_REDUCE, "reduction", reduction);
        long bits = reduce(DOUBLES.get(given.ordinal()), Double.doubleToRawLongBits(value));
        return Double.longBitsToDouble(bits);
    }

    private long reduce(ScalarOperator operator, long bits) {
        if (!isRound && !teamSync.isPoisoned()) {
            isRound = selector.goesByRound(CollectiveType.ALL_REDUCE, Long.BYTES);
        }
        return isRound ? byRound(operator, bits) : data.get().reduceNumber(operator, bits);
    }

    private long byRound(ScalarOperator operator, long bits) {
        long result;
        try (CallGate.Passage _ = teamSync.gate().enter(OperationKind.ALL_REDUCE)) {
            if (Tracing.ON) {
                teamSync.gate().carries(Long.BYTES);
            }
            call.number(operator, bits, 0);
            round.run(call);
            result = call.number;
        }
        selector.trace(call.kind.label(), call.type, Long.BYTES, 0, AlgorithmSelector.ROUND);
        return result;
    }
}

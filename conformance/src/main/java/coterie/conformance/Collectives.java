// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.ElementView;
import coterie.ReductionOperator;
import coterie.Team;
import coterie.spi.ReductionKind;

/// Every collective over memory, in its plainest form.
enum Collectives {
    ALL_REDUCE,
    INCLUSIVE_SCAN,
    EXCLUSIVE_SCAN,
    REDUCE_SCATTER,
    BROADCAST,
    ALL_GATHER_V,
    ALL_GATHER,
    ALL_TO_ALL,
    ALL_TO_ALL_STRIDED;

    /// How messages name it.
    String words() {
        return switch (this) {
            case ALL_REDUCE -> "allReduce";
            case INCLUSIVE_SCAN -> "inclusiveScan";
            case EXCLUSIVE_SCAN -> "exclusiveScan";
            case REDUCE_SCATTER -> "reduceScatter";
            case BROADCAST -> "broadcast";
            case ALL_GATHER_V -> "allGatherV";
            case ALL_GATHER -> "allGather";
            case ALL_TO_ALL -> "allToAll";
            case ALL_TO_ALL_STRIDED -> "allToAllStrided";
        };
    }

    boolean isReduction() {
        return compareTo(BROADCAST) < 0;
    }

    /// Whether target and source may begin at the same place.
    boolean mayBeInPlace() {
        return compareTo(ALL_GATHER_V) < 0;
    }

    /// Calls it: sums where it reduces, with root 0 and strides of 1.
    void call(Team team, ElementView target, long targetIndex, ElementView source, long sourceIndex, long count) {
        call(team, ReductionKind.SUM, target, targetIndex, 1, source, sourceIndex, 1, count, 0);
    }

    /// Calls it, with what it needs of the arguments.
    void call(
            Team team,
            ReductionKind reduction,
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long count,
            int root) {
        ReductionOperator<ElementView> operator = anyView(reduction);
        switch (this) {
            case ALL_REDUCE -> team.allReduce(operator, target, targetIndex, source, sourceIndex, count);
            case INCLUSIVE_SCAN -> team.inclusiveScan(operator, target, targetIndex, source, sourceIndex, count);
            case EXCLUSIVE_SCAN -> team.exclusiveScan(operator, target, targetIndex, source, sourceIndex, count);
            case REDUCE_SCATTER -> team.reduceScatter(operator, target, targetIndex, source, sourceIndex, count);
            case BROADCAST -> team.broadcast(target, targetIndex, source, sourceIndex, count, root);
            case ALL_GATHER_V -> team.allGatherV(target, targetIndex, source, sourceIndex, count);
            case ALL_GATHER -> team.allGather(target, targetIndex, source, sourceIndex, count);
            case ALL_TO_ALL -> team.allToAll(target, targetIndex, source, sourceIndex, count);
            case ALL_TO_ALL_STRIDED ->
                team.allToAllStrided(target, targetIndex, targetStride, source, sourceIndex, sourceStride, count);
        }
    }

    /// The compiler would refuse some; the calls must, too.
    @SuppressWarnings("unchecked")
    private static ReductionOperator<ElementView> anyView(ReductionKind reduction) {
        return (ReductionOperator<ElementView>) reduction.operator();
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.ElementView;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.collective.Collective;
import coterie.collective.Collective.Buffer;
import coterie.collective.CollectiveType;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.Membership;
import coterie.internal.wait.OperationKind;
import org.jspecify.annotations.Nullable;

/// Described collectives that go by the team's calls. All members come to the same, as long as they describe the same:
/// whether they do shows in the round of a call, and in that of a request.
final class CalledCollectives {
    private CalledCollectives() {}

    /// Does a collective, if there is a call for it.
    ///
    /// @return whether there is one
    static boolean run(Collective described, TeamCalls calls, Membership membership) {
        boolean isPlain = described.timeout().isEmpty()
                && described.algorithm().isEmpty()
                && described.callback().isEmpty();
        if (isPlain && described.type() == CollectiveType.BARRIER) {
            calls.barriers().sync();
            return true;
        }
        ReductionOperator operator = described.operator().orElse(null);
        Buffer source = described.source().orElse(null);
        Buffer target = described.target().orElse(null);
        if (!isPlain
                || source == null
                || target == null
                || source.blocks() != 1
                || target.blocks() != 1
                || !isCalled(described.type(), operator, source, target, membership)) {
            return false;
        }
        OperationKind kind = OperationKind.valueOf(described.type().name());
        long count = Math.min(source.count(0), target.count(0));
        long block = kind == OperationKind.ALL_TO_ALL ? count / membership.size() : count;
        if (operator instanceof Reduction reduction) {
            calls.data()
                    .reduce(
                            kind,
                            reduction,
                            target.elements(),
                            target.index(0),
                            source.elements(),
                            source.index(0),
                            block);
        } else {
            calls.data()
                    .move(kind, target.elements(), target.index(0), source.elements(), source.index(0), block);
        }
        return true;
    }

    /// Whether a call has the collective, and its counts fit: what does not fit is refused as a request.
    private static boolean isCalled(
            CollectiveType type,
            @Nullable ReductionOperator operator,
            Buffer source,
            Buffer target,
            Membership membership) {
        long given = source.count(0);
        long wanted = target.count(0);
        int size = membership.size();
        return switch (type) {
            case ALL_REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> operator instanceof Reduction && given == wanted;
            case REDUCE_SCATTER ->
                operator instanceof Reduction && given % size == 0 && given / size == wanted;
            case ALL_GATHER ->
                wanted % size == 0
                        && wanted / size == given
                        && isApart(target, given * membership.me(), source);
            case ALL_TO_ALL -> given == wanted && given % size == 0 && isApart(target, 0, source);
            default -> false;
        };
    }

    /// Whether an element of the target is not the first one of the source.
    private static boolean isApart(Buffer target, long further, Buffer source) {
        return source.count(0) == 0 || place(target, further) != place(source, 0);
    }

    private static long place(Buffer buffer, long further) {
        ElementView view = buffer.elements();
        PeMemory memory = HeapOffsets.blockIfAny(view);
        long offset = memory == null ? 0 : memory.offset();
        return offset + (buffer.index(0) + further) * view.type().byteSize();
    }
}

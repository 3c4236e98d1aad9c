// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.ElementView;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.collective.Collective;
import coterie.collective.Collective.Buffer;
import coterie.collective.CollectiveType;
import coterie.internal.collective.DataCollectives;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.ArgumentRecord;
import coterie.internal.sync.Membership;
import coterie.internal.wait.OperationKind;
import org.jspecify.annotations.Nullable;

/// Described collectives for which the team has calls, which are faster for few bytes. Those of requests may have their
/// buffers at other places on each member; calls serve where all members have the same, which they learn in the round of
/// [coterie.internal.request.BlockingRequests].
final class CalledCollectives {
    /// What a member says that has no call.
    static final long NONE = 0;

    private CalledCollectives() {}

    /// Returns the places of a collective that a call has, as a word that is not [#NONE]. Members with equal words have
    /// equal places, but for one pair in 2^64.
    static long places(Collective described, Membership membership) {
        boolean isPlain = described.timeout().isEmpty()
                && described.algorithm().isEmpty()
                && described.callback().isEmpty();
        if (isPlain && isRound(described.type())) {
            return 1;
        }
        Buffer source = described.source().orElse(null);
        Buffer target = described.target().orElse(null);
        boolean isCalled = isPlain
                && source != null
                && target != null
                && source.blocks() == 1
                && target.blocks() == 1
                && isCalled(described.type(), described.operator().orElse(null), source, target, membership);
        return isCalled ? 1 | ArgumentRecord.checksum(place(target, 0), place(source, 0)) << 1 : NONE;
    }

    /// Does a collective by its call.
    static void call(Collective described, DataCollectives data, Membership membership) {
        if (isRound(described.type())) {
            return; // which has been
        }
        OperationKind kind = OperationKind.valueOf(described.type().name());
        Buffer source = described.source().orElseThrow();
        Buffer target = described.target().orElseThrow();
        long least = Math.min(source.count(0), target.count(0));
        long count = kind == OperationKind.ALL_TO_ALL ? least / membership.size() : least;
        if (described.operator().orElse(null) instanceof Reduction reduction) {
            data.reduce(
                    kind,
                    reduction,
                    target.elements(),
                    target.index(0),
                    source.elements(),
                    source.index(0),
                    count);
        } else {
            data.move(kind, target.elements(), target.index(0), source.elements(), source.index(0), count);
        }
    }

    private static boolean isRound(CollectiveType type) {
        return type == CollectiveType.BARRIER || type == CollectiveType.FAN_IN || type == CollectiveType.FAN_OUT;
    }

    /// Whether a call has the collective.
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

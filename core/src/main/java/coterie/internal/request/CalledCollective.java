// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.ElementView;
import coterie.ReductionOperator;
import coterie.collective.Collective;
import coterie.collective.Collective.Buffer;
import coterie.collective.CollectiveType;
import coterie.internal.collective.DataCollectives;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.ArgumentRecord;
import coterie.internal.sync.KnownOperators;
import coterie.internal.wait.OperationKind;
import coterie.spi.ReductionKind;
import org.jspecify.annotations.Nullable;

/// A described collective for which the team has a call, which is faster for few bytes. The buffers of a
/// request may lie at other places on each member; a call serves where all members have the same, which they
/// learn in the round of [BlockingRequests].
///
/// @param source null, as is the target, where the round is all
/// @param count elements of a block
/// @param places of the buffers, as a word that is not 0; members with equal words have equal places, but for
///     one pair in 2^63
public record CalledCollective(
        OperationKind kind,
        @Nullable ReductionKind reduction,
        @Nullable Buffer target,
        @Nullable Buffer source,
        long count,
        long places) {

    /// Returns the call of a collective, or null if there is none.
    static @Nullable CalledCollective of(Collective described, int size, int me) {
        boolean isPlain = described.timeout().isEmpty()
                && described.algorithm().isEmpty()
                && described.callback().isEmpty()
                && described.tag().isEmpty();
        CollectiveType type = described.type();
        OperationKind kind = OperationKind.valueOf(type.name());
        if (isPlain
                && (type == CollectiveType.BARRIER
                        || type == CollectiveType.FAN_IN
                        || type == CollectiveType.FAN_OUT)) {
            return new CalledCollective(kind, null, null, null, 0, 1);
        }
        Buffer source = described.source().orElse(null);
        Buffer target = described.target().orElse(null);
        ReductionOperator<?> operator = described.operator().orElse(null);
        if (!isPlain
                || source == null
                || target == null
                || source.blocks() != 1
                || target.blocks() != 1
                || !isCalled(type, operator, source, target, size, me)) {
            return null;
        }
        long least = Math.min(source.count(0), target.count(0));
        return new CalledCollective(
                kind,
                KnownOperators.kind(operator),
                target,
                source,
                type == CollectiveType.ALL_TO_ALL ? least / size : least,
                1 | ArgumentRecord.checksum(place(target, 0), place(source, 0)) << 1);
    }

    /// Whether a call has the collective.
    private static boolean isCalled(
            CollectiveType type,
            @Nullable ReductionOperator<?> operator,
            Buffer source,
            Buffer target,
            int size,
            int me) {
        long given = source.count(0);
        long wanted = target.count(0);
        return switch (type) {
            case ALL_REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> KnownOperators.kind(operator) != null && given == wanted;
            case REDUCE_SCATTER -> KnownOperators.kind(operator) != null && given % size == 0 && given / size == wanted;
            case ALL_GATHER -> wanted % size == 0 && wanted / size == given && isApart(target, given * me, source);
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

    /// Calls it.
    public void call(DataCollectives data) {
        Buffer to = target;
        Buffer from = source;
        if (to == null || from == null) {
            return; // the round has been
        }
        if (reduction == null) {
            data.move(kind, to.elements(), to.index(0), from.elements(), from.index(0), count);
        } else {
            data.reduce(kind, reduction, to.elements(), to.index(0), from.elements(), from.index(0), count);
        }
    }
}

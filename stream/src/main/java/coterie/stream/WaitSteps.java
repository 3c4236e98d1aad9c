// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.SignalWord;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/// Operations that another PE or another stream completes: waits for words, and collectives. None holds a thread.
final class WaitSteps {
    private WaitSteps() {}

    private static IntegerView view(StreamOperation operation, StreamLane stream) {
        return (IntegerView) stream.contexts().through(requireNonNull(operation.view));
    }

    static boolean value(StreamOperation operation, StreamLane stream) {
        IntegerView view = view(operation, stream);
        ValueCondition condition = (ValueCondition) requireNonNull(operation.object);
        int bits = Byte.SIZE * view.type().byteSize();
        long mask = bits == Long.SIZE ? -1 : (1L << bits) - 1;
        long word = view.getAcquire(operation.index, view.context().team().member());
        if (condition.holds(word & mask, operation.value & mask, mask)) {
            return true;
        }
        stream.engine().failures().check(operation);
        return false;
    }

    static boolean word(StreamOperation operation, StreamLane stream) {
        if (view(operation, stream).test(operation.index, requireNonNull(operation.comparison), operation.value)) {
            return true;
        }
        stream.engine().failures().check(operation);
        return false;
    }

    /// Each comparison holds at some moment; the ticket is the number of those that have held.
    static boolean words(StreamOperation operation, StreamLane stream) {
        IntegerView view = view(operation, stream);
        Comparison comparison = requireNonNull(operation.comparison);
        BitSet skipped = operation.skipped;
        while (operation.ticket < operation.count) {
            if (skipped != null && skipped.get((int) operation.ticket)) {
                operation.ticket++;
                continue;
            }
            long operand =
                    operation.object instanceof long[] operands ? operands[(int) operation.ticket] : operation.value;
            if (!view.test(operation.index + operation.ticket, comparison, operand)) {
                stream.engine().failures().check(operation);
                return false;
            }
            operation.ticket++;
        }
        return true;
    }

    static boolean signal(StreamOperation operation, StreamLane stream) {
        SignalWord signal = stream.contexts().through((SignalWord) requireNonNull(operation.object));
        long word = signal.fetch() ^ Long.MIN_VALUE; // unsigned
        if (requireNonNull(operation.comparison).holds(word, operation.value ^ Long.MIN_VALUE)) {
            return true;
        }
        stream.engine().failures().check(operation);
        return false;
    }

    static boolean group(StreamOperation operation, StreamLane stream) {
        return ((GroupCheck) requireNonNull(operation.object)).poll(operation, stream);
    }

    static boolean fetchSignal(StreamOperation operation, StreamLane stream) {
        SignalWord signal = stream.contexts().through((SignalWord) requireNonNull(operation.object));
        requireNonNull(operation.segment).set(ValueLayout.JAVA_LONG, 0, signal.fetch());
        return true;
    }

    /// Completes the stream's puts, and then waits for all members.
    static boolean barrier(StreamOperation operation, StreamLane stream) {
        if (operation.known == 0) {
            if (!OneSidedSteps.complete(operation, stream, false)) {
                return false;
            }
            operation.rewind();
            operation.known = 1;
        }
        return collective(operation, stream);
    }

    static boolean collective(StreamOperation operation, StreamLane stream) {
        return ((CachedRequest) requireNonNull(operation.object)).poll(operation);
    }
}

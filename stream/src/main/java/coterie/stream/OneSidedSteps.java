// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.AtomicOperation;
import coterie.Context;
import coterie.DoubleView;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.PeFailedException;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.SignalWord;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// One-sided operations. Each goes through a context of its stream, starts by a non-blocking operation of core,
/// and is complete with its ticket, or at once if it is non-blocking itself.
final class OneSidedSteps {
    private static final int STARTED = 1;

    private OneSidedSteps() {}

    private static ElementView view(StreamOperation operation, StreamLane stream) {
        return stream.contexts().through(requireNonNull(operation.view));
    }

    private static IntegerView integers(StreamOperation operation, StreamLane stream) {
        return (IntegerView) view(operation, stream);
    }

    private static MemorySegment segment(StreamOperation operation) {
        return requireNonNull(operation.segment);
    }

    private static boolean started(StreamOperation operation, StreamLane stream, ElementView through, long ticket) {
        if (operation.type.isNonBlocking()) {
            stream.contexts().pending().add(through.context(), ticket);
            return true;
        }
        operation.context = through.context();
        operation.ticket = ticket;
        operation.state = STARTED;
        return isComplete(operation);
    }

    private static boolean isComplete(StreamOperation operation) {
        return requireNonNull(operation.context).isComplete(operation.ticket);
    }

    static boolean put(StreamOperation operation, StreamLane stream) {
        if (operation.state == STARTED) {
            return isComplete(operation);
        }
        ElementView view = view(operation, stream);
        long ticket =
                view.putNbi(operation.index, segment(operation), operation.localIndex, operation.count, operation.pe);
        return started(operation, stream, view, ticket);
    }

    /// A copy from the host that happens as late as it may: when nothing else can go on.
    static boolean lateCopy(StreamOperation operation, StreamLane stream) {
        if (!stream.engine().isIdleSince(operation.value, LateCopies.IDLE_NANOS)) {
            return false;
        }
        ElementView view = requireNonNull(operation.view);
        view.put(operation.index, segment(operation), 0, operation.count, operation.pe);
        stream.engine().lateCopies().done();
        return true;
    }

    static boolean putStrided(StreamOperation operation, StreamLane stream) {
        view(operation, stream)
                .putStrided(
                        operation.index,
                        operation.stride,
                        segment(operation),
                        operation.localIndex,
                        operation.localStride,
                        operation.blockLength,
                        operation.count,
                        operation.pe);
        return true;
    }

    /// The value is in the descriptor, so that the caller may change its variable.
    static boolean putWord(StreamOperation operation, StreamLane stream) {
        switch (view(operation, stream)) {
            case IntegerView integers -> integers.put(operation.index, operation.value, operation.pe);
            case DoubleView doubles ->
                doubles.put(operation.index, Double.longBitsToDouble(operation.value), operation.pe);
            case FloatView floats ->
                floats.put(operation.index, Float.intBitsToFloat((int) operation.value), operation.pe);
            case ElementView other -> throw new IllegalArgumentException("put of a value: no view of " + other.type());
        }
        return true;
    }

    static boolean putSignal(StreamOperation operation, StreamLane stream) {
        if (operation.state == STARTED) {
            return isComplete(operation);
        }
        ElementView view = view(operation, stream);
        SignalUpdate update = (SignalUpdate) requireNonNull(operation.object);
        long ticket = view.putSignalNbi(
                operation.index, segment(operation), operation.localIndex, operation.count, update, operation.pe);
        return started(operation, stream, view, ticket);
    }

    static boolean get(StreamOperation operation, StreamLane stream) {
        if (operation.state == STARTED) {
            return isComplete(operation);
        }
        ElementView view = view(operation, stream);
        long ticket =
                view.getNbi(operation.index, segment(operation), operation.localIndex, operation.count, operation.pe);
        return started(operation, stream, view, ticket);
    }

    static boolean getStrided(StreamOperation operation, StreamLane stream) {
        view(operation, stream)
                .getStrided(
                        operation.index,
                        operation.stride,
                        segment(operation),
                        operation.localIndex,
                        operation.localStride,
                        operation.blockLength,
                        operation.count,
                        operation.pe);
        return true;
    }

    static boolean getWord(StreamOperation operation, StreamLane stream) {
        if (!get(operation, stream)) {
            return false;
        }
        ((StreamValue) requireNonNull(operation.object)).complete();
        return true;
    }

    static boolean signal(StreamOperation operation, StreamLane stream) {
        SignalUpdate update = (SignalUpdate) requireNonNull(operation.object);
        SignalWord signal = stream.contexts().through(update.signal());
        if (update.operation() == SignalOperation.SET) {
            signal.set(update.value(), operation.pe);
        } else {
            signal.add(update.value(), operation.pe);
        }
        return true;
    }

    static boolean atomic(StreamOperation operation, StreamLane stream) {
        ElementView view = view(operation, stream);
        boolean adds = operation.atomic == AtomicOperation.ADD; // else it swaps, of floating-point numbers
        if (view instanceof IntegerView integers) {
            integerAtomic(operation, integers);
        } else if (view instanceof DoubleView doubles) {
            double operand = Double.longBitsToDouble(operation.value);
            if (adds) {
                doubles.add(operation.index, operand, operation.pe);
            } else {
                doubles.setRelease(operation.index, operand, operation.pe);
            }
        } else {
            FloatView floats = (FloatView) view;
            float operand = Float.intBitsToFloat((int) operation.value);
            if (adds) {
                floats.add(operation.index, operand, operation.pe);
            } else {
                floats.setRelease(operation.index, operand, operation.pe);
            }
        }
        return true;
    }

    private static void integerAtomic(StreamOperation operation, IntegerView view) {
        switch (requireNonNull(operation.atomic)) {
            case SWAP -> view.setRelease(operation.index, operation.value, operation.pe);
            case ADD -> view.add(operation.index, operation.value, operation.pe);
            case AND -> view.and(operation.index, operation.value, operation.pe);
            case OR -> view.or(operation.index, operation.value, operation.pe);
            case XOR -> view.xor(operation.index, operation.value, operation.pe);
            case FETCH -> {} // refused at the call
        }
    }

    static boolean fetchAtomic(StreamOperation operation, StreamLane stream) {
        if (operation.state == STARTED) {
            return isComplete(operation);
        }
        ElementView view = view(operation, stream);
        AtomicOperation atomic = requireNonNull(operation.atomic);
        MemorySegment result = segment(operation);
        long ticket = switch (view) {
            case IntegerView integers ->
                integers.fetchNbi(atomic, operation.index, operation.value, result, operation.localIndex, operation.pe);
            case DoubleView doubles ->
                doubles.fetchNbi(
                        atomic,
                        operation.index,
                        Double.longBitsToDouble(operation.value),
                        result,
                        operation.localIndex,
                        operation.pe);
            case FloatView floats ->
                floats.fetchNbi(
                        atomic,
                        operation.index,
                        Float.intBitsToFloat((int) operation.value),
                        result,
                        operation.localIndex,
                        operation.pe);
            case ElementView other -> throw new IllegalArgumentException("atomic: no view of " + other.type());
        };
        return started(operation, stream, view, ticket);
    }

    static boolean compareAndSwap(StreamOperation operation, StreamLane stream) {
        if (operation.state == STARTED) {
            return isComplete(operation);
        }
        IntegerView view = integers(operation, stream);
        long ticket = view.compareAndExchangeNbi(
                operation.index,
                operation.expected,
                operation.value,
                segment(operation),
                operation.localIndex,
                operation.pe);
        return started(operation, stream, view, ticket);
    }

    /// The earlier operations of the stream are visible to a PE that sees the value.
    static boolean writeValue(StreamOperation operation, StreamLane stream) {
        IntegerView view = integers(operation, stream);
        fence(operation, stream);
        view.setRelease(operation.index, operation.value, operation.pe);
        return true;
    }

    static boolean fence(StreamOperation operation, StreamLane stream) {
        VarHandle.releaseFence(); // for plain stores of host functions
        StreamContexts contexts = stream.contexts();
        for (int context = 0; context < contexts.size(); context++) {
            if (contexts.isOpen(context)) {
                contexts.get(context).fence();
            }
        }
        return true;
    }

    /// Waits for the tickets that non-blocking operations have got before.
    static boolean flush(StreamOperation operation, StreamLane stream) {
        PendingTickets pending = stream.contexts().pending();
        if (operation.state != STARTED) {
            operation.ticket = pending.last();
            operation.state = STARTED;
        }
        return pending.isComplete(operation.ticket);
    }

    /// Completes the operations of this stream alone: by a ticket of each of its contexts, one after the other;
    /// the state is the number of contexts that are quiet.
    static boolean quiet(StreamOperation operation, StreamLane stream) {
        return complete(operation, stream, true);
    }

    /// Does what a quiet does.
    ///
    /// @param tells whether it throws when PEs have failed; the puts to the living ones are complete then, too
    static boolean complete(StreamOperation operation, StreamLane stream, boolean tells) {
        StreamContexts contexts = stream.contexts();
        while (operation.state < contexts.size()) {
            if (!contexts.isOpen(operation.state)) {
                operation.context = null;
                operation.state++;
                continue;
            }
            try {
                if (!isQuiet(operation, contexts)) {
                    return false;
                }
            } catch (PeFailedException e) {
                if (tells) {
                    throw e;
                }
            }
            operation.context = null;
            operation.state++;
        }
        VarHandle.fullFence(); // for plain stores of host functions
        return true;
    }

    private static boolean isQuiet(StreamOperation operation, StreamContexts contexts) {
        if (operation.context == null) {
            Context next = contexts.get(operation.state);
            operation.ticket = next.quietNbi();
            operation.context = next;
        }
        return isComplete(operation);
    }
}

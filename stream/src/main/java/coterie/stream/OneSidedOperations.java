// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.AtomicOperation;
import coterie.DoubleView;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.SignalUpdate;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The one-sided operations of a [WorkStream].
abstract sealed class OneSidedOperations permits WorkStream {
    final StreamEngine engine;
    final StreamLane lane;

    OneSidedOperations(StreamEngine engine, StreamLane lane) {
        this.engine = engine;
        this.lane = lane;
    }

    /// Returns an argument, or throws if it is null, or of another world.
    final <T> T checked(T argument, String operation, String name) {
        if (argument == null) {
            throw new NullPointerException(prefix(operation) + name + " is null");
        }
        Belonging.check(this, argument, operation, name);
        return argument;
    }

    final String prefix(String operation) {
        return operation + " on stream \"" + lane.name + "\", PE "
                + engine.world().pe() + ": ";
    }

    final void enqueue(OperationType type, @Nullable Object object) {
        synchronized (engine) {
            StreamOperation operation = lane.begin(type);
            operation.object = object;
            lane.append(operation);
        }
    }

    private void copy(
            String name,
            OperationType type,
            ElementView view,
            long index,
            MemorySegment segment,
            long localIndex,
            long count,
            int pe,
            @Nullable Object object) {
        checked(view, name, "view");
        checked(segment, name, type == OperationType.GET || type == OperationType.GET_NBI ? "target" : "source");
        synchronized (engine) {
            StreamOperation operation = lane.begin(type);
            operation.view = view;
            operation.index = index;
            operation.segment = segment;
            operation.localIndex = localIndex;
            operation.count = count;
            operation.pe = pe;
            operation.object = object;
            lane.append(operation);
        }
    }

    /// Puts elements as [ElementView#put] does. The operation is complete when the source may change. Answers to
    /// `nvshmemx_TYPE_put_on_stream`, `nvshmemx_putmem_on_stream`.
    public void put(ElementView view, long index, MemorySegment source, long sourceIndex, long count, int pe) {
        copy("put", OperationType.PUT, view, index, source, sourceIndex, count, pe, null);
    }

    /// Starts a [#put]; the next operation need not wait for it. Answers to `nvshmemx_putmem_nbi_on_stream`.
    public void putNbi(ElementView view, long index, MemorySegment source, long sourceIndex, long count, int pe) {
        copy("putNbi", OperationType.PUT_NBI, view, index, source, sourceIndex, count, pe, null);
    }

    /// Gets elements as [ElementView#get] does. Answers to `nvshmemx_TYPE_get_on_stream`,
    /// `nvshmemx_getmem_on_stream`.
    public void get(ElementView view, long index, MemorySegment target, long targetIndex, long count, int pe) {
        copy("get", OperationType.GET, view, index, target, targetIndex, count, pe, null);
    }

    /// Starts a [#get]; the target has the elements after the next [#quiet]. Answers to
    /// `nvshmemx_getmem_nbi_on_stream`.
    public void getNbi(ElementView view, long index, MemorySegment target, long targetIndex, long count, int pe) {
        copy("getNbi", OperationType.GET_NBI, view, index, target, targetIndex, count, pe, null);
    }

    /// Puts elements, and then updates a signal of the same PE, as [ElementView#putSignal] does. Answers to
    /// `nvshmemx_putmem_signal_on_stream`.
    public void putSignal(
            ElementView view,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            int pe,
            SignalUpdate update) {
        Object given = checked(update, "putSignal", "update");
        copy("putSignal", OperationType.PUT_SIGNAL, view, index, source, sourceIndex, count, pe, given);
    }

    /// Starts a [#putSignal]. Answers to `nvshmemx_putmem_signal_nbi_on_stream`.
    public void putSignalNbi(
            ElementView view,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            int pe,
            SignalUpdate update) {
        Object given = checked(update, "putSignalNbi", "update");
        copy("putSignalNbi", OperationType.PUT_SIGNAL_NBI, view, index, source, sourceIndex, count, pe, given);
    }

    /// Gets one element. Answers to `nvshmemx_TYPE_g_on_stream`. Makes an object for each call; [#get] makes
    /// none.
    ///
    /// @throws StreamException with [StreamError#PROHIBITED] in a capture, whose launches would share one value
    public StreamValue get(ElementView view, long index, int pe) {
        checked(view, "get", "view");
        synchronized (engine) {
            lane.checkNotCaptured("get of a value");
            StreamOperation operation = lane.begin(OperationType.GET_WORD);
            StreamValue value = new StreamValue(lane, view.type());
            operation.view = view;
            operation.index = index;
            operation.segment = value.element();
            operation.count = 1;
            operation.pe = pe;
            operation.object = value;
            lane.append(operation);
            return value;
        }
    }

    private void word(
            String name,
            OperationType type,
            ElementView view,
            long index,
            long value,
            int pe,
            @Nullable AtomicOperation atomic,
            @Nullable MemorySegment result,
            long resultIndex) {
        checked(view, name, "view");
        synchronized (engine) {
            StreamOperation operation = lane.begin(type);
            operation.view = view;
            operation.index = index;
            operation.value = value;
            operation.pe = pe;
            operation.atomic = atomic;
            operation.segment = result;
            operation.localIndex = resultIndex;
            lane.append(operation);
        }
    }

    /// Stores one element of a PE. Answers to `nvshmemx_TYPE_p_on_stream`.
    public void put(IntegerView view, long index, long value, int pe) {
        word("put", OperationType.PUT_WORD, view, index, value, pe, null, null, 0);
    }

    /// Stores one element of a PE.
    public void put(DoubleView view, long index, double value, int pe) {
        word("put", OperationType.PUT_WORD, view, index, Double.doubleToRawLongBits(value), pe, null, null, 0);
    }

    /// Stores one element of a PE.
    public void put(FloatView view, long index, float value, int pe) {
        word("put", OperationType.PUT_WORD, view, index, Float.floatToRawIntBits(value), pe, null, null, 0);
    }

    /// Stores one element of a PE as an atomic, after all that the stream has put before: a PE that sees the
    /// value sees that, too. Answers to `cuStreamWriteValue64`.
    public void writeValue(IntegerView view, long index, long value, int pe) {
        word("writeValue", OperationType.WRITE_VALUE, view, index, value, pe, null, null, 0);
    }

    /// Applies an atomic without a result: SWAP stores the operand. No `on_stream` routine answers to it.
    ///
    /// @param atomic any but FETCH
    public void atomic(AtomicOperation atomic, IntegerView view, long index, long operand, int pe) {
        if (checked(atomic, "atomic", "atomic") == AtomicOperation.FETCH) {
            throw new IllegalArgumentException("atomic on stream \"" + lane.name
                    + "\": FETCH has no effect without a result; call fetchAtomic, or pass SWAP, ADD, AND, OR, XOR");
        }
        word("atomic", OperationType.ATOMIC, view, index, operand, pe, atomic, null, 0);
    }

    /// Applies an atomic without a result to a `double`: SWAP, which stores the operand, or ADD.
    public void atomic(AtomicOperation atomic, DoubleView view, long index, double operand, int pe) {
        checkFloating(atomic);
        word("atomic", OperationType.ATOMIC, view, index, Double.doubleToRawLongBits(operand), pe, atomic, null, 0);
    }

    /// Applies an atomic without a result to a `float`: SWAP, which stores the operand, or ADD.
    public void atomic(AtomicOperation atomic, FloatView view, long index, float operand, int pe) {
        checkFloating(atomic);
        word("atomic", OperationType.ATOMIC, view, index, Float.floatToRawIntBits(operand), pe, atomic, null, 0);
    }

    private void checkFloating(AtomicOperation atomic) {
        AtomicOperation given = checked(atomic, "atomic", "atomic");
        if (given != AtomicOperation.SWAP && given != AtomicOperation.ADD) {
            throw new IllegalArgumentException("atomic on stream \"" + lane.name + "\": " + given
                    + " of a floating-point number without a result; allowed are SWAP and ADD");
        }
    }

    /// Applies an atomic; its former value is in `result` when the operation is complete.
    public void fetchAtomic(
            AtomicOperation atomic,
            IntegerView view,
            long index,
            long operand,
            MemorySegment result,
            long resultIndex,
            int pe) {
        AtomicOperation given = checked(atomic, "fetchAtomic", "atomic");
        MemorySegment target = checked(result, "fetchAtomic", "result");
        word("fetchAtomic", OperationType.FETCH_ATOMIC, view, index, operand, pe, given, target, resultIndex);
    }

    /// Applies an atomic to a `double`: FETCH, SWAP or ADD.
    public void fetchAtomic(
            AtomicOperation atomic,
            DoubleView view,
            long index,
            double operand,
            MemorySegment result,
            long resultIndex,
            int pe) {
        AtomicOperation given = checked(atomic, "fetchAtomic", "atomic");
        MemorySegment target = checked(result, "fetchAtomic", "result");
        long bits = Double.doubleToRawLongBits(operand);
        word("fetchAtomic", OperationType.FETCH_ATOMIC, view, index, bits, pe, given, target, resultIndex);
    }

    /// Applies an atomic to a `float`: FETCH, SWAP or ADD.
    public void fetchAtomic(
            AtomicOperation atomic,
            FloatView view,
            long index,
            float operand,
            MemorySegment result,
            long resultIndex,
            int pe) {
        AtomicOperation given = checked(atomic, "fetchAtomic", "atomic");
        MemorySegment target = checked(result, "fetchAtomic", "result");
        long bits = Float.floatToRawIntBits(operand);
        word("fetchAtomic", OperationType.FETCH_ATOMIC, view, index, bits, pe, given, target, resultIndex);
    }

    /// Stores `value` if the element is `expected`; the former value is in `result` when the operation is
    /// complete.
    public void compareAndSwap(
            IntegerView view, long index, long expected, long value, MemorySegment result, long resultIndex, int pe) {
        checked(view, "compareAndSwap", "view");
        checked(result, "compareAndSwap", "result");
        synchronized (engine) {
            StreamOperation operation = lane.begin(OperationType.COMPARE_AND_SWAP);
            operation.view = view;
            operation.index = index;
            operation.expected = expected;
            operation.value = value;
            operation.segment = result;
            operation.localIndex = resultIndex;
            operation.pe = pe;
            lane.append(operation);
        }
    }

    private void strided(
            String name,
            OperationType type,
            ElementView view,
            long index,
            long stride,
            MemorySegment segment,
            long localIndex,
            long localStride,
            long blockLength,
            long blocks,
            int pe) {
        checked(view, name, "view");
        checked(segment, name, type == OperationType.GET_STRIDED ? "target" : "source");
        synchronized (engine) {
            StreamOperation operation = lane.begin(type);
            operation.view = view;
            operation.index = index;
            operation.stride = stride;
            operation.segment = segment;
            operation.localIndex = localIndex;
            operation.localStride = localStride;
            operation.blockLength = blockLength;
            operation.count = blocks;
            operation.pe = pe;
            lane.append(operation);
        }
    }

    /// Puts blocks as [ElementView#putStrided] does. Answers to `nvshmemx_TYPE_iput_on_stream`.
    public void putStrided(
            ElementView view,
            long index,
            long stride,
            MemorySegment source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long blocks,
            int pe) {
        strided(
                "putStrided",
                OperationType.PUT_STRIDED,
                view,
                index,
                stride,
                source,
                sourceIndex,
                sourceStride,
                blockLength,
                blocks,
                pe);
    }

    /// Gets blocks as [ElementView#getStrided] does. Answers to `nvshmemx_TYPE_iget_on_stream`.
    public void getStrided(
            ElementView view,
            long index,
            long stride,
            MemorySegment target,
            long targetIndex,
            long targetStride,
            long blockLength,
            long blocks,
            int pe) {
        strided(
                "getStrided",
                OperationType.GET_STRIDED,
                view,
                index,
                stride,
                target,
                targetIndex,
                targetStride,
                blockLength,
                blocks,
                pe);
    }

    /// Updates a signal of a PE, after a [#fence] ordered after earlier puts. Answers to
    /// `nvshmemx_signal_op_on_stream`.
    public void signal(SignalUpdate update, int pe) {
        checked(update, "signal", "update");
        synchronized (engine) {
            StreamOperation operation = lane.begin(OperationType.SIGNAL);
            operation.object = update;
            operation.pe = pe;
            lane.append(operation);
        }
    }

    /// Orders: each PE sees what the stream has put to it before no later than what it puts afterwards. No
    /// `on_stream` routine answers to it.
    public void fence() {
        enqueue(OperationType.FENCE, null);
    }

    /// Completes the one-sided operations of this stream, and of no other: all PEs see what it has put, and
    /// `…Nbi` operations are complete. Answers to `nvshmemx_quiet_on_stream`.
    public void quiet() {
        enqueue(OperationType.QUIET, null);
    }
}

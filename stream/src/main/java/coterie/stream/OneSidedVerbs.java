// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static coterie.stream.OperationType.GET_STRIDED;
import static coterie.stream.OperationType.PUT_STRIDED;

import coterie.AtomicOperation;
import coterie.DoubleView;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.SignalUpdate;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Of the operations that streams and groups have alike, those that one PE does by itself: transfers, atomics, signals,
/// their order and their completion; [OneSidedSteps] runs them. [OperationVerbs] has the picture of a call, and those
/// that wait for other PEs.
abstract sealed class OneSidedVerbs permits OperationVerbs {
    /// Returns the lane that takes the operations.
    abstract StreamLane lane();

    /// Returns what guards the descriptor from [#begin] to [#issue].
    abstract Object lock();

    /// Begins an operation, after the checks. With the lock the caller sets the arguments, and calls [#issue].
    abstract StreamOperation begin(OperationType type);

    /// Takes what the caller has described.
    abstract void issue(StreamOperation operation);

    /// Returns the descriptor of the calling thread, for places whose lane can't have its own from begin to issue.
    final StreamOperation draft() {
        return lane().engine().draft();
    }

    /// Returns what a call throws for its arguments.
    RuntimeException refused(RuntimeException cause) {
        return cause;
    }

    /// Returns an argument, or throws if it is null, or of another world.
    final <T> T checked(T argument, String operation, String name) {
        if (argument == null) {
            throw refused(new NullPointerException(lane().prefix(operation) + name + " is null"));
        }
        Belonging.check(this, argument, operation, name);
        return argument;
    }

    final <T> T checked(T argument, OperationType type, String name) {
        return checked(argument, type.method(), name);
    }

    final void enqueue(OperationType type, @Nullable Object object) {
        synchronized (lock()) {
            StreamOperation operation = begin(type);
            operation.object = object;
            issue(operation);
        }
    }

    private void copy(
            OperationType type,
            ElementView view,
            long index,
            long stride,
            MemorySegment segment,
            long localIndex,
            long localStride,
            long blockLength,
            long count,
            int pe,
            @Nullable SignalUpdate update) {
        checked(view, type, "view");
        checked(segment, type, type.isGet() ? "target" : "source");
        synchronized (lock()) {
            StreamOperation operation = begin(type);
            operation.view = view;
            operation.index = index;
            operation.stride = stride;
            operation.segment = segment;
            operation.localIndex = localIndex;
            operation.localStride = localStride;
            operation.blockLength = blockLength;
            operation.count = count;
            operation.pe = pe;
            operation.object = update;
            issue(operation);
        }
    }

    /// Puts elements as [ElementView#put] does. The operation is complete when the source may change.
    /// @counterpart `nvshmemx_TYPE_put_on_stream`, `nvshmemx_putSIZE_on_stream`, `nvshmemx_putmem_on_stream`, in
    ///     kernels `nvshmem_TYPE_put`, `nvshmemx_TYPE_put_block`
    public void put(ElementView view, long index, MemorySegment source, long sourceIndex, long count, int pe) {
        copy(OperationType.PUT, view, index, 0, source, sourceIndex, 0, 0, count, pe, null);
    }

    /// Starts a [#put]; the next operation need not wait for it.
    /// @counterpart `nvshmemx_TYPE_put_nbi_on_stream`, `nvshmemx_putmem_nbi_on_stream`, in kernels
    ///     `nvshmem_TYPE_put_nbi`, `nvshmemx_TYPE_put_nbi_block`
    public void putNbi(ElementView view, long index, MemorySegment source, long sourceIndex, long count, int pe) {
        copy(OperationType.PUT_NBI, view, index, 0, source, sourceIndex, 0, 0, count, pe, null);
    }

    /// Gets elements as [ElementView#get] does.
    /// @counterpart `nvshmemx_TYPE_get_on_stream`, `nvshmemx_getmem_on_stream`, in kernels `nvshmem_TYPE_get`,
    ///     `nvshmemx_TYPE_get_block`
    public void get(ElementView view, long index, MemorySegment target, long targetIndex, long count, int pe) {
        copy(OperationType.GET, view, index, 0, target, targetIndex, 0, 0, count, pe, null);
    }

    /// Starts a [#get]; the target has the elements after the next [#quiet].
    /// @counterpart `nvshmemx_TYPE_get_nbi_on_stream`, `nvshmemx_getmem_nbi_on_stream`, in kernels
    ///     `nvshmem_TYPE_get_nbi`, `nvshmemx_TYPE_get_nbi_block`
    public void getNbi(ElementView view, long index, MemorySegment target, long targetIndex, long count, int pe) {
        copy(OperationType.GET_NBI, view, index, 0, target, targetIndex, 0, 0, count, pe, null);
    }

    /// Puts elements, and then updates a signal of the same PE, as [ElementView#putSignal] does.
    /// @counterpart `nvshmemx_TYPE_put_signal_on_stream`, `nvshmemx_putmem_signal_on_stream`, in kernels
    ///     `nvshmem_TYPE_put_signal`, `nvshmemx_TYPE_put_signal_block`
    public void putSignal(
            ElementView view,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            SignalUpdate update,
            int pe) {
        SignalUpdate given = checked(update, OperationType.PUT_SIGNAL, "update");
        copy(OperationType.PUT_SIGNAL, view, index, 0, source, sourceIndex, 0, 0, count, pe, given);
    }

    /// Starts a [#putSignal].
    /// @counterpart `nvshmemx_putmem_signal_nbi_on_stream`, in kernels `nvshmem_TYPE_put_signal_nbi`,
    ///     `nvshmemx_TYPE_put_signal_nbi_block`
    public void putSignalNbi(
            ElementView view,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            SignalUpdate update,
            int pe) {
        SignalUpdate given = checked(update, OperationType.PUT_SIGNAL_NBI, "update");
        copy(OperationType.PUT_SIGNAL_NBI, view, index, 0, source, sourceIndex, 0, 0, count, pe, given);
    }

    /// Puts blocks as [ElementView#putStrided] does.
    /// @counterpart `nvshmemx_TYPE_iput_on_stream`, in kernels `nvshmem_TYPE_iput`, `nvshmemx_TYPE_iput_block`
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
        copy(PUT_STRIDED, view, index, stride, source, sourceIndex, sourceStride, blockLength, blocks, pe, null);
    }

    /// Gets blocks as [ElementView#getStrided] does.
    /// @counterpart `nvshmemx_TYPE_iget_on_stream`, in kernels `nvshmem_TYPE_iget`, `nvshmemx_TYPE_iget_block`
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
        copy(GET_STRIDED, view, index, stride, target, targetIndex, targetStride, blockLength, blocks, pe, null);
    }

    private void word(
            OperationType type,
            ElementView view,
            long index,
            long expected,
            long bits,
            int pe,
            @Nullable AtomicOperation atomic,
            @Nullable MemorySegment result,
            long resultIndex) {
        checked(view, type, "view");
        synchronized (lock()) {
            StreamOperation operation = begin(type);
            operation.view = view;
            operation.index = index;
            operation.expected = expected;
            operation.value = bits;
            operation.pe = pe;
            operation.atomic = atomic;
            operation.segment = result;
            operation.localIndex = resultIndex;
            operation.count = 1;
            issue(operation);
        }
    }

    /// Stores one element of a PE.
    /// @counterpart `nvshmemx_TYPE_p_on_stream`, in kernels `nvshmem_TYPE_p`
    public void put(IntegerView view, long index, long value, int pe) {
        word(OperationType.PUT_WORD, view, index, 0, value, pe, null, null, 0);
    }

    /// Stores one element of a PE.
    public void put(DoubleView view, long index, double value, int pe) {
        word(OperationType.PUT_WORD, view, index, 0, Double.doubleToRawLongBits(value), pe, null, null, 0);
    }

    /// Stores one element of a PE.
    public void put(FloatView view, long index, float value, int pe) {
        word(OperationType.PUT_WORD, view, index, 0, Float.floatToRawIntBits(value), pe, null, null, 0);
    }

    /// Stores one element of a PE as an atomic, after all that the stream has put before: a PE that sees the value
    /// sees that, too.
    /// @counterpart `cuStreamWriteValue32`, `cuStreamWriteValue64`
    public void writeValue(IntegerView view, long index, long value, int pe) {
        word(OperationType.WRITE_VALUE, view, index, 0, value, pe, null, null, 0);
    }

    /// Applies an atomic without a result: SWAP stores the operand.
    /// @counterpart in kernels `nvshmem_TYPE_atomic_add` and its kind; NVSHMEM has none on streams
    /// @param atomic any but FETCH
    public void atomic(AtomicOperation atomic, IntegerView view, long index, long operand, int pe) {
        AtomicOperation given = checked(atomic, OperationType.ATOMIC, "atomic");
        if (given == AtomicOperation.FETCH) {
            throw refused(new IllegalArgumentException("atomic on stream \"" + lane().name
                    + "\": FETCH has no effect without a result; call fetchAtomic, or pass SWAP, ADD, AND, OR, XOR"));
        }
        word(OperationType.ATOMIC, view, index, 0, operand, pe, given, null, 0);
    }

    /// Applies an atomic without a result to a `double`: SWAP, which stores the operand, or ADD.
    public void atomic(AtomicOperation atomic, DoubleView view, long index, double operand, int pe) {
        AtomicOperation given = checkedFloating(atomic);
        word(OperationType.ATOMIC, view, index, 0, Double.doubleToRawLongBits(operand), pe, given, null, 0);
    }

    /// Applies an atomic without a result to a `float`: SWAP, which stores the operand, or ADD.
    public void atomic(AtomicOperation atomic, FloatView view, long index, float operand, int pe) {
        AtomicOperation given = checkedFloating(atomic);
        word(OperationType.ATOMIC, view, index, 0, Float.floatToRawIntBits(operand), pe, given, null, 0);
    }

    private AtomicOperation checkedFloating(AtomicOperation atomic) {
        AtomicOperation given = checked(atomic, OperationType.ATOMIC, "atomic");
        if (given != AtomicOperation.SWAP && given != AtomicOperation.ADD) {
            throw refused(new IllegalArgumentException("atomic on stream \"" + lane().name + "\": " + given
                    + " of a floating-point number without a result; allowed are SWAP and ADD"));
        }
        return given;
    }

    private void fetch(
            AtomicOperation atomic, ElementView view, long index, long bits, MemorySegment result, long at, int pe) {
        AtomicOperation given = checked(atomic, OperationType.FETCH_ATOMIC, "atomic");
        MemorySegment target = checked(result, OperationType.FETCH_ATOMIC, "result");
        word(OperationType.FETCH_ATOMIC, view, index, 0, bits, pe, given, target, at);
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
        fetch(atomic, view, index, operand, result, resultIndex, pe);
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
        fetch(atomic, view, index, Double.doubleToRawLongBits(operand), result, resultIndex, pe);
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
        fetch(atomic, view, index, Float.floatToRawIntBits(operand), result, resultIndex, pe);
    }

    /// Stores `value` if the element is `expected`; the former value is in `result` when the operation is
    /// complete.
    public void compareAndExchange(
            IntegerView view, long index, long expected, long value, MemorySegment result, long resultIndex, int pe) {
        MemorySegment target = checked(result, OperationType.COMPARE_AND_SWAP, "result");
        word(OperationType.COMPARE_AND_SWAP, view, index, expected, value, pe, null, target, resultIndex);
    }

    /// Updates a signal of a PE, after a [#fence] ordered after earlier puts.
    /// @counterpart `nvshmemx_signal_op_on_stream`, in kernels `nvshmemx_signal_op`
    public void signal(SignalUpdate update, int pe) {
        checked(update, OperationType.SIGNAL, "update");
        synchronized (lock()) {
            StreamOperation operation = begin(OperationType.SIGNAL);
            operation.object = update;
            operation.pe = pe;
            issue(operation);
        }
    }

    /// Orders: each PE sees what the stream has put to it before no later than what it puts afterwards; in a
    /// kernel, what all kernels of this PE have put.
    /// @counterpart in kernels `nvshmem_fence`; NVSHMEM has none on streams
    public void fence() {
        enqueue(OperationType.FENCE, null);
    }

    /// Waits until the sources of this stream's earlier `…Nbi` puts may change, and the targets of its `…Nbi` gets
    /// have their elements; in a kernel, of those of all kernels of this PE. It says nothing of what other PEs see,
    /// for which a [#quiet] waits.
    /// @counterpart `nvshmemx_flush_on_stream`, in kernels `nvshmemx_flush`, `nvshmemx_flush_warp`,
    ///     `nvshmemx_flush_block`
    public void flush() {
        enqueue(OperationType.FLUSH, null);
    }

    /// Completes the one-sided operations of this stream, and of no other: all PEs see what it has put, and `…Nbi`
    /// operations are complete; in a kernel, the operations of all kernels of this PE.
    /// @counterpart `nvshmemx_quiet_on_stream`, in kernels `nvshmem_quiet`
    public void quiet() {
        enqueue(OperationType.QUIET, null);
    }
}

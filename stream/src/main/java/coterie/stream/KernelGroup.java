// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.DoubleView;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.Team;
import coterie.WaitSet;
import coterie.collective.Collective;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// Threads of a kernel that call operations together: a tile, a warp, a block, the grid, or one thread alone, which
/// is a [KernelThread]. Answers to CUDA's cooperative groups, and to NVSHMEM's routines for a thread, `…_warp`,
/// `…_block`.
///
/// All threads of the group call each operation, with the same arguments, in the same order. It happens once, after
/// all of them have come, and all go on after it. A thread that has returned from the kernel no longer counts.
///
/// Operations go through the streams of the PE: they advance while a thread of the PE waits, as
/// [StreamRuntime] has it, and need no [coterie.ThreadLevel] of kernels. Arguments and errors are those of
/// [WorkStream]'s methods of the same names; the methods here also wait until the operation is complete, but for
/// the `…Nbi` forms. If an operation fails, it throws on all threads of the group, and the kernel has failed.
public sealed class KernelGroup permits KernelThread {
    private final int rank;
    private final GroupState state;

    KernelGroup(GroupState state, int rank) {
        this.state = state;
        this.rank = rank;
    }

    GroupState state() {
        return state;
    }

    /// Returns the number of threads of the group.
    public int size() {
        return state().size();
    }

    /// Returns the caller's number in the group, in `[0, size())`.
    public int rank() {
        return rank;
    }

    /// Waits for all threads of the group; what each has written before, all see. Answers to `__syncthreads`,
    /// `__syncwarp`, `cooperative_groups::sync`.
    ///
    /// The barrier of a grid needs all blocks: those that find no room on the device never come, so launch such a
    /// kernel by [WorkStream#collectiveLaunch(Team, Extent, Extent, Kernel)].
    public void sync() {
        if (size() > 1) {
            state().meet();
        }
    }

    /// Runs an action once, in one thread of the group, after all threads have come; all go on after it. For calls
    /// of other libraries that a group makes together. Answers to `cooperative_groups::invoke_one`.
    ///
    /// If the action throws, the exception leaves a group of one thread; in a larger group the kernel has failed.
    public void invokeOne(Runnable action) {
        state().once(action);
    }

    /// Runs an action once, as [#invokeOne], and returns its result to all threads. Answers to
    /// `cooperative_groups::invoke_one_broadcast`.
    public long invokeOneBroadcast(LongSupplier action) {
        GroupState group = state();
        group.once(() -> group.word().set(ValueLayout.JAVA_LONG, 0, action.getAsLong()));
        return group.word().get(ValueLayout.JAVA_LONG, 0);
    }

    /// Calls a step again and again until it returns true, once for the group as [#invokeOne], and ends when the
    /// kernel fails. For waits of other libraries, which may have deadlines: a diagnosis takes the kernel for code
    /// that could still act.
    ///
    /// @param step waits for a short time itself, so that the call does not spin
    public void awaitOne(BooleanSupplier step) {
        GroupState group = state();
        group.once(() -> group.poll(step));
    }

    private void perform(Consumer<WorkStream> operation) {
        state().perform(operation, true);
    }

    private void start(Consumer<WorkStream> operation) {
        state().perform(operation, false);
    }

    /// Answers to `nvshmem_TYPE_put`, `nvshmemx_TYPE_put_block`.
    public void put(ElementView view, long index, MemorySegment source, long sourceIndex, long count, int pe) {
        perform(stream -> stream.put(view, index, source, sourceIndex, count, pe));
    }

    /// Answers to `nvshmem_TYPE_put_nbi`, `nvshmemx_TYPE_put_nbi_block`.
    public void putNbi(ElementView view, long index, MemorySegment source, long sourceIndex, long count, int pe) {
        start(stream -> stream.putNbi(view, index, source, sourceIndex, count, pe));
    }

    /// Answers to `nvshmem_TYPE_get`, `nvshmemx_TYPE_get_block`.
    public void get(ElementView view, long index, MemorySegment target, long targetIndex, long count, int pe) {
        perform(stream -> stream.get(view, index, target, targetIndex, count, pe));
    }

    /// Answers to `nvshmem_TYPE_get_nbi`, `nvshmemx_TYPE_get_nbi_block`.
    public void getNbi(ElementView view, long index, MemorySegment target, long targetIndex, long count, int pe) {
        start(stream -> stream.getNbi(view, index, target, targetIndex, count, pe));
    }

    /// Answers to `nvshmem_TYPE_put_signal`, `nvshmemx_TYPE_put_signal_block`.
    public void putSignal(
            ElementView view,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            int pe,
            SignalUpdate update) {
        perform(stream -> stream.putSignal(view, index, source, sourceIndex, count, pe, update));
    }

    /// Answers to `nvshmem_TYPE_put_signal_nbi`, `nvshmemx_TYPE_put_signal_nbi_block`.
    public void putSignalNbi(
            ElementView view,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            int pe,
            SignalUpdate update) {
        start(stream -> stream.putSignalNbi(view, index, source, sourceIndex, count, pe, update));
    }

    /// Stores one element of a PE. Answers to `nvshmem_TYPE_p`.
    public void put(IntegerView view, long index, long value, int pe) {
        perform(stream -> stream.put(view, index, value, pe));
    }

    /// Loads one element of a PE. Answers to `nvshmem_TYPE_g`.
    public long get(IntegerView view, long index, int pe) {
        perform(stream -> stream.get(view, index, state().word(), 0, 1, pe));
        return StreamValue.integer(view.type(), state().word());
    }

    /// Stores one element of a PE.
    public void put(DoubleView view, long index, double value, int pe) {
        perform(stream -> stream.put(view, index, value, pe));
    }

    /// Stores one element of a PE.
    public void put(FloatView view, long index, float value, int pe) {
        perform(stream -> stream.put(view, index, value, pe));
    }

    /// Loads one element of a PE.
    public double get(DoubleView view, long index, int pe) {
        perform(stream -> stream.get(view, index, state().word(), 0, 1, pe));
        return state().word().get(ValueLayout.JAVA_DOUBLE, 0);
    }

    /// Loads one element of a PE.
    public float get(FloatView view, long index, int pe) {
        perform(stream -> stream.get(view, index, state().word(), 0, 1, pe));
        return state().word().get(ValueLayout.JAVA_FLOAT, 0);
    }

    /// Answers to `nvshmem_TYPE_iput`, `nvshmemx_TYPE_iput_block`.
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
        perform(stream ->
                stream.putStrided(view, index, stride, source, sourceIndex, sourceStride, blockLength, blocks, pe));
    }

    /// Answers to `nvshmem_TYPE_iget`, `nvshmemx_TYPE_iget_block`.
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
        perform(stream ->
                stream.getStrided(view, index, stride, target, targetIndex, targetStride, blockLength, blocks, pe));
    }

    /// Updates a signal of a PE. Answers to `nvshmemx_signal_op`.
    public void signal(SignalUpdate update, int pe) {
        perform(stream -> stream.signal(update, pe));
    }

    /// Applies an atomic without a result, any but FETCH. Answers to `nvshmem_TYPE_atomic_add` and its kind.
    public void atomic(AtomicOperation atomic, IntegerView view, long index, long operand, int pe) {
        perform(stream -> stream.atomic(atomic, view, index, operand, pe));
    }

    /// Applies an atomic without a result: SWAP or ADD.
    public void atomic(AtomicOperation atomic, DoubleView view, long index, double operand, int pe) {
        perform(stream -> stream.atomic(atomic, view, index, operand, pe));
    }

    /// Applies an atomic without a result: SWAP or ADD.
    public void atomic(AtomicOperation atomic, FloatView view, long index, float operand, int pe) {
        perform(stream -> stream.atomic(atomic, view, index, operand, pe));
    }

    /// Applies an atomic and returns the former value: FETCH, SWAP or ADD.
    public double fetchAtomic(AtomicOperation atomic, DoubleView view, long index, double operand, int pe) {
        perform(stream -> stream.fetchAtomic(atomic, view, index, operand, state().word(), 0, pe));
        return state().word().get(ValueLayout.JAVA_DOUBLE, 0);
    }

    /// Applies an atomic and returns the former value: FETCH, SWAP or ADD.
    public float fetchAtomic(AtomicOperation atomic, FloatView view, long index, float operand, int pe) {
        perform(stream -> stream.fetchAtomic(atomic, view, index, operand, state().word(), 0, pe));
        return state().word().get(ValueLayout.JAVA_FLOAT, 0);
    }

    /// Applies an atomic and returns the former value. Answers to `nvshmem_TYPE_atomic_fetch_add` and its kind.
    public long fetchAtomic(AtomicOperation atomic, IntegerView view, long index, long operand, int pe) {
        perform(stream -> stream.fetchAtomic(atomic, view, index, operand, state().word(), 0, pe));
        return StreamValue.integer(view.type(), state().word());
    }

    /// Stores `value` if the element is `expected`, and returns the former value. Answers to
    /// `nvshmem_TYPE_atomic_compare_swap`.
    public long compareAndSwap(IntegerView view, long index, long expected, long value, int pe) {
        perform(stream -> stream.compareAndSwap(view, index, expected, value, state().word(), 0, pe));
        return StreamValue.integer(view.type(), state().word());
    }

    /// Orders the puts of all kernels of this PE: each PE sees the earlier ones to it no later than the later ones.
    /// Answers to `nvshmem_fence`.
    public void fence() {
        perform(OneSidedOperations::fence);
    }

    /// Completes the operations of all kernels of this PE. Answers to `nvshmem_quiet`.
    public void quiet() {
        perform(OneSidedOperations::quiet);
    }

    /// Waits until the comparison of an element of this PE with `operand` holds. Answers to
    /// `nvshmem_TYPE_wait_until`.
    public void waitUntil(IntegerView view, long index, Comparison comparison, long operand) {
        perform(stream -> stream.waitUntil(view, index, comparison, operand));
    }

    /// Waits until the comparison of this PE's word with `operand` holds; the numbers are unsigned. Answers to
    /// `nvshmem_signal_wait_until`.
    public void waitUntil(SignalWord signal, Comparison comparison, long operand) {
        perform(stream -> stream.waitUntil(signal, comparison, operand));
    }

    /// Waits until the comparison has held for each of `count` elements. Answers to `nvshmem_TYPE_wait_until_all`.
    public void waitUntilAll(IntegerView view, long index, int count, Comparison comparison, long operand) {
        perform(stream -> stream.waitUntilAll(view, index, count, comparison, operand));
    }

    /// Waits with an operand for each of `operands.length` elements. Answers to
    /// `nvshmem_TYPE_wait_until_all_vector`.
    public void waitUntilAll(IntegerView view, long index, Comparison comparison, long[] operands) {
        perform(stream -> stream.waitUntilAll(view, index, comparison, operands));
    }

    /// Returns whether the comparison of an element of this PE with `operand` holds now. Answers to
    /// `nvshmem_TYPE_test`.
    public boolean test(IntegerView view, long index, Comparison comparison, long operand) {
        return waitSet(view, index, 1).testAll(comparison, operand);
    }

    /// Returns the value of this PE's word now. Answers to `nvshmem_signal_fetch`.
    public long fetch(SignalWord signal) {
        perform(stream -> stream.fetch(signal, state().word()));
        return state().word().get(ValueLayout.JAVA_LONG, 0);
    }

    /// Returns a set of `count` elements of this PE, for waits and tests of the group for all, any or some of
    /// them. Each thread of the group makes one and calls the same methods of it as the others, with the same
    /// marks and operands. Waits and tests have a result for all threads. Answers to `nvshmem_TYPE_wait_until_any`,
    /// `nvshmem_TYPE_wait_until_some`, `nvshmem_TYPE_test_all`, `nvshmem_TYPE_test_any`, `nvshmem_TYPE_test_some`,
    /// and their `_vector` forms.
    ///
    /// @throws IndexOutOfBoundsException if the range is outside the view
    public WaitSet waitSet(IntegerView view, long index, int count) {
        return new KernelWaitSet(state(), view, index, count);
    }

    /// Completes the puts of all kernels of this PE, and waits for all members. Answers to `nvshmem_barrier`,
    /// `nvshmemx_barrier_block`.
    ///
    /// @throws StreamException as [#collective]
    public void barrier(Team team) {
        perform(stream -> stream.barrier(team));
    }

    /// Waits for all members, and completes no puts. Answers to `nvshmem_team_sync`, `nvshmemx_team_sync_block`.
    ///
    /// @throws StreamException as [#collective]
    public void sync(Team team) {
        perform(stream -> stream.sync(team));
    }

    /// Runs a collective of a team. Answers to `nvshmem_TYPE_OP_reduce`, `nvshmemx_TYPE_broadcast_block` and their
    /// kind.
    ///
    /// @throws StreamException with [StreamError#TEAM_CONCURRENT] if another group of threads of this PE has a
    ///     collective of the team under way
    public void collective(Team team, Collective collective) {
        perform(stream -> stream.collective(team, collective));
    }
}

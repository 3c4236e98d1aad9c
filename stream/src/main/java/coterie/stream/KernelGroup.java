// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.DoubleView;
import coterie.ElementType;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.ReductionOperator;
import coterie.SignalWord;
import coterie.WaitSet;
import coterie.spi.Kernels;
import coterie.spi.ReductionKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Threads of a kernel that call operations together: a tile, a warp, a block, the grid, or one thread alone,
/// which is a [KernelThread].
///
/// All threads of the group call each operation, with the same arguments, in the same order. It happens once, after
/// all of them have come, and all go on after it. A thread that has returned from the kernel no longer counts.
///
/// Operations go through the streams of the PE: they advance while a thread of the PE waits, as
/// [StreamRuntime] has it, and need no [coterie.ThreadLevel] of kernels. Arguments and errors are those of
/// [WorkStream]'s methods of the same names; the methods here also wait until the operation is complete, but for
/// the `…Nbi` forms. If an operation fails, it throws on all threads of the group, and the kernel has failed.
/// @counterpart cooperative groups of CUDA, NVSHMEM's routines for a thread, `…_warp`, `…_block`
public sealed class KernelGroup extends OperationVerbs permits KernelThread {
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

    /// Waits for all threads of the group; what each has written before, all see.
    ///
    /// The barrier of a grid needs all blocks: those that find no room on the device never come, so launch such a
    /// kernel by [WorkStream#collectiveLaunch(Team, Extent, Extent, Kernel)].
    /// @counterpart `__syncthreads`, `__syncwarp`, `cooperative_groups::sync`
    public void sync() {
        if (size() > 1) {
            state().meet();
        }
    }

    /// Runs an action once, in one thread of the group, after all threads have come; all go on after it. For calls
    /// of other libraries that a group makes together.
    ///
    /// If the action throws, the exception leaves a group of one thread; in a larger group the kernel has failed.
    /// @counterpart `cooperative_groups::invoke_one`
    public void invokeOne(Runnable action) {
        state().once(action);
    }

    /// Runs an action once, as [#invokeOne], and returns its result to all threads.
    /// @counterpart `cooperative_groups::invoke_one_broadcast`
    public long invokeOneBroadcast(LongSupplier action) {
        GroupState group = state();
        group.once(() -> group.word().set(ValueLayout.JAVA_LONG, 0, action.getAsLong()));
        return group.word().get(ValueLayout.JAVA_LONG, 0);
    }

    /// Returns the value that one thread of the group passes, to all of them. All pass the same `rank`.
    /// @counterpart `ncclCoopBcast`; and `cooperative_groups::shfl`
    /// @param value of that thread; those of the others count for nothing
    /// @param rank in `[0, size())`, of a thread that has not returned from the kernel
    /// @throws IndexOutOfBoundsException on all threads, if no thread of the group has that number; the kernel has
    ///     failed
    public long broadcast(long value, int rank) {
        GroupState group = state();
        if (!group.broadcast(value, this.rank, rank)) {
            throw refused(new IndexOutOfBoundsException(lane().prefix("broadcast") + "rank " + rank + " of a group of "
                    + size() + "; allowed are those in [0, " + size() + ") that have not returned from the kernel"));
        }
        return group.word().get(ValueLayout.JAVA_LONG, 0);
    }

    /// Returns the value that one thread of the group passes, to all of them; see [#broadcast(long, int)].
    public double broadcast(double value, int rank) {
        return Double.longBitsToDouble(broadcast(Double.doubleToRawLongBits(value), rank));
    }

    /// Reduces the elements with the same index of all sources, in the order of the sources, and stores each result to
    /// all targets: plain loads and stores, which the threads of the group share. With one source it copies.
    ///
    /// Sources and targets are any memory of the JVM, and that of PEs which the caller loads and stores:
    /// [coterie.SymmetricMemory#segment(int)]. The elements of other PEs must be there, for example after a
    /// [#barrier]; they see the results after the caller's next barrier, or its next [#quiet] and a signal. Keep
    /// the arrays of segments, and pass them again.
    ///
    /// ```java
    /// block.barrier(team);                                    // all elements are there
    /// block.reduceCopy(Reduction.SUM, ElementType.FLOAT, results, shares, count); // one share of an allreduce
    /// block.barrier(team);                                    // all results are there
    /// ```
    ///
    /// The numbers are those of [coterie.Reduction], so that 16-bit ones are added and multiplied as `float`s and
    /// rounded once.
    /// @counterpart `ncclLocalReduceSum`, `ncclLocalReduceSumCopy`, `ncclLocalCopy`, `ncclLsaReduceSum`,
    ///     `ncclLsaReduceSumCopy`, `ncclLsaReduceSumLsaCopy`, `ncclLsaReduceLsaCopy`, `ncclLsaCopy`; any number of
    ///     sources and targets, and no other operators than those of `coterie.Reduction` and, on bits,
    ///     `coterie.IntegerReduction`
    /// @param reduction of [coterie.Reduction], or AND, OR, XOR of [coterie.IntegerReduction]; it counts for
    ///     nothing with one source
    /// @param type of the elements, which has the reduction: AND, OR and XOR are of integers
    /// @param targets at least 1, each writable and with `count` elements or more from its begin on
    /// @param sources at least 1, as the targets; a target may begin where a source does, and overlaps none
    ///     otherwise
    /// @param count elements, `0 ≤ count`
    /// @throws IllegalArgumentException for no targets or sources, a target that is read-only, or another
    ///     reduction; nothing is stored, and the kernel of a larger group than one thread has failed
    /// @throws IndexOutOfBoundsException for a segment with fewer elements
    /// @throws WrongThreadException for a segment of another thread
    /// @throws IllegalStateException for a segment whose arena is closed
    public void reduceCopy(
            ReductionOperator<?> reduction,
            ElementType type,
            MemorySegment[] targets,
            MemorySegment[] sources,
            long count) {
        String operation = "reduceCopy";
        ReductionOperator<?> operator = checked(reduction, operation, "reduction");
        checked(type, operation, "type");
        boolean isCopy = checked(sources, operation, "sources").length == 1;
        ReductionKind kind = ReductionKind.of(operator).orElse(null);
        if (kind == null || !(isCopy || kind.suits(type))) {
            throw refused(new IllegalArgumentException(lane().prefix(operation) + operator + " of " + type
                    + "; allowed are SUM, PRODUCT, MIN and MAX, and of integers AND, OR and XOR"));
        }
        if (count < 0 || count > Long.MAX_VALUE / type.byteSize()) {
            throw refused(new IndexOutOfBoundsException(lane().prefix(operation) + "count " + count
                    + "; allowed are [0, " + Long.MAX_VALUE / type.byteSize() + "]"));
        }
        long bytes = count * type.byteSize();
        checkSegments(operation, "targets", checked(targets, operation, "targets"), bytes);
        checkSegments(operation, "sources", sources, bytes);
        for (int i = 0; i < targets.length; i++) {
            if (targets[i].isReadOnly()) {
                throw refused(new IllegalArgumentException(
                        lane().prefix(operation) + "targets[" + i + "] is read-only; allowed are writable segments"));
            }
        }
        GroupState group = state();
        long base = group.beginShares();
        try {
            Kernels kernels = lane().engine().support().kernels();
            long share = ReduceCopyLoop.SHARE;
            for (long from = group.share(base, share); from < count; from = group.share(base, share)) {
                ReduceCopyLoop.run(kernels, kind, type, targets, sources, from, Math.min(count, from + share));
            }
        } catch (RuntimeException e) { // an arena that closes meanwhile
            throw refused(e);
        }
        sync();
    }

    private void checkSegments(String operation, String name, MemorySegment[] segments, long bytes) {
        if (segments.length == 0) {
            throw refused(
                    new IllegalArgumentException(lane().prefix(operation) + "no " + name + "; allowed are 1 and more"));
        }
        for (int i = 0; i < segments.length; i++) {
            MemorySegment segment = segments[i];
            if (segment == null) {
                throw refused(new NullPointerException(lane().prefix(operation) + name + "[" + i + "] is null"));
            }
            if (segment.byteSize() < bytes) {
                throw refused(new IndexOutOfBoundsException(lane().prefix(operation) + bytes + " bytes of " + name + "["
                        + i + "]; allowed are [0, " + segment.byteSize() + "]"));
            }
            if (!segment.isAccessibleBy(Thread.currentThread())) {
                throw refused(
                        new WrongThreadException(lane().prefix(operation) + name + "[" + i + "] is of another thread"));
            }
            if (!segment.scope().isAlive()) {
                throw refused(new IllegalStateException(
                        lane().prefix(operation) + "the arena of " + name + "[" + i + "] is closed"));
            }
        }
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

    @Override
    StreamLane lane() {
        return state().lane();
    }

    @Override
    Object lock() {
        return draft();
    }

    @Override
    StreamOperation begin(OperationType type) {
        return draft().of(type);
    }

    @Override
    void issue(StreamOperation operation) {
        state().perform(operation);
        operation.clear(); // the lane may have taken another thread's
    }

    /// The others of the group would wait for a thread that goes on without the call.
    @Override
    RuntimeException refused(RuntimeException cause) {
        if (size() > 1) {
            state().fail(cause);
        }
        return cause;
    }

    private MemorySegment word() {
        return state().word();
    }

    /// Loads one element of a PE.
    /// @counterpart `nvshmem_TYPE_g`
    public long get(IntegerView view, long index, int pe) {
        get(view, index, word(), 0, 1, pe);
        return StreamValue.integer(view.type(), word());
    }

    /// Loads one element of a PE.
    public double get(DoubleView view, long index, int pe) {
        get(view, index, word(), 0, 1, pe);
        return word().get(ValueLayout.JAVA_DOUBLE, 0);
    }

    /// Loads one element of a PE.
    public float get(FloatView view, long index, int pe) {
        get(view, index, word(), 0, 1, pe);
        return word().get(ValueLayout.JAVA_FLOAT, 0);
    }

    /// Applies an atomic and returns the former value.
    /// @counterpart `nvshmem_TYPE_atomic_fetch_add` and its kind
    public long fetchAtomic(AtomicOperation atomic, IntegerView view, long index, long operand, int pe) {
        fetchAtomic(atomic, view, index, operand, word(), 0, pe);
        return StreamValue.integer(view.type(), word());
    }

    /// Applies an atomic and returns the former value: FETCH, SWAP or ADD.
    public double fetchAtomic(AtomicOperation atomic, DoubleView view, long index, double operand, int pe) {
        fetchAtomic(atomic, view, index, operand, word(), 0, pe);
        return word().get(ValueLayout.JAVA_DOUBLE, 0);
    }

    /// Applies an atomic and returns the former value: FETCH, SWAP or ADD.
    public float fetchAtomic(AtomicOperation atomic, FloatView view, long index, float operand, int pe) {
        fetchAtomic(atomic, view, index, operand, word(), 0, pe);
        return word().get(ValueLayout.JAVA_FLOAT, 0);
    }

    /// Stores `value` if the element is `expected`, and returns the former value.
    /// @counterpart `nvshmem_TYPE_atomic_compare_swap`
    public long compareAndExchange(IntegerView view, long index, long expected, long value, int pe) {
        compareAndExchange(view, index, expected, value, word(), 0, pe);
        return StreamValue.integer(view.type(), word());
    }

    /// Returns whether the comparison of an element of this PE with `operand` holds now.
    /// @counterpart `nvshmem_TYPE_test`
    public boolean test(IntegerView view, long index, Comparison comparison, long operand) {
        return waitSet(view, index, 1).testAll(comparison, operand);
    }

    /// Returns the value of this PE's word now.
    /// @counterpart `nvshmem_signal_fetch`
    public long fetch(SignalWord signal) {
        checked(signal, "fetch", "signal");
        synchronized (lock()) {
            StreamOperation operation = begin(OperationType.SIGNAL_FETCH);
            operation.object = signal;
            operation.segment = word();
            issue(operation);
        }
        return word().get(ValueLayout.JAVA_LONG, 0);
    }

    /// Looks once for all threads of the group, and returns the look.
    ///
    /// @param mine that of the caller, whose arguments are those of the other threads
    GroupCheck check(GroupCheck mine) {
        enqueue(OperationType.GROUP_CHECK, mine);
        return state().check();
    }

    /// Returns a set of `count` elements of this PE, for waits and tests of the group for all, any or some of
    /// them. Each thread of the group makes one and calls the same methods of it as the others, with the same
    /// marks and operands. Waits and tests have a result for all threads.
    /// @counterpart `nvshmem_TYPE_wait_until_any`, `nvshmem_TYPE_wait_until_some`, `nvshmem_TYPE_test_all`,
    ///     `nvshmem_TYPE_test_any`, `nvshmem_TYPE_test_some`, their `_vector` forms
    /// @throws IndexOutOfBoundsException if the range is outside the view
    public WaitSet waitSet(IntegerView view, long index, int count) {
        return new KernelWaitSet(this, view, index, count);
    }

    @Override
    public String toString() {
        return "thread " + rank + " of a group of " + size();
    }
}

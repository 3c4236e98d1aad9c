// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static coterie.stream.OperationType.WAIT_UNTIL_ALL;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.SignalWord;
import coterie.Team;
import coterie.collective.Collective;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The operations that streams, groups of a kernel's threads and streams of other machines have alike. Each is here
/// once: its arguments, what the call checks, and its descriptor. A place says no more than how it takes that:
///
/// ```
///  call ─► checks ─► begin ─► arguments ─► issue
///    WorkStream        a descriptor of its lane        to the queue, or to the graph of a capture
///    KernelGroup       the thread's own, its draft     once all threads have come, to the group's lane; all wait
///    LaneOperations    the same                        to its lane, between two commands of the other machine
///  lane ─► OperationRecorder, for a diagnosis ─► OperationType.step, which the engine polls
/// ```
abstract sealed class OperationVerbs extends OneSidedVerbs permits WorkStream, KernelGroup, LaneOperations {
    private static final Collective BARRIER = Collective.barrier();

    private void await(
            OperationType type,
            @Nullable IntegerView view,
            long index,
            int count,
            @Nullable Comparison comparison,
            long operand,
            @Nullable Object object,
            @Nullable BitSet skipped) {
        synchronized (lock()) {
            StreamOperation operation = begin(type);
            operation.view = view;
            operation.index = index;
            operation.count = count;
            operation.comparison = comparison;
            operation.value = operand;
            operation.object = object;
            operation.skipped = skipped;
            issue(operation);
        }
    }

    /// Waits until the comparison of an element of the caller's own with `operand` holds, signed or unsigned as
    /// the view is.
    /// @counterpart `nvshmemx_TYPE_wait_until_on_stream`, in kernels `nvshmem_TYPE_wait_until`
    public void waitUntil(IntegerView view, long index, Comparison comparison, long operand) {
        Comparison given = checked(comparison, OperationType.WAIT_UNTIL, "comparison");
        IntegerView words = checked(view, OperationType.WAIT_UNTIL, "view");
        await(OperationType.WAIT_UNTIL, words, index, 1, given, operand, null, null);
    }

    /// Waits until the comparison of this PE's own word with `operand` holds; the numbers are unsigned.
    /// @counterpart `nvshmemx_signal_wait_until_on_stream`, in kernels `nvshmem_signal_wait_until`
    public void waitUntil(SignalWord signal, Comparison comparison, long operand) {
        Comparison given = checked(comparison, OperationType.SIGNAL_WAIT, "comparison");
        SignalWord word = checked(signal, OperationType.SIGNAL_WAIT, "signal");
        await(OperationType.SIGNAL_WAIT, null, 0, 1, given, operand, word, null);
    }

    /// Waits until a condition holds for an element of the caller's own.
    /// @counterpart `cuStreamWaitValue32`, `cuStreamWaitValue64`; GEQ compares unsigned numbers
    /// @param condition compares unsigned numbers of the view's width, see [ValueCondition#GEQ]
    public void waitValue(IntegerView view, long index, ValueCondition condition, long value) {
        ValueCondition given = checked(condition, OperationType.WAIT_VALUE, "condition");
        IntegerView words = checked(view, OperationType.WAIT_VALUE, "view");
        await(OperationType.WAIT_VALUE, words, index, 1, null, value, given, null);
    }

    /// Waits until the comparison has held for each of `count` elements of the caller's own, each at some moment.
    /// @counterpart `nvshmemx_TYPE_wait_until_all_on_stream`, in kernels `nvshmem_TYPE_wait_until_all`
    public void waitUntilAll(IntegerView view, long index, int count, Comparison comparison, long operand) {
        await(view, index, count, comparison, operand, null, null);
    }

    /// Waits with an operand for each of `operands.length` elements, from `index` on.
    /// @counterpart `nvshmemx_TYPE_wait_until_all_vector_on_stream`, in kernels
    ///     `nvshmem_TYPE_wait_until_all_vector`
    public void waitUntilAll(IntegerView view, long index, Comparison comparison, long[] operands) {
        long[] all = checked(operands, WAIT_UNTIL_ALL, "operands");
        await(view, index, all.length, comparison, 0, all, null);
    }

    /// Waits for each of `count` elements that is not marked; all of them marked, or `count` 0, is no wait.
    ///
    /// @param skipped element `i` of the wait takes no part if bit `i` is set. As the `status` argument of
    ///     `nvshmemx_TYPE_wait_until_all_on_stream`
    public void waitUntilAll(
            IntegerView view, long index, int count, Comparison comparison, long operand, BitSet skipped) {
        await(view, index, count, comparison, operand, null, checked(skipped, WAIT_UNTIL_ALL, "skipped"));
    }

    /// Waits with an operand for each of `operands.length` elements that is not marked; an operand of a marked one
    /// counts for nothing.
    ///
    /// @param skipped element `i` of the wait takes no part if bit `i` is set
    public void waitUntilAll(IntegerView view, long index, Comparison comparison, long[] operands, BitSet skipped) {
        int count = checked(operands, WAIT_UNTIL_ALL, "operands").length;
        await(view, index, count, comparison, 0, operands, checked(skipped, WAIT_UNTIL_ALL, "skipped"));
    }

    final void await(
            IntegerView view,
            long index,
            int count,
            Comparison comparison,
            long operand,
            long @Nullable [] operands,
            @Nullable BitSet skipped) {
        Comparison given = checked(comparison, WAIT_UNTIL_ALL, "comparison");
        IntegerView words = checked(view, WAIT_UNTIL_ALL, "view");
        if (count < 0) {
            throw refused(new IllegalArgumentException(lane().prefix(WAIT_UNTIL_ALL.method()) + "count " + count
                    + " is outside [0, " + Integer.MAX_VALUE + "]"));
        }
        await(WAIT_UNTIL_ALL, words, index, count, given, operand, operands, skipped);
    }

    /// Completes what the stream has put, or what all kernels of this PE have, then waits until every member has
    /// come to it. On completion all members see what any member's stream has put before.
    /// @counterpart `nvshmemx_barrier_on_stream`, `nvshmemx_barrier_all_on_stream` (in one sentence
    ///     `nvshmem_barrier_all_on_stream`), in kernels `nvshmem_barrier`, `nvshmemx_barrier_block`
    /// @throws StreamException as [#collective]
    public void barrier(Team team) {
        collective(OperationType.BARRIER, team, BARRIER);
    }

    /// Waits until every member has come to it, and completes no puts.
    /// @counterpart `nvshmemx_team_sync_on_stream`, `nvshmemx_sync_all_on_stream`, in kernels `nvshmem_team_sync`,
    ///     `nvshmemx_team_sync_block`
    /// @throws StreamException as [#collective]
    public void sync(Team team) {
        collective(OperationType.SYNC, team, BARRIER);
    }

    /// Runs a collective of a team, of any [coterie.collective.CollectiveType], as a request of core.
    ///
    /// ```java
    /// Collective sum = Collective.allReduce(Reduction.SUM).source(x, 0, n).target(y, 0, n); // keep it
    /// stream.collective(team, sum);
    /// ```
    ///
    /// A stream prepares one persistent request for each team and `Collective` object, when it first runs.
    /// Members match a team's collectives on streams, and its requests, by their order; collectives without a
    /// stream have no order with them. So on each PE each collective of a team must be before the next.
    /// @counterpart `nvshmemx_TYPE_broadcast_on_stream`, `nvshmemx_TYPE_fcollect_on_stream`,
    ///     `nvshmemx_TYPE_alltoall_on_stream`, `nvshmemx_TYPE_OP_reduce_on_stream`,
    ///     `nvshmemx_TYPE_OP_reducescatter_on_stream`, in kernels `nvshmem_TYPE_OP_reduce`,
    ///     `nvshmemx_TYPE_broadcast_block` and their kind; NVSHMEM has no scans on streams
    /// @throws StreamException with [StreamError#TEAM_CONCURRENT] if the team's latest collective is in another
    ///     stream, and neither events nor a synchronize order it before this one, or if another group of a kernel's
    ///     threads has a collective of the team under way; or [WorkStream#query]'s
    public void collective(Team team, Collective collective) {
        collective(OperationType.COLLECTIVE, team, collective);
    }

    private void collective(OperationType type, Team team, Collective collective) {
        checked(team, type, "team");
        checked(collective, type, "collective");
        synchronized (lock()) {
            StreamOperation operation = begin(type);
            operation.team = team;
            operation.object = collective;
            issue(operation);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.ElementView;
import coterie.IntegerView;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.Team;
import coterie.collective.Collective;
import coterie.stream.WorkStream;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// The operations of a [CudaStream] that the host does when the device comes to them: those of [WorkStream],
/// with its semantics. Each costs the device two commands and a round trip to the host.
abstract sealed class HostOperations permits CudaStream {
    final StreamCore core;

    HostOperations(StreamCore core) {
        this.core = core;
    }

    /// Enqueues any operations of the host at one place of the stream, for one round trip: those that `operations`
    /// enqueues to the stream that it gets. The device goes on after the last of them.
    ///
    /// ```java
    /// stream.onHost(host -> {
    ///     host.putSignal(halo, 0, row, 0, n, up, arrived.adding(1));
    ///     host.waitUntil(arrived, Comparison.GE, step);
    /// });
    /// ```
    ///
    /// @param operations called at once; it enqueues to the stream that it gets, and neither waits for it nor
    ///     keeps it
    public void onHost(Consumer<? super WorkStream> operations) {
        core.context.checked(operations, "onHost", "operations");
        core.begin("onHost");
        try {
            operations.accept(core.lane);
        } finally {
            core.end("onHost");
        }
    }

    /// Runs code of the program on the host. It must not wait, and must call no method of this package: threads
    /// that wait in the world run it. Answers to `cuLaunchHostFunc`.
    public void execute(Runnable function) {
        core.context.checked(function, "execute", "function");
        core.begin("execute");
        try {
            core.lane.execute(function);
        } finally {
            core.end("execute");
        }
    }

    /// Puts elements of symmetric memory, see [WorkStream#put(ElementView, long, MemorySegment, long, long, int)].
    public void put(ElementView view, long index, MemorySegment source, long sourceIndex, long count, int pe) {
        core.begin("put");
        try {
            core.lane.put(view, index, source, sourceIndex, count, pe);
        } finally {
            core.end("put");
        }
    }

    /// Gets elements of symmetric memory, see [WorkStream#get(ElementView, long, MemorySegment, long, long, int)].
    public void get(ElementView view, long index, MemorySegment target, long targetIndex, long count, int pe) {
        core.begin("get");
        try {
            core.lane.get(view, index, target, targetIndex, count, pe);
        } finally {
            core.end("get");
        }
    }

    /// Puts elements of symmetric memory and updates a signal, see [WorkStream#putSignal].
    public void putSignal(
            ElementView view,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            int pe,
            SignalUpdate update) {
        core.begin("putSignal");
        try {
            core.lane.putSignal(view, index, source, sourceIndex, count, pe, update);
        } finally {
            core.end("putSignal");
        }
    }

    /// Updates a signal of a PE, after all that the stream has done before. Answers to
    /// `nvshmemx_signal_op_on_stream`.
    public void signal(SignalUpdate update, int pe) {
        core.begin("signal");
        try {
            core.lane.signal(update, pe);
        } finally {
            core.end("signal");
        }
    }

    /// Waits until the comparison of this PE's own word holds, see [WorkStream#waitUntil(SignalWord, Comparison,
    /// long)]. Answers to `nvshmemx_signal_wait_until_on_stream`.
    public void waitUntil(SignalWord signal, Comparison comparison, long operand) {
        core.begin("waitUntil");
        try {
            core.lane.waitUntil(signal, comparison, operand);
        } finally {
            core.end("waitUntil");
        }
    }

    /// Waits until the comparison of an element of this PE's own holds, see [WorkStream#waitUntil(IntegerView,
    /// long, Comparison, long)].
    public void waitUntil(IntegerView view, long index, Comparison comparison, long operand) {
        core.begin("waitUntil");
        try {
            core.lane.waitUntil(view, index, comparison, operand);
        } finally {
            core.end("waitUntil");
        }
    }

    /// Applies an atomic without a result, see [WorkStream#atomic(AtomicOperation, IntegerView, long, long, int)].
    public void atomic(AtomicOperation atomic, IntegerView view, long index, long operand, int pe) {
        core.begin("atomic");
        try {
            core.lane.atomic(atomic, view, index, operand, pe);
        } finally {
            core.end("atomic");
        }
    }

    /// Completes what the stream has put through the host, see [WorkStream#quiet]. Copies of the driver are
    /// complete when the next operation of the stream begins.
    public void quiet() {
        core.begin("quiet");
        try {
            core.lane.quiet();
        } finally {
            core.end("quiet");
        }
    }

    /// Waits until every member's stream has come to it, and completes what the stream has put, see
    /// [WorkStream#barrier]. Answers to `nvshmemx_barrier_on_stream`.
    public void barrier(Team team) {
        core.begin("barrier");
        try {
            core.lane.barrier(team);
        } finally {
            core.end("barrier");
        }
    }

    /// Waits until every member's stream has come to it, see [WorkStream#sync]. Answers to
    /// `nvshmemx_team_sync_on_stream`.
    public void sync(Team team) {
        core.begin("sync");
        try {
            core.lane.sync(team);
        } finally {
            core.end("sync");
        }
    }

    /// Runs a collective over symmetric memory of the host, see [WorkStream#collective].
    public void collective(Team team, Collective collective) {
        core.begin("collective");
        try {
            core.lane.collective(team, collective);
        } finally {
            core.end("collective");
        }
    }
}

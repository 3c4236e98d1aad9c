// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import java.util.function.BooleanSupplier;

/// Operations that touch no symmetric memory: code of the program, and the order of streams.
final class HostSteps {
    /// After which a wait of a kernel gets a text of its own, for a diagnosis.
    private static final long LONG_NANOS = 100_000_000;

    private static final int STARTED = 1;

    private HostSteps() {}

    static boolean run(StreamOperation operation, StreamLane stream) {
        ((Runnable) requireNonNull(operation.object)).run();
        return true;
    }

    static boolean poll(StreamOperation operation, StreamLane stream) {
        return ((BooleanSupplier) requireNonNull(operation.object)).getAsBoolean();
    }

    static boolean record(StreamOperation operation, StreamLane stream) {
        ((StreamEvent) requireNonNull(operation.object)).stamp(operation.value);
        return true;
    }

    /// Waits for the work that an event had captured at the call.
    static boolean awaitEvent(StreamOperation operation, StreamLane stream) {
        OperationLane lane = (OperationLane) requireNonNull(operation.object);
        if (lane.completed() < operation.count) {
            return false;
        }
        OperationFailure failure = lane.failureBefore(operation.count);
        if (failure != null) {
            throw new UpstreamFailure(lane, failure);
        }
        return true;
    }

    /// Waits for the end of operations of another stream, well or not.
    static boolean awaitLane(StreamOperation operation, StreamLane stream) {
        return ((OperationLane) requireNonNull(operation.object)).completed() >= operation.count;
    }

    static boolean graph(StreamOperation operation, StreamLane stream) {
        return ((StreamGraph) requireNonNull(operation.object)).poll(operation, stream);
    }

    static boolean kernel(StreamOperation operation, StreamLane stream) {
        KernelRun run = (KernelRun) requireNonNull(operation.object);
        if (operation.state != STARTED) {
            operation.state = STARTED;
            run.rewind();
        }
        if (run.poll()) {
            return true;
        }
        KernelState now = run.isActing()
                ? KernelState.ACTS
                : stream.engine().hasStopped(LONG_NANOS) ? KernelState.WAITS_LONG : KernelState.WAITS;
        long known = now.with(run.changes());
        if (operation.known != known) {
            operation.known = known;
            LaneLog log = stream.log();
            if (log != null && !operation.isCaptured) { // a graph has one record for all it has captured
                log.changed(operation);
            }
        }
        return false;
    }

    /// Completes what the stream has started, also after a failure, and ends its contexts.
    static boolean release(StreamOperation operation, StreamLane stream) {
        if (!OneSidedSteps.complete(operation, stream, false)) {
            return false;
        }
        if (stream.kind() != StreamLane.Kind.KERNEL) { // which share theirs
            stream.contexts().close();
        }
        stream.requests().close();
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import java.util.function.Consumer;

/// The operations of another machine's stream that the host does when the machine comes to them: those of a
/// [WorkStream] of its own, its *lane*, with their semantics.
public abstract non-sealed class LaneOperations extends OperationVerbs {
    private final WorkStream stream;

    /// Operations that go to a lane.
    ///
    /// @param stream the lane
    protected LaneOperations(WorkStream stream) {
        this.stream = requireNonNull(stream, "LaneOperations: stream is null");
    }

    /// Begins a call that enqueues to the lane: the lane then waits until the machine has come to this place. The
    /// machine's stream is the caller's until [#end].
    ///
    /// @param operation the name of the method, for messages
    protected abstract void begin(String operation);

    /// Ends the call: the machine goes on after what the lane has now.
    protected abstract void end(String operation);

    @Override
    final StreamLane lane() {
        return stream.lane;
    }

    @Override
    final Object lock() {
        return draft();
    }

    @Override
    final StreamOperation begin(OperationType type) {
        begin(type.method());
        return draft().of(type);
    }

    @Override
    final void issue(StreamOperation operation) {
        try {
            stream.lane.take(operation);
        } finally {
            end(operation.type.method());
        }
    }

    /// Enqueues any operations of the host at one place of the stream, for one round trip: those that `operations`
    /// enqueues to the stream that it gets. The machine goes on after the last of them.
    ///
    /// ```java
    /// stream.onHost(host -> {
    ///     host.putSignal(halo, 0, row, 0, n, arrived.adding(1), up);
    ///     host.waitUntil(arrived, Comparison.GE, step);
    /// });
    /// ```
    ///
    /// @param operations called at once; it enqueues to the stream that it gets, and neither waits for it nor
    ///     keeps it
    public void onHost(Consumer<? super WorkStream> operations) {
        checked(operations, "onHost", "operations");
        begin("onHost");
        try {
            operations.accept(stream);
        } finally {
            end("onHost");
        }
    }

    /// Runs code of the program on the host. It must not wait, and must call no method of the machine's package:
    /// threads that wait in the world run it.
    /// @counterpart `cudaLaunchHostFunc`; the lane runs it, and not the driver
    public void execute(Runnable function) {
        enqueue(OperationType.HOST, checked(function, "execute", "function"));
    }
}

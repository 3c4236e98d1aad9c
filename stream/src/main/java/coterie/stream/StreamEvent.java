// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.World;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A point in a stream, which other streams and the host wait for.
///
/// ```java
/// StreamEvent ready = runtime.createEvent();
/// compute.record(ready);        // captures what compute has so far
/// halo.waitEvent(ready);        // what halo gets from here on starts after that
/// ```
///
/// A record captures the stream's work *at the call*; a wait, a query and a synchronize are for the record that
/// is the latest when the program calls them. A later record has no effect on them. An event that was never
/// recorded has no work: a wait for it is a no-op, so **record first**. Events alone can't make a deadlock.
///
/// If an operation before the record has failed, the event is complete with an exception: a query or synchronize
/// throws it, and a stream that waits for the event fails with the same first cause.
///
/// Threads: any, at any time, but for [#synchronize], which is a wait of the world. An event needs no close.
/// @counterpart `cudaEvent_t`
public final class StreamEvent {
    private final StreamEngine engine;
    private final boolean isTimed;
    private final boolean isPatient;

    /// What happens before the record.
    private final OrderClock clock = new OrderClock();

    // The lock guards these.
    private @Nullable OperationLane lane;
    private long end;
    private long records;

    // The thread that runs the hook writes these, the stamp first.
    private volatile long stamp;
    private volatile long stamped;

    StreamEvent(StreamEngine engine, Set<EventOption> options) {
        this.engine = engine;
        this.isTimed = !options.contains(EventOption.DISABLE_TIMING);
        this.isPatient = options.contains(EventOption.BLOCKING_SYNC);
    }

    StreamEngine engine() {
        return engine;
    }

    boolean isTimed() {
        return isTimed;
    }

    OrderClock clock() {
        return clock;
    }

    /// Returns the lane of the latest record, or null. The caller holds the lock.
    @Nullable
    OperationLane lane() {
        return lane;
    }

    /// Returns the number of operations that the latest record has captured. The caller holds the lock.
    long end() {
        return end;
    }

    /// Captures the operations of a lane before a position, and returns the number of the record. The caller
    /// holds the lock.
    long capture(OperationLane from, long position) {
        lane = from;
        end = position;
        clock.set(from.clock);
        records++;
        return records;
    }

    /// Notes the time of a record, unless there is a later one.
    void stamp(long number) {
        stamp = engine.support().nanoTime();
        stamped = number;
    }

    /// Returns whether the work of the latest record is complete; true if there is none. Advances the PE.
    /// @counterpart `cudaEventQuery`
    /// @throws StreamException if an operation before the record has failed, or a capture has recorded the event
    public boolean query() {
        engine.poll();
        OperationLane recorded;
        long position;
        synchronized (engine) {
            recorded = checked("query");
            position = end;
        }
        return recorded == null || isOver(recorded, position, "query");
    }

    private static boolean isOver(OperationLane recorded, long position, String operation) {
        if (recorded.completed() < position) {
            return false;
        }
        if (recorded instanceof StreamLane stream) {
            stream.checkFailure(operation + " of an event", position);
            stream.observe(position);
        }
        return true;
    }

    /// Waits until the work of the latest record is complete.
    /// @counterpart `cudaEventSynchronize`
    /// @throws StreamException as [#query]; or [StreamError#SELF_WAIT] in a host function
    public void synchronize() {
        OperationLane recorded;
        long position;
        synchronized (engine) {
            recorded = checked("synchronize");
            position = end;
        }
        if (recorded != null) {
            if (isPatient) {
                engine.awaitPatiently(recorded, position, "synchronize of an event");
            } else {
                engine.awaitCompletion(recorded, position, "synchronize of an event");
            }
            isOver(recorded, position, "synchronize");
        }
    }

    private @Nullable OperationLane checked(String operation) {
        if (lane instanceof GraphLane) {
            throw capturedError(operation);
        }
        return lane;
    }

    StreamException capturedError(String operation) {
        return error(
                StreamError.CAPTURED_EVENT,
                operation + ": a capture has recorded the event, which has no work outside the graph; record it in a"
                        + " stream that does not capture");
    }

    private StreamException error(StreamError kind, String text) {
        World world = engine.world();
        return new StreamException(kind, "event on PE " + world.pe() + ", " + text);
    }

    /// Returns the nanoseconds of the world's clock from the record of an earlier event to that of this one.
    /// @counterpart `cudaEventElapsedTime`
    /// @param start an event of the same runtime
    /// @throws StreamException with [StreamError#INVALID_EVENT] if one of them was never recorded or takes no
    ///     time stamps, with [StreamError#NOT_READY] if the work of one of them is not complete, or as [#query]
    public long elapsedNanosSince(StreamEvent start) {
        if (start == null) {
            throw new NullPointerException(
                    "elapsedNanosSince of an event on PE " + engine.world().pe() + ": start is null");
        }
        long from = start.stamp("elapsedNanosSince");
        return stamp("elapsedNanosSince") - from;
    }

    private long stamp(String operation) {
        synchronized (engine) {
            OperationLane recorded = checked(operation);
            if (recorded == null || !isTimed) {
                throw error(
                        StreamError.INVALID_EVENT,
                        operation + ": the event " + (isTimed ? "was never recorded" : "takes no time stamps"));
            }
            if (!isOver(recorded, end, operation) || stamped != records) {
                throw error(
                        StreamError.NOT_READY,
                        operation + ": the event's work is not complete; synchronize the event first");
            }
            return stamp;
        }
    }

    @Override
    public String toString() {
        return "event on PE " + engine.world().pe() + (records == 0 ? ", never recorded" : "");
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.stream.EventOption;
import coterie.stream.StreamEvent;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A point in a [CudaStream], which other streams and the host wait for.
///
/// A record captures the stream's work *at the call*; a wait, a query and a synchronize are for the latest record
/// before them. An event that was never recorded has no work. [Cuda#createEvent] makes events.
///
/// Threads: any platform thread; [#synchronize] follows the rules of [coterie.World#progress].
/// @counterpart `cudaEvent_t`
public final class CudaEvent implements AutoCloseable {
    private final Cuda cuda;
    private final DeviceContext context;
    private final long handle;
    private final StreamEvent laneEvent;
    private volatile boolean isOfLane;
    private volatile boolean isClosed;

    CudaEvent(Cuda cuda, boolean isTimed) {
        this.cuda = cuda;
        this.context = cuda.context();
        this.laneEvent = cuda.runtime().createEvent(EventOption.DISABLE_TIMING);
        int flags = (isTimed ? DriverConstant.CU_EVENT_DEFAULT : DriverConstant.CU_EVENT_DISABLE_TIMING).value();
        this.handle = context.created(
                "createEvent", result -> context.driver.call(DriverFunction.EVENT_CREATE, result, flags));
    }

    /// Returns the driver's handle.
    long handle() {
        return handle;
    }

    /// Returns what captures the operations of the host at a record.
    StreamEvent laneEvent() {
        return laneEvent;
    }

    /// Notes a record.
    void recorded(boolean isCaptured) {
        isOfLane = !isCaptured;
    }

    /// Returns whether the latest record has a part of the host.
    boolean isOfLane() {
        return isOfLane;
    }

    void checkOwn(String operation, Cuda asked) {
        check(operation);
        if (!asked.equals(cuda)) {
            throw new IllegalArgumentException(context.prefix(operation)
                    + "the event belongs to another Cuda; between PEs, put with a signal and wait for it");
        }
    }

    private void check(String operation) {
        if (isClosed) {
            throw new IllegalStateException(context.prefix(operation) + "the event is closed");
        }
        context.enter(operation);
    }

    /// Returns whether the work of the latest record is over; true if there is none.
    /// @counterpart `cudaEventQuery`
    /// @throws CudaException if the device has failed, or a capture has recorded the event
    public boolean query() {
        check("query of an event");
        return isOver();
    }

    private boolean isOver() {
        return context.isOver("query of an event", context.driver.call(DriverFunction.EVENT_QUERY, handle));
    }

    /// Waits until the work of the latest record is over.
    /// @counterpart `cudaEventSynchronize`
    /// @throws CudaException as [#query]
    /// @throws coterie.stream.StreamException if an operation of the host before the record has failed
    public void synchronize() {
        check("synchronize of an event");
        await();
    }

    /// Waits as [#synchronize] does, also after the close of the Cuda.
    void await() {
        context.world.progressUntil(this::isOver);
        if (isOfLane) {
            laneEvent.synchronize(); // throws if an operation of the lane before the record has failed
        }
    }

    /// Returns the milliseconds on the device from the record of an earlier event to that of this one, to about
    /// half a microsecond.
    /// @counterpart `cudaEventElapsedTime`
    /// @throws CudaException if one of them was never recorded, takes no time stamps, or is not over
    public double elapsedMillisSince(CudaEvent start) {
        context.checked(start, "elapsedMillisSince", "start").checkOwn("elapsedMillisSince", cuda);
        check("elapsedMillisSince");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment millis = arena.allocate(JAVA_FLOAT);
            context.check(
                    "elapsedMillisSince",
                    context.driver.call(DriverFunction.EVENT_ELAPSED_TIME, millis.address(), start.handle, handle));
            return millis.get(JAVA_FLOAT, 0);
        }
    }

    /// Ends the event, once its work is over; this call does not wait. A second close does nothing.
    /// @counterpart `cudaEventDestroy`
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            if (context.canRelease()) {
                context.check("close of an event", context.driver.call(DriverFunction.EVENT_DESTROY, handle));
            }
        }
    }

    @Override
    public String toString() {
        return "CUDA event" + (isClosed ? ", closed" : "");
    }
}

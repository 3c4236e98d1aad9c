// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.SignalUpdate;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.stream.CaptureMode;
import coterie.stream.Extent;
import coterie.stream.LaneOperations;
import coterie.stream.ValueCondition;
import java.lang.foreign.MemorySegment;

/// A stream of the driver: kernels, copies and operations of Coterie that run one after the other, in the order in
/// which the program has enqueued them.
///
/// The device does kernels, copies, words and events. The host does the operations of Coterie: beside each
/// stream of the driver there is a *lane*, a [coterie.stream.WorkStream], and at an operation of the host the
/// two take turns by words that both see, which costs the device two commands and a round trip. So semantics,
/// progress and diagnosis of these operations are those of the lane: they run while a thread of this PE waits in the
/// world or calls [coterie.World#progress], or in the thread of `coterie.progress.thread`.
///
/// **Arguments.** What an argument refers to must stay as it is until the operation is over. Numbers of PEs in
/// operations on [DeviceAddresses] are those of its team.
///
/// **Errors.** If an operation of the host fails, the stream has failed: it skips later operations of the host,
/// the device waits for none of them, and each call throws a [coterie.stream.StreamException] with the first
/// cause. What kernels after it have read has no meaning then. An error of the device throws a [CudaException]
/// from some later call.
///
/// **Threads.** Any platform thread may enqueue. [#synchronize] follows the rules of [coterie.World#progress]. A
/// call may wait for room if more than 512 commands stand behind an operation of the host.
/// @counterpart `cudaStream_t`, NVSHMEM's `…_on_stream` routines
public final class CudaStream extends LaneOperations implements AutoCloseable {
    final StreamCore core;
    private final Cuda cuda;
    private final KernelArguments arguments = new KernelArguments();

    CudaStream(Cuda cuda, String name, int priority) {
        StreamCore made = new StreamCore(cuda, name, priority);
        super(made.lane);
        this.core = made;
        this.cuda = cuda;
    }

    @Override
    protected void begin(String operation) {
        core.begin(operation);
    }

    @Override
    protected void end(String operation) {
        core.end(operation);
    }

    /// Returns the name.
    public String name() {
        return core.name;
    }

    /// Returns the driver's handle, for other libraries of this process.
    /// @counterpart `CUstream`
    public long handle() {
        return core.handle;
    }

    /// Returns the driver's status of the stream's work: whether it is over.
    /// @counterpart `cudaStreamQuery`
    /// @throws coterie.stream.StreamException if an operation of the host has failed
    /// @throws CudaException if the device has failed
    public boolean query() {
        return core.query();
    }

    /// Waits until the work that the stream has now is over. Operations of this PE go on meanwhile.
    /// @counterpart `cudaStreamSynchronize`
    /// @throws coterie.stream.StreamException if an operation of the host has failed
    /// @throws CudaException if the device has failed, or the stream captures
    public void synchronize() {
        core.synchronize();
    }

    /// Ends the handle. What is pending still runs; this call does not wait for it. A second close does nothing.
    /// @counterpart `cudaStreamDestroy`
    @Override
    public void close() {
        if (!core.isClosed()) {
            core.close();
            cuda.streams().closed(this);
        }
    }

    /// Copies from this PE's own part of some memory to a member's part of the same or another one.
    /// @counterpart `nvshmemx_putmem_on_stream`
    /// @param byteOffset from the begin of the member's part
    /// @param sourceByte from the begin of the source's part
    /// @param bytes `0 ≤ bytes`
    /// @param pe a member of the memory's team
    /// @throws IllegalArgumentException if the member's part is not mapped; the message has the reason
    public void put(
            DeviceAddresses memory, long byteOffset, DeviceAddresses source, long sourceByte, long bytes, int pe) {
        put("put", memory, byteOffset, source, sourceByte, bytes, pe);
    }

    private void put(
            String operation,
            DeviceAddresses memory,
            long byteOffset,
            DeviceAddresses source,
            long sourceByte,
            long bytes,
            int pe) {
        long from = own(operation, core.context.checked(source, operation, "source"), sourceByte, bytes);
        long to = address(operation, core.context.checked(memory, operation, "memory"), byteOffset, bytes, pe);
        copy(operation, DriverFunction.MEMCPY, to, from, bytes);
    }

    /// Copies from a member's part of some memory to this PE's own part of the same or another one.
    /// @counterpart `nvshmemx_getmem_on_stream`
    /// @param byteOffset from the begin of the member's part
    /// @param pe a member of the memory's team
    /// @throws IllegalArgumentException if the member's part is not mapped; the message has the reason
    public void get(
            DeviceAddresses memory, long byteOffset, DeviceAddresses target, long targetByte, long bytes, int pe) {
        long from = address("get", core.context.checked(memory, "get", "memory"), byteOffset, bytes, pe);
        long to = own("get", core.context.checked(target, "get", "target"), targetByte, bytes);
        copy("get", DriverFunction.MEMCPY, to, from, bytes);
    }

    /// Copies from memory of the host to a member's part.
    ///
    /// The copy is asynchronous if the source is registered ([Cuda#register]). Otherwise this call first waits, as
    /// [#synchronize] does, for the work that the stream has: the driver may finish the copy before it returns,
    /// and while this thread is in the driver no operation of the host makes progress.
    /// @counterpart `cudaMemcpyAsync`
    /// @param source all of its bytes; native memory, unchanged until the copy is over
    /// @throws IllegalArgumentException if the source is an array, or the part is not mapped
    public void put(DeviceAddresses memory, long byteOffset, MemorySegment source, int pe) {
        long from = hostAddress("put", core.context.checked(source, "put", "source"));
        long to = address("put", core.context.checked(memory, "put", "memory"), byteOffset, source.byteSize(), pe);
        copyOfHost("put", DriverFunction.MEMCPY_TO_DEVICE, to, from, source);
    }

    /// Copies from a member's part to memory of the host, which has the bytes when the stream's work is over. For
    /// a target that is not registered, this call waits as [#put(DeviceAddresses, long, MemorySegment, int)] does,
    /// and for the copy, too.
    /// @counterpart `cudaMemcpyAsync`
    /// @param target the copy fills all of its bytes; native memory
    /// @throws IllegalArgumentException if the target is an array, or the part is not mapped
    public void get(DeviceAddresses memory, long byteOffset, MemorySegment target, int pe) {
        long to = hostAddress("get", core.context.checked(target, "get", "target"));
        long from = address("get", core.context.checked(memory, "get", "memory"), byteOffset, target.byteSize(), pe);
        copyOfHost("get", DriverFunction.MEMCPY_TO_HOST, to, from, target);
    }

    /// Puts as [#put(DeviceAddresses, long, DeviceAddresses, long, long, int)] does, and then updates a signal of
    /// the same PE.
    /// @counterpart `nvshmemx_putmem_signal_on_stream`
    /// @param update of a word of symmetric memory; its context's team has the PE, too
    public void putSignal(
            DeviceAddresses memory,
            long byteOffset,
            DeviceAddresses source,
            long sourceByte,
            long bytes,
            SignalUpdate update,
            int pe) {
        core.context.checked(memory, "putSignal", "memory");
        core.context.checked(source, "putSignal", "source");
        core.context.checked(update, "putSignal", "update");
        core.context.own(memory, "putSignal");
        int signalled = MappedParts.translate(core.context, "putSignal", memory.team(), pe, update);
        put("putSignal", memory, byteOffset, source, sourceByte, bytes, pe);
        signal(update, signalled);
    }

    /// Fills bytes of this PE's own part with one value.
    /// @counterpart `cudaMemsetAsync`
    public void fill(DeviceAddresses memory, long byteOffset, long bytes, byte value) {
        long to = own("fill", core.context.checked(memory, "fill", "memory"), byteOffset, bytes);
        core.enqueue("fill", DriverFunction.MEMSET, to, value & 0xff, bytes, core.handle);
    }

    void copy(String operation, DriverFunction kind, long target, long source, long bytes) {
        core.lock(operation);
        try {
            if (bytes > 0) {
                core.enqueued(operation, core.context.driver.call(kind, target, source, bytes, core.handle));
            }
        } finally {
            core.unlock();
        }
    }

    private void copyOfHost(String operation, DriverFunction kind, long to, long from, MemorySegment host) {
        long bytes = host.byteSize();
        if (bytes == 0 || core.context.driver.registrations().contains(host.address(), bytes)) {
            copy(operation, kind, to, from, bytes);
            return;
        }
        core.lockIdle(operation);
        try {
            core.enqueued(operation, core.context.driver.call(kind, to, from, bytes, core.handle));
        } finally {
            core.unlock();
        }
    }

    private long own(String operation, DeviceAddresses memory, long byteOffset, long bytes) {
        core.context.own(memory, operation);
        return address(operation, memory, byteOffset, bytes, memory.team().member());
    }

    private long address(String operation, DeviceAddresses memory, long byteOffset, long bytes, int pe) {
        return MappedParts.address(core.context, operation, memory, byteOffset, bytes, pe);
    }

    private long hostAddress(String operation, MemorySegment segment) {
        if (!segment.isNative()) {
            throw new IllegalArgumentException(core.prefix(operation) + "the segment is an array, which the garbage"
                    + " collector moves; allocate it in an Arena, or let DeviceMemory copy it");
        }
        return segment.address();
    }

    /// Stores a 64-bit word of a member's part, after all that the stream has done before.
    /// @counterpart `cuStreamWriteValue64`
    /// @param byteOffset a multiple of 8
    public void writeValue(DeviceAddresses memory, long byteOffset, long value, int pe) {
        word("writeValue", DriverFunction.STREAM_WRITE_VALUE, memory, byteOffset, value, pe, 0);
    }

    /// Lets the later work of the stream wait until a condition holds for a 64-bit word of this PE's own part. No
    /// diagnosis sees it, and the failure of a PE does not end it; [#waitUntil] has both.
    /// @counterpart `cuStreamWaitValue64`
    /// @param byteOffset a multiple of 8
    /// @param condition [ValueCondition#GEQ] compares the signed difference of word and operand, as the driver
    ///     does it, and not unsigned numbers as [coterie.stream.WorkStream#waitValue] does
    public void waitValue(DeviceAddresses memory, long byteOffset, ValueCondition condition, long value) {
        int flags = switch (core.context.checked(condition, "waitValue", "condition")) {
            case GEQ -> DriverConstant.CU_STREAM_WAIT_VALUE_GEQ.value();
            case EQ -> DriverConstant.CU_STREAM_WAIT_VALUE_EQ.value();
            case AND -> DriverConstant.CU_STREAM_WAIT_VALUE_AND.value();
            case NOR -> DriverConstant.CU_STREAM_WAIT_VALUE_NOR.value();
        };
        int me = core.context.checked(memory, "waitValue", "memory").team().member();
        word("waitValue", DriverFunction.STREAM_WAIT_VALUE, memory, byteOffset, value, me, flags);
    }

    private void word(
            String operation,
            DriverFunction function,
            DeviceAddresses memory,
            long byteOffset,
            long value,
            int pe,
            int flags) {
        core.context.checked(memory, operation, "memory");
        long at = address(operation, memory, byteOffset, Long.BYTES, pe);
        if (at % Long.BYTES != 0) {
            throw new IllegalArgumentException(
                    core.prefix(operation) + "offset " + byteOffset + " is no multiple of 8 bytes");
        }
        core.enqueue(operation, function, core.handle, at, value, flags);
    }

    /// Launches a kernel.
    /// @counterpart `kernel<<<grid, block, sharedBytes, stream>>>`, `cudaLaunchKernel`
    /// @param sharedBytes bytes of dynamic shared memory of each block
    /// @param arguments in the order of the kernel's parameters: numbers, booleans and characters of the
    ///     parameter's size, pointers as `Long`, [DeviceAddresses] for the pointer to this PE's own part, and
    ///     segments for structures, whose bytes travel by value
    /// @throws IllegalArgumentException if number or sizes of the arguments are not those of the parameters, as
    ///     far as the driver tells them; or if grid or block is empty, or the block too large
    public void launch(CudaKernel kernel, Extent grid, Extent block, int sharedBytes, Object... arguments) {
        launch("launch", kernel, grid, block, sharedBytes, false, arguments);
    }

    /// Launches a kernel whose blocks may wait for each other: all of them run at the same time, or none does.
    /// @counterpart `cudaLaunchCooperativeKernel`
    /// @throws CudaException with `CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE` if the device has no room for all
    ///     blocks; the message has the number that fits. The stream goes on
    public void launchCooperative(CudaKernel kernel, Extent grid, Extent block, int sharedBytes, Object... arguments) {
        launch("launchCooperative", kernel, grid, block, sharedBytes, true, arguments);
    }

    private void launch(
            String operation,
            CudaKernel kernel,
            Extent grid,
            Extent block,
            int sharedBytes,
            boolean isCooperative,
            Object... values) {
        core.context.checked(kernel, operation, "kernel").checkOwn(operation, core.context);
        kernel.checkLaunch(operation, grid, block, sharedBytes);
        for (Object each : core.context.checked(values, operation, "arguments")) {
            core.context.checked(each, operation, "an element of arguments");
        }
        core.lock(operation);
        try {
            if (isCooperative) {
                kernel.checkCooperative(operation, grid, block, sharedBytes);
            }
            long parameters = arguments.set(operation, kernel, values);
            core.enqueued(operation, kernel.launch(grid, block, sharedBytes, core.handle, parameters, isCooperative));
        } finally {
            core.unlock();
        }
    }

    /// Records an event: it captures what the stream has so far, of the device and of the host.
    /// @counterpart `cudaEventRecord`
    public void record(CudaEvent event) {
        core.context.checked(event, "record", "event").checkOwn("record", cuda);
        core.lock("record");
        try {
            boolean isCaptured = core.isCapturing();
            core.enqueued("record", core.context.driver.call(DriverFunction.EVENT_RECORD, event.handle(), core.handle));
            event.recorded(isCaptured);
            if (!isCaptured) {
                core.lane.record(event.laneEvent());
            }
        } finally {
            core.unlock();
        }
    }

    /// Lets the operations that follow start after what an event has captured; does nothing if the event was never
    /// recorded, so record first. If an operation of the host before the record has failed, this stream fails with
    /// the same cause.
    /// @counterpart `cudaStreamWaitEvent`
    /// @param event of this Cuda
    public void waitEvent(CudaEvent event) {
        core.context.checked(event, "waitEvent", "event").checkOwn("waitEvent", cuda);
        core.lock("waitEvent");
        try {
            core.enqueued(
                    "waitEvent",
                    core.context.driver.call(DriverFunction.STREAM_WAIT_EVENT, core.handle, event.handle(), 0));
            if (event.isOfLane() && !core.isCapturing()) {
                core.lane.waitEvent(event.laneEvent());
            }
        } finally {
            core.unlock();
        }
    }

    /// Begins a capture: kernels, copies, words and events that the program enqueues from now on do not run, but
    /// become part of a graph.
    ///
    /// Operations of the host are refused meanwhile, with `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`; so are those
    /// that the driver can't capture. Other streams join by events of this one.
    /// @counterpart `cudaStreamBeginCapture`
    /// @param mode which calls of which threads the driver refuses meanwhile; with [CaptureMode#GLOBAL] also
    ///     waits of other threads for device memory, and those of all other PEs that are threads of this process,
    ///     which also end the capture: use [CaptureMode#THREAD_LOCAL] there
    public void beginCapture(CaptureMode mode) {
        core.beginCapture(
                switch (core.context.checked(mode, "beginCapture", "mode")) {
                    case GLOBAL -> DriverConstant.CU_STREAM_CAPTURE_MODE_GLOBAL.value();
                    case THREAD_LOCAL -> DriverConstant.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL.value();
                    case RELAXED -> DriverConstant.CU_STREAM_CAPTURE_MODE_RELAXED.value();
                });
    }

    /// Ends the capture and returns its graph.
    /// @counterpart `cudaStreamEndCapture`, `cudaGraphInstantiate`
    /// @throws CudaException if the capture is lost, or streams that have joined it were not joined again
    public CudaGraph endCapture() {
        return new CudaGraph(core.context, core.endCapture());
    }

    /// Launches a graph.
    /// @counterpart `cudaGraphLaunch`
    public void launch(CudaGraph graph) {
        long handle = core.context.checked(graph, "launch", "graph").handle("launch", core.context);
        core.lock("launch");
        try {
            core.enqueued("launch", core.context.driver.call(DriverFunction.GRAPH_LAUNCH, handle, core.handle));
        } finally {
            core.unlock();
        }
    }

    boolean isOver() {
        return core.isOver();
    }

    void awaitOver() {
        core.awaitOver();
    }

    void release(Cuda owner) {
        core.release(owner);
    }

    @Override
    public String toString() {
        return "CUDA stream \"" + name() + "\"";
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.ElementView;
import coterie.Team;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// A stream: operations that run one after the other, in the order in which the program has enqueued them.
///
/// Every enqueue returns at once, from any thread, at any [coterie.ThreadLevel]. Operations of different streams
/// run at the same time and have no order, unless an event, the legacy default stream or [TeamOrder#SERIALIZED]
/// makes one. [StreamRuntime] has the rules of progress.
///
/// **Arguments.** A scalar is copied at the call. What an argument refers to, a segment, an array of operands,
/// must stay as it is until the operation is complete, in the `…Nbi` forms until the stream's next [#quiet] or
/// barrier. Views and signals give memory, type and the numbers of PEs; their operations go through a context of
/// the stream. A call checks that arguments are not null; the rest is checked when the operation runs, as the
/// core's method of the same name does it.
///
/// **Errors.** If an operation throws, the stream has *failed*: it skips its later operations, and every call
/// throws a [StreamException] with the first cause, but for [#close]. Other streams go on, unless they wait for
/// an event after the failed operation. If a PE fails, the operations that depend on it fail with a
/// [coterie.PeFailedException]: a wait for a word, on any failure; transfers and collectives as in core.
///
/// **Memory.** Once a stream has grown to its longest queue, its operations allocate nothing. Keep views,
/// signals, updates and collectives, and pass the same objects again.
/// @counterpart `cudaStream_t`, NVSHMEM's `…_on_stream` routines
public final class WorkStream extends OperationVerbs implements AutoCloseable {
    final StreamEngine engine;
    final StreamLane lane;

    /// The caller holds the lock.
    WorkStream(StreamEngine engine, StreamLane lane) {
        this.engine = engine;
        this.lane = lane;
    }

    @Override
    StreamLane lane() {
        return lane;
    }

    @Override
    Object lock() {
        return engine;
    }

    @Override
    StreamOperation begin(OperationType type) {
        return lane.begin(type);
    }

    @Override
    void issue(StreamOperation operation) {
        lane.issue(operation);
    }

    /// Returns the name, with which messages begin the numbers of operations.
    public String name() {
        return lane.name;
    }

    /// Returns the priority, see [StreamRuntime#createStream(String, int, StreamOption...)].
    /// @counterpart `cudaStreamGetPriority`, `cudaDeviceGetStreamPriorityRange`; the range is two constants of
    ///     `coterie.stream.StreamRuntime`
    public int priority() {
        return lane.priority;
    }

    /// Returns the number of operations that are not complete.
    public long pending() {
        return lane.position() - lane.completed();
    }

    /// Returns whether all operations are complete. Advances the PE.
    /// @counterpart `cudaStreamQuery`
    /// @throws StreamException if an operation has failed, or the stream captures
    public boolean query() {
        engine.poll();
        lane.checkUsable("query");
        lane.checkNotCaptured("query");
        long end = lane.position();
        if (lane.completed() < end) {
            return false;
        }
        lane.checkUsable("query");
        lane.observe(end);
        return true;
    }

    /// Waits until all operations that the stream has now are over.
    /// @counterpart `cudaStreamSynchronize`
    /// @throws StreamException if an operation has failed, the stream captures, or the caller is a host function
    public void synchronize() {
        if (lane.isClosed()) {
            lane.checkUsable("synchronize");
        }
        lane.checkNotCaptured("synchronize");
        long end = lane.position();
        engine.awaitCompletion(lane, end, "synchronize");
        lane.checkFailure("synchronize", Long.MAX_VALUE);
        lane.observe(end);
    }

    /// Ends the handle. What is pending still runs; this call does not wait for it. A second close does nothing.
    /// @counterpart `cudaStreamDestroy`
    @Override
    public void close() {
        synchronized (engine) {
            lane.close();
        }
    }

    /// Sets what gets the first cause when an operation of the stream fails, or has failed already; at first
    /// nothing does. The thread that runs the streams calls it, before the stream skips the operations that
    /// follow; it may get the cause twice. For a face that lets another machine wait for the stream.
    ///
    /// @param consumer must neither wait nor throw
    public void onFailure(Consumer<? super Throwable> consumer) {
        lane.onFailure(checked(consumer, "onFailure", "consumer"));
    }

    /// Gets one element. Makes an object for each call; [#get] makes none.
    /// @counterpart `nvshmemx_TYPE_g_on_stream`
    /// @throws StreamException with [StreamError#PROHIBITED] in a capture, whose launches would share one value
    public StreamValue get(ElementView view, long index, int pe) {
        checked(view, "get", "view");
        synchronized (engine) {
            lane.checkNotCaptured("get of a value");
            StreamOperation operation = lane.begin(OperationType.GET_WORD);
            StreamValue value = new StreamValue(lane, view.type());
            operation.view = view;
            operation.index = index;
            operation.segment = value.element();
            operation.count = 1;
            operation.pe = pe;
            operation.object = value;
            lane.append(operation);
            return value;
        }
    }

    /// Runs code of the program. It must not wait, in this world or elsewhere: it runs in a thread that is
    /// waiting, and all streams of the PE wait for it. It may enqueue, also to this stream.
    /// @counterpart `cudaLaunchHostFunc`
    public void execute(Runnable function) {
        enqueue(OperationType.HOST, checked(function, "execute", "function"));
    }

    /// Calls code of the program again and again until it returns true: an operation that the program writes
    /// itself, as a state machine. Other streams go on between two calls. It must not wait.
    /// @counterpart `cudaLaunchHostFunc` of a function that is polled
    public void executeUntil(BooleanSupplier function) {
        enqueue(OperationType.POLL, checked(function, "executeUntil", "function"));
    }

    /// Records an event: it captures what the stream has so far.
    /// @counterpart `cudaEventRecord`
    public void record(StreamEvent event) {
        if (!checked(event, "record", "event").engine().equals(engine)) {
            throw new IllegalArgumentException(lane.prefix("record") + "the event belongs to"
                    + " another runtime; create it in the runtime of the stream");
        }
        synchronized (engine) {
            GraphLane captured = lane.captured();
            if (captured != null) {
                event.capture(captured, captured.position());
                return;
            }
            StreamOperation operation = lane.begin(OperationType.RECORD);
            operation.object = event;
            operation.value = event.capture(lane, lane.position() + 1);
            lane.append(operation);
        }
    }

    /// Lets the operations that follow start after what an event has captured; does nothing if it was never
    /// recorded, and warns, see [StreamRuntime#onWarning]. Fails if an operation before the record has failed. In
    /// a capture this stream joins it, see [StreamGraph].
    /// @counterpart `cudaStreamWaitEvent`
    /// @param event of any runtime of this PE. The wait for one of another runtime orders the operations, and no
    ///     collectives: each runtime checks those of its own streams
    /// @throws IllegalArgumentException if the event belongs to another PE
    public void waitEvent(StreamEvent event) {
        StreamEngine other = checked(event, "waitEvent", "event").engine();
        if (!other.equals(engine)) {
            waitForeign(event, other);
            return;
        }
        synchronized (engine) {
            lane.checkUsable("waitEvent");
            OperationLane recorded = event.lane();
            if (recorded == null) {
                warnOfNoRecord();
                return;
            }
            lane.waitFor(event, recorded);
        }
    }

    private void waitForeign(StreamEvent event, StreamEngine other) {
        if (!other.world().team().equals(engine.world().team())) {
            throw new IllegalArgumentException("waitEvent on stream \"" + lane.name + "\", PE "
                    + engine.world().pe() + ": the event belongs to PE "
                    + other.world().pe() + "; an event orders streams of one PE, put with a signal instead");
        }
        OperationLane recorded;
        long end;
        synchronized (other) { // before the lock of this runtime, and not with it
            recorded = event.lane();
            end = event.end();
        }
        synchronized (engine) {
            lane.checkUsable("waitEvent");
            switch (recorded) {
                case null -> warnOfNoRecord();
                case GraphLane _ -> throw event.capturedError("waitEvent");
                case StreamLane stream -> lane.waitForForeign(stream, end);
                case OperationLane lanes -> throw new AssertionError(lanes);
            }
        }
    }

    private void warnOfNoRecord() {
        engine.warn("EVENT_NEVER_RECORDED: stream \"" + lane.name + "\" on PE "
                + engine.world().pe() + " waits at " + RequestCache.callSite()
                + " for an event without a record, which orders nothing; record it before the wait");
    }

    /// Launches a kernel: as many threads as `grid` has blocks of `block` threads run it, on threads of the JVM
    /// that stand for the device. A block starts when the device has room for it, see [DeviceLimits]; so a kernel
    /// in which blocks wait for each other or for other PEs may never end if it has more blocks than the device
    /// has room for. The launch is one operation of the stream, and is over when all threads have returned. If a
    /// thread throws, the stream fails.
    /// @counterpart `kernel<<<grid, block, 0, stream>>>`
    /// @throws StreamException with [StreamError#INVALID_LAUNCH] if the grid or the block is empty, with
    ///     [StreamError#LAUNCH_TOO_LARGE] if a block has more threads than the device allows, or
    ///     [#execute]'s if an operation has failed
    public void launch(Extent grid, Extent block, Kernel kernel) {
        checked(kernel, "launch", "kernel");
        checked(grid, "launch", "grid");
        checked(block, "launch", "block");
        String operation = "launch on stream \"" + lane.name + "\"";
        lane.launch(run(new LaunchCheck(engine, operation, grid, block).grid(), block, kernel));
    }

    /// Launches a kernel whose blocks may wait for each other and for those of the other members: each member's
    /// grid fits its device, or no member launches.
    ///
    /// **Collective** over the team, agreeing: the members exchange what fits, and this call waits for them. The
    /// kernel itself starts when the stream comes to it. Members may pass different grids, blocks and kernels.
    ///
    /// Whatever keeps one member from a launch keeps all from it: the members exchange that, too. Two mistakes
    /// can't be exchanged, and leave the other members waiting: a team that is null, and a call in a host
    /// function.
    /// @counterpart `nvshmemx_collective_launch`
    /// @param grid with all dimensions 0 for as many blocks as [StreamRuntime#collectiveLaunchBlocks] says
    /// @throws StreamException on all members, with [StreamError#LAUNCH_TOO_LARGE] or
    ///     [StreamError#INVALID_LAUNCH], if one of them can't launch: the message names it, and what it has asked
    ///     for. With [StreamError#LAUNCH_REFUSED] if the stream of another member is closed, has failed or
    ///     captures, or it has passed null; that member gets [#launch]'s exceptions
    /// @throws NullPointerException if the caller has passed null
    public void collectiveLaunch(Team team, Extent grid, Extent block, Kernel kernel) {
        String operation = "collectiveLaunch on stream \"" + lane.name + "\"";
        LaunchCheck check = new LaunchCheck(lane, operation, grid, block, kernel);
        check.exchange(checked(team, "collectiveLaunch", "team"), lane);
        lane.launchAgreed(run(check.grid(), block, kernel));
    }

    private KernelRun run(Extent grid, Extent block, Kernel kernel) {
        synchronized (engine) {
            return new KernelRun(engine.device(), engine.device().number(), grid, block, kernel);
        }
    }

    /// Begins a capture: what the program enqueues from now on does not run, but becomes part of a graph.
    ///
    /// While the stream captures, a wait for it, a query, a close and a get of a value are
    /// [StreamError#PROHIBITED], as is the legacy default stream while a blocking stream captures.
    ///
    /// Kernels become part of the graph by [#launch(Extent, Extent, Kernel)]; a collective launch is no operation
    /// alone, and does not. Allocations, frees and [StreamRuntime#copy] are prohibited to all threads. Other
    /// collectives that the program calls without a stream run at once, outside the graph, of which
    /// [StreamRuntime#onWarning] tells.
    /// @counterpart `cudaStreamBeginCapture`
    /// @throws StreamException with [StreamError#PROHIBITED] on the legacy default stream, or in a capture
    public void beginCapture() {
        beginCapture(CaptureMode.GLOBAL);
    }

    /// Begins a capture that prohibits less than [#beginCapture()] does.
    ///
    /// @throws StreamException as [#beginCapture()]
    public void beginCapture(CaptureMode mode) {
        checked(mode, "beginCapture", "mode");
        synchronized (engine) {
            lane.checkUsable("beginCapture");
            lane.checkNotCaptured("beginCapture");
            if (lane.kind() == StreamLane.Kind.LEGACY) {
                throw lane.prohibited("beginCapture", "the legacy default stream can't capture; create a stream");
            }
            StreamGraph graph = new StreamGraph(engine, mode);
            graph.join(lane);
            engine.captures().add(graph);
        }
    }

    /// Ends the capture and returns the graph.
    /// @counterpart `cudaStreamEndCapture`, `cudaGraphInstantiate`
    /// @throws StreamException with [StreamError#PROHIBITED] if the capture has not begun in this stream, with
    ///     [StreamError#WRONG_THREAD] if another thread has begun it and not with [CaptureMode#RELAXED], or with
    ///     [StreamError#UNJOINED] if a stream has joined the capture whose operations are not all before the end;
    ///     the capture is lost then
    public StreamGraph endCapture() {
        synchronized (engine) {
            GraphLane captured = lane.captured();
            if (captured == null || !captured.graph().hasBegunIn(lane)) {
                throw lane.prohibited("endCapture", "no capture has begun in this stream");
            }
            captured.graph().end(lane);
            return captured.graph();
        }
    }

    /// Launches a graph, as one operation of this stream.
    /// @counterpart `cudaGraphLaunch`
    /// @throws StreamException with [StreamError#TEAM_CONCURRENT] as [#collective], for each team of the graph;
    ///     with [StreamError#PROHIBITED] in a capture
    /// @throws IllegalArgumentException if the graph belongs to another runtime
    public void launch(StreamGraph graph) {
        synchronized (engine) {
            lane.checkNotCaptured("launch of a graph");
            checked(graph, "launch", "graph").checkOwn(engine, lane.name);
            StreamOperation operation = lane.begin(OperationType.GRAPH);
            operation.object = graph;
            graph.launch(lane, operation);
            lane.append(operation);
        }
    }

    @Override
    public String toString() {
        return "stream \"" + name() + "\"";
    }
}

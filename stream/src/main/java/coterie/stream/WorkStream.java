// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Comparison;
import coterie.ElementView;
import coterie.IntegerView;
import coterie.SignalWord;
import coterie.Team;
import coterie.collective.Collective;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A stream: operations that run one after the other, in the order in which the program has enqueued them.
/// Answers to `cudaStream_t`; its one-sided operations, waits and collectives to NVSHMEM's `…_on_stream`
/// routines.
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
public final class WorkStream extends OneSidedOperations implements AutoCloseable {
    private static final Collective BARRIER = Collective.barrier();

    /// The caller holds the lock.
    WorkStream(StreamEngine engine, StreamLane lane) {
        super(engine, lane);
    }

    /// Returns the name, with which messages begin the numbers of operations.
    public String name() {
        return lane.name;
    }

    /// Returns the priority, see [StreamRuntime#createStream(String, int, StreamOption...)]. Answers to
    /// `cudaStreamGetPriority`.
    public int priority() {
        return lane.priority;
    }

    /// Returns the number of operations that are not complete.
    public long pending() {
        return lane.position() - lane.completed();
    }

    /// Returns whether all operations are complete. Advances the PE. Answers to `cudaStreamQuery`.
    ///
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

    /// Waits until all operations that the stream has now are over. Answers to `cudaStreamSynchronize`.
    ///
    /// @throws StreamException if an operation has failed, the stream captures, or the caller is a host function
    public void synchronise() {
        if (lane.isClosed()) {
            lane.checkUsable("synchronise");
        }
        lane.checkNotCaptured("synchronise");
        long end = lane.position();
        engine.awaitCompletion(lane, end, "synchronise");
        lane.checkFailure("synchronise", Long.MAX_VALUE);
        lane.observe(end);
    }

    /// Ends the handle. What is pending still runs; this call does not wait for it. A second close does nothing.
    /// Answers to `cudaStreamDestroy`.
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

    /// Runs code of the program. It must not wait, in this world or elsewhere: it runs in a thread that is
    /// waiting, and all streams of the PE wait for it. It may enqueue, also to this stream. Answers to
    /// `cudaLaunchHostFunc`.
    public void execute(Runnable function) {
        enqueue(OperationType.HOST, checked(function, "execute", "function"));
    }

    /// Calls code of the program again and again until it returns true: an operation that the program writes
    /// itself, as a state machine. Other streams go on between two calls. It must not wait.
    public void executeUntil(BooleanSupplier function) {
        enqueue(OperationType.POLL, checked(function, "executeUntil", "function"));
    }

    /// Records an event: it captures what the stream has so far. Answers to `cudaEventRecord`.
    public void record(StreamEvent event) {
        if (!checked(event, "record", "event").engine().equals(engine)) {
            throw new IllegalArgumentException(prefix("record") + "the event belongs to"
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
    /// a capture this stream joins it, see [StreamGraph]. Answers to `cudaStreamWaitEvent`.
    ///
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

    private void await(
            OperationType type,
            @Nullable ElementView view,
            long index,
            long count,
            @Nullable Comparison comparison,
            long operand,
            @Nullable Object object) {
        synchronized (engine) {
            StreamOperation operation = lane.begin(type);
            operation.view = view;
            operation.index = index;
            operation.count = count;
            operation.comparison = comparison;
            operation.value = operand;
            operation.object = object;
            lane.append(operation);
        }
    }

    /// Waits until the comparison of an element of the caller's own with `operand` holds, signed or unsigned as
    /// the view is. Answers to `nvshmemx_TYPE_wait_until_on_stream`.
    public void waitUntil(IntegerView view, long index, Comparison comparison, long operand) {
        Comparison given = checked(comparison, "waitUntil", "comparison");
        await(OperationType.WAIT_UNTIL, checked(view, "waitUntil", "view"), index, 1, given, operand, null);
    }

    /// Waits until the comparison of this PE's own word with `operand` holds; the numbers are unsigned. Answers
    /// to `nvshmemx_signal_wait_until_on_stream`.
    public void waitUntil(SignalWord signal, Comparison comparison, long operand) {
        Comparison given = checked(comparison, "waitUntil", "comparison");
        await(OperationType.SIGNAL_WAIT, null, 0, 1, given, operand, checked(signal, "waitUntil", "signal"));
    }

    /// Waits until the comparison has held for each of `count` elements of the caller's own, each at some moment.
    /// Answers to `nvshmemx_TYPE_wait_until_all_on_stream`.
    public void waitUntilAll(IntegerView view, long index, int count, Comparison comparison, long operand) {
        Comparison given = checked(comparison, "waitUntilAll", "comparison");
        IntegerView words = checked(view, "waitUntilAll", "view");
        checkCount("waitUntilAll", count);
        await(OperationType.WAIT_UNTIL_ALL, words, index, count, given, operand, null);
    }

    private void checkCount(String operation, int count) {
        if (count < 0) {
            throw new IllegalArgumentException(operation + " on stream \"" + lane.name + "\", PE "
                    + engine.world().pe() + ": count " + count + " is outside [0, " + Integer.MAX_VALUE + "]");
        }
    }

    /// Waits with an operand for each of `operands.length` elements, from `index` on. Answers to
    /// `nvshmemx_TYPE_wait_until_all_vector_on_stream`.
    public void waitUntilAll(IntegerView view, long index, Comparison comparison, long[] operands) {
        Comparison given = checked(comparison, "waitUntilAll", "comparison");
        IntegerView words = checked(view, "waitUntilAll", "view");
        long[] all = checked(operands, "waitUntilAll", "operands");
        await(OperationType.WAIT_UNTIL_ALL, words, index, all.length, given, 0, all);
    }

    /// Waits for each of `count` elements that is not marked; all of them marked, or `count` 0, is no wait.
    ///
    /// @param skipped element `i` of the wait takes no part if bit `i` is set. Answers to the `status` argument of
    ///     `nvshmemx_TYPE_wait_until_all_on_stream`
    public void waitUntilAll(
            IntegerView view, long index, int count, Comparison comparison, long operand, BitSet skipped) {
        checkCount("waitUntilAll", count);
        await(view, index, count, comparison, operand, null, checked(skipped, "waitUntilAll", "skipped"));
    }

    /// Waits with an operand for each of `operands.length` elements that is not marked; an operand of a marked one
    /// counts for nothing.
    ///
    /// @param skipped element `i` of the wait takes no part if bit `i` is set
    public void waitUntilAll(IntegerView view, long index, Comparison comparison, long[] operands, BitSet skipped) {
        int count = checked(operands, "waitUntilAll", "operands").length;
        await(view, index, count, comparison, 0, operands, checked(skipped, "waitUntilAll", "skipped"));
    }

    void await(
            IntegerView view,
            long index,
            int count,
            Comparison comparison,
            long operand,
            long @Nullable [] operands,
            BitSet skipped) {
        checked(view, "waitUntilAll", "view");
        checked(comparison, "waitUntilAll", "comparison");
        synchronized (engine) {
            StreamOperation operation = lane.begin(OperationType.WAIT_UNTIL_ALL);
            operation.view = view;
            operation.index = index;
            operation.count = count;
            operation.comparison = comparison;
            operation.value = operand;
            operation.object = operands;
            operation.skipped = skipped;
            lane.append(operation);
        }
    }

    /// For a group of a kernel's threads.
    void check(GroupCheck check) {
        enqueue(OperationType.GROUP_CHECK, check);
    }

    /// For a group of a kernel's threads.
    void fetch(SignalWord signal, MemorySegment result) {
        synchronized (engine) {
            StreamOperation operation = lane.begin(OperationType.SIGNAL_FETCH);
            operation.object = checked(signal, "fetch", "signal");
            operation.segment = result;
            lane.append(operation);
        }
    }

    /// Waits until a condition holds for an element of the caller's own. Answers to `cuStreamWaitValue64`.
    ///
    /// @param condition compares unsigned numbers of the view's width, see [ValueCondition#GEQ]
    public void waitValue(IntegerView view, long index, ValueCondition condition, long value) {
        Object given = checked(condition, "waitValue", "condition");
        IntegerView words = checked(view, "waitValue", "view");
        await(OperationType.WAIT_VALUE, words, index, 1, null, value, given);
    }

    /// Completes what the stream has put, then waits until every member has come to it. On completion all members
    /// see what any member's stream has put before. Answers to `nvshmemx_barrier_on_stream`,
    /// `nvshmemx_barrier_all_on_stream`.
    ///
    /// @throws StreamException as [#collective]
    public void barrier(Team team) {
        collective(OperationType.BARRIER, checked(team, "barrier", "team"), BARRIER);
    }

    /// Waits until every member has come to it, and completes no puts. Answers to
    /// `nvshmemx_team_sync_on_stream`, `nvshmemx_sync_all_on_stream`.
    ///
    /// @throws StreamException as [#collective]
    public void sync(Team team) {
        collective(OperationType.SYNC, checked(team, "sync", "team"), BARRIER);
    }

    /// Runs a collective of a team, of any [coterie.collective.CollectiveType], as a request of core. Answers to
    /// `nvshmemx_TYPE_broadcast_on_stream`, `nvshmemx_TYPE_fcollect_on_stream`,
    /// `nvshmemx_TYPE_alltoall_on_stream`, `nvshmemx_TYPE_OP_reduce_on_stream`,
    /// `nvshmemx_TYPE_OP_reducescatter_on_stream`.
    ///
    /// ```java
    /// Collective sum = Collective.allReduce(Reduction.SUM).source(x, 0, n).target(y, 0, n); // keep it
    /// stream.collective(team, sum);
    /// ```
    ///
    /// A stream prepares one persistent request for each team and `Collective` object, when it first runs.
    /// Members match a team's collectives on streams, and its requests, by their order; collectives without a
    /// stream have no order with them. So on each PE each collective of a team must be before the next.
    ///
    /// @throws StreamException with [StreamError#TEAM_CONCURRENT] if the team's latest collective is in another
    ///     stream, and neither events nor a synchronise order it before this one; or [#query]'s
    public void collective(Team team, Collective collective) {
        checked(team, "collective", "team");
        collective(OperationType.COLLECTIVE, team, checked(collective, "collective", "collective"));
    }

    private void collective(OperationType type, Team team, Collective collective) {
        synchronized (engine) {
            lane.collective(type, team, collective);
        }
    }

    /// Launches a kernel: as many threads as `grid` has blocks of `block` threads run it, on threads of the JVM
    /// that stand for the device. A block starts when the device has room for it, see [DeviceLimits]; so a
    /// kernel in which blocks wait for each other or for other PEs may never end if it has more blocks than the
    /// device has room for. The launch is one operation of the stream, and is over when all threads have
    /// returned. If a thread throws, the stream fails. Answers to `kernel<<<grid, block, 0, stream>>>`.
    ///
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
    /// grid fits its device, or no member launches. Answers to `nvshmemx_collective_launch`.
    ///
    /// **Collective** over the team, agreeing: the members exchange what fits, and this call waits for them. The
    /// kernel itself starts when the stream comes to it. Members may pass different grids, blocks and kernels.
    ///
    /// Whatever keeps one member from a launch keeps all from it: the members exchange that, too. Two mistakes
    /// can't be exchanged, and leave the other members waiting: a team that is null, and a call in a host
    /// function.
    ///
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

    /// Begins a capture: what the program enqueues from now on does not run, but becomes part of a graph. Answers
    /// to `cudaStreamBeginCapture`.
    ///
    /// While the stream captures, a wait for it, a query, a close and a get of a value are
    /// [StreamError#PROHIBITED], as is the legacy default stream while a blocking stream captures.
    ///
    /// Kernels become part of the graph by [#launch(Extent, Extent, Kernel)]; a collective launch is no operation
    /// alone, and does not. Allocations, frees and [StreamRuntime#copy] are prohibited to all threads. Other
    /// collectives that the program calls without a stream run at once, outside the graph, of which
    /// [StreamRuntime#onWarning] tells.
    ///
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

    /// Ends the capture and returns the graph. Answers to `cudaStreamEndCapture`, `cudaGraphInstantiate`.
    ///
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

    /// Launches a graph, as one operation of this stream. Answers to `cudaGraphLaunch`.
    ///
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
}

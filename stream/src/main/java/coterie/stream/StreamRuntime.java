// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.ElementView;
import coterie.World;
import coterie.spi.CloseListener;
import coterie.spi.CollectiveListener;
import coterie.spi.ProgressHook;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The streams of a PE: makes them and their events, and advances them.
///
/// ```java
/// try (StreamRuntime runtime = StreamRuntime.open(world)) {
///     WorkStream stream = runtime.createStream();
///     stream.put(box, 0, token, 0, 1, right);
///     stream.barrier(world.team());
///     stream.synchronize();
/// }
/// ```
///
/// **Progress.** An enqueue runs nothing. Streams advance while a thread of this PE waits for anything in this
/// world or calls [World#progress], so also in each `synchronize`; with the setting `coterie.progress.thread`
/// also in a thread of its own. No operation holds a thread: 1,000 streams may wait at once.
///
/// **Threads.** Any thread may enqueue, at any [coterie.ThreadLevel]. The threads that may wait in the world run
/// the operations, one thread at a time.
///
/// A PE may open several runtimes. A stream may wait for an event of another one; all else does not mix. Not
/// collective.
public final class StreamRuntime implements AutoCloseable {
    /// The priority of the streams that run first; CUDA's range begins there, too.
    public static final int GREATEST_PRIORITY = -5;

    /// The priority of a stream without one.
    public static final int LEAST_PRIORITY = 0;

    private final World world;
    private final StreamEngine engine;
    private final ProgressHook.Registration registration;
    private final CollectiveListener.Registration listening;

    @SuppressWarnings("ThreadLocalUsage") // each runtime has its own; nothing is static
    private final ThreadLocal<@Nullable WorkStream> threadStream = new ThreadLocal<>();

    private @Nullable WorkStream legacyStream;
    private boolean isClosed;

    private StreamRuntime(World world, TeamOrder teamOrder, DeviceLimits limits) {
        this.world = world;
        this.engine = new StreamEngine(world, teamOrder, limits);
        this.registration = engine.support().addProgress(engine);
        this.listening = engine.support().addCollectiveListener(new HostCollectives(engine));
    }

    /// Opens a runtime with [TeamOrder#CHECKED].
    public static StreamRuntime open(World world) {
        return open(world, TeamOrder.CHECKED);
    }

    /// Opens a runtime.
    ///
    /// @throws WrongThreadException at [coterie.ThreadLevel#FUNNELED] and below, if another thread joined the
    ///     world
    public static StreamRuntime open(World world, TeamOrder teamOrder) {
        return open(world, teamOrder, DeviceLimits.DEFAULT);
    }

    /// Opens a runtime whose kernels run on a device of its own.
    ///
    /// @throws WrongThreadException as [#open(World, TeamOrder)]
    public static StreamRuntime open(World world, TeamOrder teamOrder, DeviceLimits limits) {
        return new StreamRuntime(
                requireNonNull(world, "StreamRuntime.open: world is null"),
                requireNonNull(teamOrder, "StreamRuntime.open: teamOrder is null"),
                requireNonNull(limits, "StreamRuntime.open: limits is null"));
    }

    /// Returns the world.
    public World world() {
        return world;
    }

    /// Creates a stream that is ordered with the legacy default stream.
    /// @counterpart `cudaStreamCreate`
    public WorkStream createStream() {
        return createStream("", LEAST_PRIORITY);
    }

    /// Creates a stream with a name for messages.
    public WorkStream createStream(String name, StreamOption... options) {
        return createStream(name, LEAST_PRIORITY, options);
    }

    /// Creates a stream.
    /// @counterpart `cudaStreamCreateWithFlags`, `cudaStreamCreateWithPriority`; with a `StreamOption`
    /// @param name for messages; empty for one that the runtime makes
    /// @param priority in [[#GREATEST_PRIORITY], [#LEAST_PRIORITY]], others count as the nearest; of streams that
    ///     can run, the engine polls those with lower numbers first, which changes no order that the program
    ///     relies on
    public WorkStream createStream(String name, int priority, StreamOption... options) {
        checked(name, "createStream", "name");
        for (StreamOption each : checked(options, "createStream", "options")) {
            checked(each, "createStream", "an element of options");
        }
        boolean isFree = List.of(options).contains(StreamOption.NON_BLOCKING);
        return create(
                name,
                Math.clamp(priority, GREATEST_PRIORITY, LEAST_PRIORITY),
                isFree ? StreamLane.Kind.NON_BLOCKING : StreamLane.Kind.BLOCKING);
    }

    private WorkStream create(String name, int priority, StreamLane.Kind kind) {
        synchronized (engine) {
            checkOpen("createStream");
            return new WorkStream(engine, engine.add(name, priority, kind, new StreamContexts(engine.failures())));
        }
    }

    private <T> T checked(T argument, String operation, String name) {
        if (argument == null) {
            throw new NullPointerException(operation + " on PE " + world.pe() + ": " + name + " is null");
        }
        return argument;
    }

    private void checkOpen(String operation) {
        if (isClosed) {
            throw new IllegalStateException(operation + " on PE " + world.pe() + ": the stream runtime is closed");
        }
    }

    /// Returns the legacy default stream. An operation of it starts after all operations that blocking streams
    /// have at the call, and all that blocking streams get later starts after it. Non-blocking streams have no
    /// order with it.
    /// @counterpart `cudaStreamLegacy`
    public WorkStream legacyStream() {
        synchronized (engine) {
            checkOpen("legacyStream");
            if (legacyStream == null) {
                legacyStream = create("legacy", LEAST_PRIORITY, StreamLane.Kind.LEGACY);
            }
            return legacyStream;
        }
    }

    /// Returns the default stream of the calling thread: a blocking stream that the first call makes. A virtual
    /// thread gets a stream of its own, too, so programs with many of them should create streams instead.
    /// @counterpart `cudaStreamPerThread`
    public WorkStream threadStream() {
        WorkStream mine = threadStream.get();
        if (mine == null) {
            mine = create("thread-" + Thread.currentThread().threadId(), LEAST_PRIORITY, StreamLane.Kind.BLOCKING);
            threadStream.set(mine);
        }
        return mine;
    }

    /// Copies elements from the host's memory to this PE's own symmetric memory, and returns when the source may
    /// change.
    ///
    /// With [DeviceLimits#lateCopies] the target changes later: no later than what blocking streams get from now
    /// on, and else when nothing else can go on. An operation that uses the target too early is named to
    /// [#onWarning]. For a copy that a stream orders, put to this PE.
    ///
    /// Threads: those that may use the world.
    /// @counterpart `cudaMemcpy` from pageable memory
    /// @param index the first element of the target
    /// @param sourceIndex in elements, as in [ElementView#put(long, MemorySegment, long, long, int)]
    /// @throws IndexOutOfBoundsException if the range is outside the view or the source
    /// @throws StreamException with [StreamError#PROHIBITED] in a capture, see [CaptureMode]
    public void copy(ElementView view, long index, MemorySegment source, long sourceIndex, long count) {
        checked(view, "copy", "view");
        checked(source, "copy", "source");
        synchronized (engine) {
            checkOpen("copy");
        }
        engine.captures().checkAllowed("copy");
        if (!engine.device().limits().lateCopies()) {
            view.put(index, source, sourceIndex, count, view.context().team().member());
            return;
        }
        Objects.checkFromIndexSize(index, count, view.length());
        synchronized (engine) {
            engine.lateCopies().enqueue(legacyStream().lane, view, index, source, sourceIndex, count);
        }
    }

    /// Creates an event.
    /// @counterpart `cudaEventCreateWithFlags`; with an `EventOption`; between processes none: signals
    /// @throws StreamException with [StreamError#UNSUPPORTED] for [EventOption#INTERPROCESS]
    public StreamEvent createEvent(EventOption... options) {
        for (EventOption each : checked(options, "createEvent", "options")) {
            checked(each, "createEvent", "an element of options");
        }
        Set<EventOption> all = Set.copyOf(List.of(options));
        if (all.contains(EventOption.INTERPROCESS)) {
            throw new StreamException(
                    StreamError.UNSUPPORTED,
                    "createEvent on PE " + world.pe() + ": " + EventOption.INTERPROCESS
                            + ", but an event orders streams of one PE; put with a signal, and let a stream of the other"
                            + " PE wait for the signal");
        }
        return new StreamEvent(engine, all);
    }

    /// Returns the number of blocks of so many threads that run at the same time on an idle device: the largest
    /// grid of a collective launch; 0 if not even one fits. Other kernels that run meanwhile are not counted.
    /// @counterpart `nvshmemx_collective_launch_query_gridsize`
    public int collectiveLaunchBlocks(Extent block) {
        return engine.device().limits().residentBlocks(checked(block, "collectiveLaunchBlocks", "block"));
    }

    /// Returns how many operations of all streams are pending. Queues have no bound: a program that enqueues
    /// faster than its PEs advance can watch this number, and synchronize.
    public long pending() {
        long sum = 0;
        synchronized (engine) {
            for (StreamLane lane : engine.lanes()) {
                sum += lane.position() - lane.completed();
            }
        }
        return sum;
    }

    /// Sets what gets warnings, such as that a stream waits for an event that was never recorded; at first
    /// nothing does. The thread that enqueues calls it, under a lock of the runtime.
    ///
    /// @param consumer gets the text; it must not call this runtime
    public void onWarning(Consumer<? super String> consumer) {
        engine.warnings(checked(consumer, "onWarning", "consumer"));
    }

    /// Closes all streams, and waits for no other PE: it runs what can run at once. What then is left, since it waits
    /// for something, still runs in the waits of this PE, and the close of the world waits for it; synchronize
    /// streams whose results the program needs. Captures that go on are lost. A second close does nothing, nor
    /// does one after the end of the world.
    ///
    /// @throws StreamException if a stream has failed and no call has thrown that yet; all is closed nevertheless.
    ///     A later failure the close of the world throws
    @Override
    public void close() {
        List<StreamLane> all;
        synchronized (engine) {
            if (isClosed || !world.team().isValid()) {
                isClosed = true;
                return;
            }
            engine.captures().dropAll();
            all = List.copyOf(engine.lanes());
            all.forEach(StreamLane::close);
            isClosed = true;
        }
        long before = Long.MAX_VALUE;
        long left = pending();
        while (left > 0 && left < before) {
            before = left;
            engine.poll();
            left = pending();
        }
        if (left == 0) {
            end(all);
        } else {
            engine.support().addCloseListener(new CloseListener() {
                @Override
                public void closing() {
                    for (StreamLane lane : all) {
                        engine.awaitCompletion(lane, lane.position(), "close of the stream runtime");
                    }
                    end(all);
                }
            });
            throwFailure(all);
        }
    }

    private void end(List<StreamLane> all) {
        listening.close();
        registration.close();
        engine.close();
        throwFailure(all);
    }

    private static void throwFailure(List<StreamLane> all) {
        for (StreamLane lane : all) {
            if (lane.hasUnreportedFailure()) {
                lane.checkFailure("close of the stream runtime", Long.MAX_VALUE);
            }
        }
    }

    @Override
    public String toString() {
        return "streams of PE " + world.pe();
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.ThreadLevel;
import coterie.World;
import coterie.spi.FaceSupport;
import coterie.spi.OperationLog;
import coterie.spi.ProgressHook;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Advances the streams of a PE: one progress hook, which the PE's waits, [World#progress] and core's progress
/// thread call, one thread at a time.
///
/// ```
///  any thread             WorkStream.put(…)         under the lock: descriptor → the lane's queue
///  a thread that waits    StreamEngine.progress     without it: polls the head of each active lane
/// ```
final class StreamEngine implements ProgressHook {
    /// Operations of a stream in one round, so that none starves the others.
    private static final int QUANTUM = 128;

    /// Between polls while nothing moves; the bounds are those of core's naps.
    private static final long MIN_DUE_NANOS = 20_000;

    private static final long MAX_DUE_NANOS = 1_000_000;

    private static final int NO_QUEUE = -1;

    /// No number of moves: those that a wait does not look at.
    private static final long ANY_MOVES = -1;

    private final World world;
    private final FaceSupport support;
    private final Thread opener;
    private final TeamOrder teamOrder;
    private final FailureWatch failureWatch;
    private final TeamUses teamUses = new TeamUses();
    private final TeamUses kernelUses = new TeamUses();
    private final KernelDevice device;
    private final @Nullable StreamScheduler scheduler;
    private final OperationRecorder recorder;
    private final OperationRecorder pendingRecorder;
    private final HostWaits hostWaits;
    private final LateCopies lateCopies = new LateCopies(this);
    private final OpenCaptures captures = new OpenCaptures(this);
    private final AdvancingWords advancingWords = new AdvancingWords();
    private final AtomicReference<@Nullable Completion> completion = new AtomicReference<>(new Completion());

    // The lock guards these.
    private final List<StreamLane> lanes = new ArrayList<>();
    private final List<StreamLane> activated = new ArrayList<>();
    private final List<CachedRequest> retired = new ArrayList<>();
    private @Nullable StreamLane legacy;
    private int slots;
    private int turns;

    @SuppressWarnings("ThreadLocalUsage") // each runtime has its own; nothing is static
    private final ThreadLocal<StreamOperation> draft = ThreadLocal.withInitial(StreamOperation::new);

    private volatile boolean hasNews;
    private volatile Consumer<? super String> warnings = _ -> {};

    // Only the thread that runs the hook writes these.
    private @Nullable StreamLane[] active = new StreamLane[8];
    private int actives;
    private volatile @Nullable Thread runner;
    private final AtomicLong moves = new AtomicLong();

    /// Threads of the program that wait for a stream.
    private final AtomicInteger waiters = new AtomicInteger();

    private long movedAt;
    private boolean hasMoved;

    /// A time in this round, or 0 as long as nothing has asked for it.
    private long roundNanos;

    StreamEngine(World world, TeamOrder teamOrder, DeviceLimits limits) {
        this.world = world;
        this.support = FaceSupport.of(world);
        this.opener = Thread.currentThread();
        this.teamOrder = teamOrder;
        this.failureWatch = new FailureWatch(world);
        this.device = new KernelDevice(this, limits, failureWatch);
        this.scheduler = StreamScheduler.of(this, limits);
        this.recorder = new OperationRecorder(world, limits);
        this.pendingRecorder = new OperationRecorder(world, limits);
        this.hostWaits = new HostWaits(recorder.openHost("host"));
        this.movedAt = support.nanoTime();
    }

    World world() {
        return world;
    }

    FaceSupport support() {
        return support;
    }

    FailureWatch failures() {
        return failureWatch;
    }

    TeamUses teamUses() {
        return teamUses;
    }

    TeamUses kernelUses() {
        return kernelUses;
    }

    KernelDevice device() {
        return device;
    }

    /// Returns what keeps to the limits of the device, or null if it has none.
    @Nullable
    StreamScheduler scheduler() {
        return scheduler;
    }

    /// Returns what records operations at their call; the lock guards it.
    OperationRecorder recorder() {
        return recorder;
    }

    /// Returns what records operations that wait; only the thread that runs the hook uses it.
    OperationRecorder pendingRecorder() {
        return pendingRecorder;
    }

    /// Returns the descriptor in which the calling thread describes an operation.
    StreamOperation draft() {
        return draft.get();
    }

    LateCopies lateCopies() {
        return lateCopies;
    }

    AdvancingWords advancingWords() {
        return advancingWords;
    }

    OpenCaptures captures() {
        return captures;
    }

    /// Returns whether a thread waits for the only stream with operations, or nothing has moved for so long
    /// after a time.
    boolean isIdleSince(long time, long nanos) {
        return (actives == 1 && waiters.get() > 0) || (hasStopped(nanos) && support.nanoTime() - time >= nanos);
    }

    /// Returns whether no stream has moved for so long.
    boolean hasStopped(long nanos) {
        return support.nanoTime() - movedAt >= nanos;
    }

    TeamOrder teamOrder() {
        return teamOrder;
    }

    void warnings(Consumer<? super String> consumer) {
        warnings = consumer;
    }

    void warn(String text) {
        warnings.accept(text);
    }

    /// Adds a lane. The caller holds the lock.
    StreamLane add(String name, int priority, StreamLane.Kind kind, StreamContexts contexts) {
        int slot = slots++;
        String named = name.isEmpty() ? "stream-" + slot : name;
        boolean isStream = kind != StreamLane.Kind.KERNEL; // its operations are those of a kernel, which has a queue
        int queue = isStream ? device.limits().queue(named, turns++) : NO_QUEUE;
        StreamLane made = new StreamLane(this, slot, named, queue, priority, kind, contexts);
        lanes.add(made);
        if (kind == StreamLane.Kind.LEGACY) {
            legacy = made;
        }
        return made;
    }

    /// Returns the lanes that are not closed, and of the closed ones those with pending operations. The caller
    /// holds the lock.
    List<StreamLane> lanes() {
        return lanes;
    }

    @Nullable
    StreamLane legacy() {
        return legacy;
    }

    /// Lets the thread that runs the hook release a request. The caller holds the lock.
    void retire(CachedRequest request) {
        retired.add(request);
        hasNews = true;
    }

    /// Puts a lane among those that the hook polls. The caller holds the lock.
    void activate(StreamLane lane) {
        if (!lane.isActive) {
            lane.isActive = true;
            activated.add(lane);
            hasNews = true;
        }
    }

    @Override
    public boolean progress() {
        runner = Thread.currentThread();
        try {
            if (hasNews) {
                takeNews();
            }
            return actives > 0 && advance();
        } finally {
            runner = null;
        }
    }

    /// Host functions, which may do anything, are operations of lanes.
    @Override
    public boolean dependsOnPesAlone() {
        return true;
    }

    private synchronized void takeNews() {
        hasNews = false;
        for (int i = 0; i < activated.size(); i++) { // without an iterator, which would be garbage
            insert(activated.get(i));
        }
        activated.clear();
        for (int i = 0; i < retired.size(); i++) {
            retired.get(i).close();
        }
        retired.clear();
    }

    /// Inserts a lane after those of the same priority.
    private void insert(StreamLane lane) {
        if (actives == active.length) {
            active = Arrays.copyOf(active, 2 * actives);
        }
        int place = actives;
        while (place > 0 && priority(place - 1) > lane.priority) {
            active[place] = active[place - 1];
            place--;
        }
        active[place] = lane;
        actives++;
    }

    private int priority(int place) {
        StreamLane lane = active[place];
        return lane == null ? 0 : lane.priority;
    }

    private boolean advance() {
        boolean moved = false;
        int drained = 0;
        roundNanos = 0;
        if (scheduler != null) {
            scheduler.start();
        }
        for (int i = 0; i < actives; i++) {
            StreamLane lane = active[i];
            if (lane != null) {
                moved |= lane.advance(QUANTUM);
                drained += lane.isEmpty() ? 1 : 0;
            }
        }
        long now = support.nanoTime();
        hasMoved = moved;
        if (moved) {
            moves.incrementAndGet();
            movedAt = now;
        }
        failureWatch.tick(now);
        if (drained > 0) {
            removeDrained();
        }
        return moved;
    }

    private synchronized void removeDrained() {
        int kept = 0;
        for (int i = 0; i < actives; i++) {
            StreamLane lane = active[i];
            if (lane != null && lane.isEmpty()) {
                lane.isActive = false;
                if (lane.isClosed()) {
                    lanes.remove(lane);
                    close(lane.log());
                }
            } else {
                active[kept++] = lane;
            }
        }
        Arrays.fill(active, kept, actives, null);
        actives = kept;
    }

    private static void close(@Nullable LaneLog log) {
        if (log != null) {
            log.close();
        }
    }

    /// Returns a time in this round of polls. Only the thread that runs the hook calls it.
    long roundNanos() {
        if (roundNanos == 0) {
            roundNanos = support.nanoTime();
        }
        return roundNanos;
    }

    /// Notes that an operation has moved without being complete.
    void noteMove() {
        moves.incrementAndGet();
    }

    @Override
    public long dueNanos() {
        if (actives == 0 && !hasNews) {
            return Long.MAX_VALUE;
        }
        return hasMoved || hasNews ? 1 : Math.clamp((support.nanoTime() - movedAt) >> 3, MIN_DUE_NANOS, MAX_DUE_NANOS);
    }

    /// Returns whether the caller is a host function.
    boolean isWithin() {
        return Thread.currentThread().equals(runner);
    }

    /// Advances the PE, if this thread may.
    void poll() {
        boolean isFree = world.threadLevel().compareTo(ThreadLevel.SERIALIZED) >= 0;
        if (!isWithin() && (isFree || Thread.currentThread().equals(opener))) {
            world.progress();
        }
    }

    /// Waits until so many operations of a lane are over. The wait begins anew whenever a stream has moved, so
    /// that its naps stay short.
    void awaitCompletion(OperationLane lane, long position, String operation) {
        await(lane, position, operation, false);
    }

    /// Waits until so many operations of a lane are over, in one wait whose naps grow.
    void awaitPatiently(OperationLane lane, long position, String operation) {
        await(lane, position, operation, true);
    }

    private void await(OperationLane lane, long position, String operation, boolean isPatient) {
        if (lane.completed() >= position) {
            return;
        }
        if (isWithin()) {
            throw new StreamException(
                    StreamError.SELF_WAIT,
                    operation + " on PE " + world.pe() + ": a host function must not wait for a stream: "
                            + lane.id(position - 1) + " can't run before the function returns; enqueue what comes"
                            + " after it, or wait for an event in the stream");
        }
        Completion condition = completion.getAndSet(null);
        if (condition == null) {
            condition = new Completion();
        }
        OperationLog log = hostWaits.begin(lane, position, operation);
        waiters.incrementAndGet();
        try {
            while (lane.completed() < position) {
                condition.of(lane, position, isPatient ? ANY_MOVES : moves.get());
                if (isPatient || !world.progress()) {
                    world.progressUntil(condition);
                }
            }
        } finally {
            waiters.decrementAndGet();
            hostWaits.end(log);
            completion.set(condition);
        }
    }

    /// Releases what is left. No hook runs any more.
    void close() {
        takeNews();
        device.close();
        synchronized (this) {
            lanes.forEach(lane -> close(lane.log()));
        }
        hostWaits.close();
        failureWatch.close();
    }

    /// That operations of a lane are over, or that a stream has moved.
    private final class Completion implements BooleanSupplier {
        private @Nullable OperationLane lane;
        private long position;
        private long seen;

        void of(OperationLane awaited, long end, long movesSeen) {
            lane = awaited;
            position = end;
            seen = movesSeen;
        }

        @Override
        public boolean getAsBoolean() {
            return (seen != ANY_MOVES && moves.get() != seen) || lane == null || lane.completed() >= position;
        }

        @Override
        public String toString() {
            return lane == null ? "none" : "end of stream operation " + lane.id(position - 1);
        }
    }
}

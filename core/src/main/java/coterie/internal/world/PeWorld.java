// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.AllocationHint;
import coterie.Context;
import coterie.CoterieException;
import coterie.HeapStatistics;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.TeamRevokedException;
import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.heap.PeHeap;
import coterie.internal.layer.Components;
import coterie.internal.memory.Allocator;
import coterie.internal.memory.PredefinedTeam;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusLabel;
import coterie.internal.memory.StatusPage;
import coterie.internal.order.OrderedConduit;
import coterie.internal.rma.PeContext;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.team.Teams;
import coterie.internal.trace.CallSite;
import coterie.internal.trace.PeTracer;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Capability;
import coterie.spi.Conduit.Region;
import coterie.spi.Network;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import coterie.spi.RuntimeThreads;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One PE's world. The first join makes the objects of the runtime and connects them; the last close ends them.
///
/// Programs get a [WorldHandle] for each join. The launcher and test tools get the world itself, as its `close`
/// ends it whatever the number of joins.
public final class PeWorld implements World {
    private static final long MOST_STAGING = 1L << 20;

    private final WorldHolder holder;
    private final ThreadLevel level;
    private final @Nullable Thread confinedTo;
    private final PeJob job;
    private final StatusPage page;
    private final ConduitMemory.@Nullable OfWorld memory;
    private final PeRuntime runtime;
    private final PeContext context;
    private final Teams teams;
    private final Team team;
    private final PeHeap heap;
    private final ProgressEngine engine;
    private final Components components;
    private final PeFaceSupport faces;

    /// The number of joins that are not closed; 0 once the world is closing.
    private int joins = 1;

    private PeWorld(
            WorldJob worldJob, @Nullable Network network, WorldHolder holder, ThreadLevel level, int[] settings) {
        this.holder = holder;
        this.level = level;
        this.confinedTo = level.compareTo(ThreadLevel.SERIALIZED) < 0 ? Thread.currentThread() : null;
        this.job = worldJob.job;
        this.page = worldJob.page;
        int me = job.pe();
        int size = job.size();
        int maxFlat = treeThreshold();
        WorldConduit opened = WorldConduit.open(
                worldJob,
                network,
                holder,
                maxFlat,
                settings,
                conduit -> WorldRuntime.of(worldJob, conduit, WorldRuntime.strategy(job, conduit), PeTracer.off(), ""));
        this.memory = opened.memory();
        Conduit below = opened.conduit().capabilities().contains(Capability.ORDERED)
                ? opened.conduit()
                : new OrderedConduit(opened.conduit());
        Conduit conduit = level == ThreadLevel.MULTIPLE && !below.capabilities().contains(Capability.THREADS)
                ? new SerialConduit(below)
                : below;
        this.runtime = WorldRuntime.of(
                worldJob,
                conduit,
                network == null ? WorldRuntime.strategy(job, conduit) : network.waitStrategy(),
                network == null ? worldJob.tracer() : PeTracer.off(),
                Setting.FAULT.value());
        runtime.otherSettings(worldJob::otherSettings);
        PeThreadGroup threads = PeThreadGroup.current();
        if (threads != null && holder.host() == null) {
            runtime.room().threads(threads, threads.isAlone());
        }
        opened.connect(worldJob, runtime);
        this.context = new PeContext(me, size, conduit, runtime, confinedTo);
        this.engine = new ProgressEngine(me, runtime, level);
        long maxSyncBytes = kibibytes(Setting.TEAM_SYNC_KIB);
        LayerSettings.OfWorld layers = opened.layers(job, level, network != null, size <= maxFlat);
        this.components = layers.components();
        this.heap = new PeHeap(
                context,
                conduit,
                runtime,
                job.heapBytes(),
                Setting.ALLOCATION_SITES.flag(),
                () -> opened.publishHeap(conduit.localBase(Region.HEAP)));
        this.teams = new Teams(
                job,
                page,
                context,
                conduit,
                runtime,
                Math.max(1, page.get(StatusField.NEXT_SEQUENCE)),
                maxFlat,
                confinedTo,
                layers.registry(),
                components,
                engine,
                heap,
                maxSyncBytes,
                stagingBytes(job.heapBytes()));
        this.team = teams.common(PredefinedTeam.WORLD);
        this.faces = new PeFaceSupport(
                me, teams, team, runtime, network == null ? worldJob.records() : null, heap, JoinSettings.current());
        context.belongTo(team);
    }

    /// Opens the world of a PE that has none open.
    ///
    /// @param network the simulated network, or null
    /// @param holder which the world clears when it has ended
    static PeWorld open(WorldJob worldJob, @Nullable Network network, WorldHolder holder, ThreadLevel level) {
        worldJob.requireJoinable();
        PeJob job = worldJob.job;
        StatusPage page = worldJob.page;
        boolean hasProgressThread = Setting.PROGRESS_THREAD.flag();
        if (hasProgressThread && network != null) {
            throw new IllegalArgumentException("setting " + Setting.PROGRESS_THREAD.name() + " (from "
                    + Setting.PROGRESS_THREAD.origin() + "): on PE " + job.pe()
                    + " the network is simulated, which allows no progress threads; leave the setting false");
        }
        int[] settings = LayerSettings.common();
        PeWorld world = new PeWorld(worldJob, network, holder, level, settings);
        world.agreeOnTreeThreshold(worldJob); // the last check, as the values that a PE publishes below stay published
        worldJob.compareSettings(settings);
        page.set(StatusField.PID, ProcessHandle.current().pid());
        page.set(StatusField.WORLDS, page.get(StatusField.WORLDS) + 1);
        job.state(PeState.RUNNING);
        if (hasProgressThread) {
            world.startProgress();
        }
        return world;
    }

    /// Starts the thread that advances requests while the program computes.
    private void startProgress() {
        boolean isStarted = false;
        try {
            engine.startThread(task -> RuntimeThreads.daemon("coterie-progress-" + pe(), task));
            isStarted = true;
        } finally {
            if (!isStarted) {
                components.close();
            }
        }
    }

    /// Returns the world of a user's handle.
    public static PeWorld of(World handle) {
        return handle instanceof WorldHandle worldHandle ? worldHandle.world : (PeWorld) handle;
    }

    /// Returns what this world has for faces.
    PeFaceSupport faces() {
        return faces;
    }

    /// Returns all teams of this world.
    Teams teams() {
        return teams;
    }

    /// Publishes this PE's counters on its status page.
    void publishCounters() {
        runtime.publishCounters();
    }

    /// Counts one more join.
    synchronized World joinAgain() {
        if (joins == 0) {
            throw new IllegalStateException("join on PE " + pe()
                    + ": another thread is closing this PE's world; join after its close has returned");
        }
        joins++;
        return new WorldHandle(this);
    }

    /// Undoes a join: by the end of the world if it is the last join, else by a barrier. Does nothing at a second
    /// call for the same handle.
    void undo(WorldHandle worldHandle) {
        int left;
        synchronized (this) {
            if (!worldHandle.counts || joins == 0) {
                return;
            }
            teams.world().gate().check(OperationKind.CLOSE);
            worldHandle.counts = false;
            left = --joins;
        }
        if (left == 0) {
            end();
        } else {
            team.barrier();
        }
    }

    private static int treeThreshold() {
        Integer members = Setting.TREE_SYNC_ABOVE.number();
        return members == null ? Integer.MAX_VALUE : members;
    }

    /// Throws if this PE's tree threshold differs from that of the PEs that have joined before.
    private void agreeOnTreeThreshold(WorldJob worldJob) {
        int threshold = treeThreshold();
        int agreed = worldJob.agreedTreeThreshold(threshold);
        if (agreed != threshold) {
            components.close();
            heap.close();
            if (memory != null) {
                memory.releaseAll();
            }
            throw new IllegalArgumentException("setting " + Setting.TREE_SYNC_ABOVE.name() + " (from "
                    + Setting.TREE_SYNC_ABOVE.origin() + "): it is " + threshold + " on PE " + pe()
                    + ", but " + agreed + " on the PE that has joined first; set the same value on all PEs, and keep"
                    + " it as long as the job lives");
        }
    }

    /// Returns the bytes of a team's memory for collectives on arrays: little of a small heap, unless users want more.
    private static long stagingBytes(long heapBytes) {
        Integer value = Setting.STAGING_KIB.number();
        return value == null ? Math.min(MOST_STAGING, heapBytes / 16) : value * 1024L;
    }

    private static long kibibytes(Setting setting) {
        Integer value = setting.number();
        return value == null ? Long.MAX_VALUE : value * 1024L;
    }

    @Override
    public ThreadLevel threadLevel() {
        return level;
    }

    /// Returns the only thread that may use the team and the default context, or null if all may.
    @Nullable
    Thread confinedTo() {
        return confinedTo;
    }

    @Override
    public int pe() {
        return job.pe();
    }

    @Override
    public int size() {
        return job.size();
    }

    @Override
    public Team team() {
        return team;
    }

    @Override
    public Team sharedTeam() {
        return teams.common(PredefinedTeam.SHARED);
    }

    @Override
    public Team nodeTeam() {
        return teams.common(PredefinedTeam.NODE);
    }

    @Override
    public Team sameIndexTeam() {
        return teams.common(PredefinedTeam.SAME_INDEX);
    }

    @Override
    public TeamId newTeamId() {
        return teams.newId();
    }

    @Override
    public Team formTeam(TeamId id, int size, int member, TeamConfig config, Duration timeout) {
        return teams.form(id, size, member, config, timeout);
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public SymmetricMemory allocate(long byteSize) {
        return allocate(byteSize, Allocator.GRANULE);
    }

    @Override
    public SymmetricMemory allocate(long byteSize, long alignment, AllocationHint... hints) {
        Objects.requireNonNull(hints, () -> "allocate on PE " + pe() + ": hints is null");
        return team.allocate(byteSize, alignment); // mapped memory is the same for every use
    }

    @Override
    public HeapStatistics heapStatistics() {
        if (!team.isValid()) {
            throw new IllegalStateException("heapStatistics on PE " + pe() + ": the world was closed");
        }
        return heap.statistics();
    }

    @Override
    public boolean isAccessible(int pe) {
        return team.isValid() && pe >= 0 && pe < size();
    }

    @Override
    public boolean progress() {
        teams.checkCaller("progress");
        return runtime.room().advance();
    }

    @Override
    public void progressUntil(BooleanSupplier condition) {
        Objects.requireNonNull(condition, () -> "progressUntil on PE " + pe() + ": condition is null");
        teams.checkCaller("progressUntil");
        runtime.room().awaitWork(new ProgramCondition(condition), WaitingRoom.FOREVER);
    }

    /// What a program waits for.
    private final class ProgramCondition implements Awaitable {
        private final BooleanSupplier condition;

        ProgramCondition(BooleanSupplier condition) {
            this.condition = condition;
        }

        @Override
        public boolean poll() {
            if (condition.getAsBoolean()) {
                return true;
            }
            runtime.room().advance();
            return condition.getAsBoolean();
        }

        @Override
        public OperationKind kind() {
            return OperationKind.PROGRESS;
        }

        @Override
        public String text() {
            return "condition " + condition;
        }
    }

    @Override
    public RuntimeException abort(int status) {
        if (status < 0 || status > 255) {
            throw new IllegalArgumentException(
                    "abort on PE " + pe() + ": exit code " + status + " is outside [0, 255]");
        }
        page.endPlace(new StatusLabel(CallSite.find()));
        job.abort(status);
        if (holder.host() != null) {
            throw new CoterieException("abort on PE " + pe() + ": the job was aborted with exit code " + status);
        }
        FlightRecordings.dump();
        Runtime.getRuntime().halt(status);
        throw new AssertionError("the process goes on after its halt");
    }

    @Override
    public RuntimeException fail() {
        holder.fail();
        FailedPeError error = new FailedPeError(pe());
        try {
            context.endAll();
        } catch (IllegalStateException e) {
            error.addSuppressed(e); // private contexts of other threads, which are closed nevertheless
        }
        throw error;
    }

    /// Returns one line about joins and blocks that a test has not closed, or an empty string.
    public synchronized String leftovers() {
        return joins > 1 ? joins - 1 + " more joins than closes of the world" : heap.leftovers();
    }

    /// Ends the world, whatever the number of joins and the calling thread.
    @Override
    public void close() {
        boolean open;
        teams.world().gate().checkNotInUpcall(OperationKind.CLOSE);
        synchronized (this) {
            open = joins > 0;
            joins = 0;
        }
        if (open) {
            end();
        }
    }

    /// Ends the world when the program's main method has returned. Failures that the program has learnt of before
    /// are handled, and no reason for the PE to fail as well.
    public void closeAtEnd() {
        boolean isHandled = runtime.knowsOfFailures();
        try {
            close();
        } catch (PeFailedException | TeamRevokedException e) {
            if (!isHandled) {
                throw e;
            }
        }
    }

    private void end() {
        runtime.closeListeners().closing();
        try {
            page.set(StatusField.NEXT_SEQUENCE, StatusField.CLOSED_ALONE);
            engine.stopThread();
            context.completeAll();
            teams.close(next -> page.set(StatusField.NEXT_SEQUENCE, next));
        } finally {
            release(teams.world().hasMissed());
        }
        runtime.closeListeners().rethrow();
    }

    /// Ends the world without the other PEs, for which this PE has failed. Threads of this PE that use the world
    /// get exceptions from then on.
    void abandon() {
        synchronized (this) {
            if (joins == 0) {
                return; // another thread ends it
            }
            joins = 0;
        }
        try {
            engine.stopThread();
        } finally {
            release(true);
        }
    }

    /// @param isAlone whether other PEs may still be in the world
    private void release(boolean isAlone) {
        try {
            runtime.closeHooks();
            components.close();
            heap.close();
            runtime.publishCounters();
            if (memory != null) {
                memory.releaseAll();
            }
            job.state(PeState.CLOSED);
            if (isAlone) {
                job.leave(); // the others may go on without this PE
            }
            holder.clear();
            context.endAll();
            if (!isAlone) {
                runtime.closeListeners().closed();
            }
        } finally {
            holder.ended();
        }
    }

    @Override
    public String toString() {
        return "PE " + pe() + " of a world of " + size();
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.internal.heap.PeHeap;
import coterie.internal.kernel.KernelChoice;
import coterie.internal.record.PeRecords;
import coterie.internal.rma.PeMemory;
import coterie.internal.team.Teams;
import coterie.internal.trace.TracedLog;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.CloseListener;
import coterie.spi.CollectiveListener;
import coterie.spi.DescribedWait;
import coterie.spi.FaceSupport;
import coterie.spi.FaultSteps;
import coterie.spi.Kernels;
import coterie.spi.LaneDescription;
import coterie.spi.OperationLog;
import coterie.spi.ProgressHook;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What a PE's world has for faces: ways into its runtime.
final class PeFaceSupport implements FaceSupport {
    private final int pe;
    private final Teams teams;
    private final Team team;
    private final PeRuntime runtime;
    private final @Nullable PeRecords records;
    private final PeHeap heap;
    private final Map<String, String> settings;

    /// For the next wait of a face: waits make no garbage.
    private final AtomicReference<@Nullable FaceWait> spareWait = new AtomicReference<>();

    /// @param records where the operations of lanes are written; null if no process could read them
    /// @param settings of the join, which come before those of the process
    PeFaceSupport(
            int pe,
            Teams teams,
            Team team,
            PeRuntime runtime,
            @Nullable PeRecords records,
            PeHeap heap,
            Map<String, String> settings) {
        this.pe = pe;
        this.teams = teams;
        this.team = team;
        this.runtime = runtime;
        this.records = records;
        this.heap = heap;
        this.settings = settings;
    }

    /// Returns an argument that is not null.
    private <T> T given(String operation, String name, T argument) {
        return Objects.requireNonNull(argument, () -> on(operation) + name + " is null");
    }

    private String on(String operation) {
        return operation + " on PE " + pe + ": ";
    }

    @Override
    public ProgressHook.Registration addProgress(ProgressHook hook) {
        teams.checkCaller("addProgress");
        return runtime.register(given("addProgress", "hook", hook));
    }

    @Override
    public void await(DescribedWait wait, Duration timeout) {
        if (wait == null || timeout == null) { // without a lambda, which would be garbage of each wait
            throw new NullPointerException(on("await") + (wait == null ? "wait" : "timeout") + " is null");
        }
        teams.checkCaller("await");
        if (!wait.isOver()) {
            FaceWait face = Objects.requireNonNullElseGet(spareWait.getAndSet(null), FaceWait::new);
            runtime.room().awaitWork(face.begin(wait), WaitingRoom.timeoutNanos("await", pe, timeout));
            face.end();
            spareWait.set(face);
        }
    }

    @Override
    public Kernels kernels() {
        return KernelChoice.made().kernels();
    }

    @Override
    public long nanoTime() {
        return runtime.room().nanoTime();
    }

    @Override
    public CollectiveListener.Registration addCollectiveListener(CollectiveListener listener) {
        teams.checkCaller("addCollectiveListener");
        return runtime.collectiveListeners().register(given("addCollectiveListener", "listener", listener));
    }

    @Override
    public CloseListener.Registration addCloseListener(CloseListener listener) {
        teams.checkCaller("addCloseListener");
        return runtime.closeListeners().register(given("addCloseListener", "listener", listener));
    }

    @Override
    public void whenUnused(SymmetricMemory block, Runnable action) {
        given("whenUnused", "block", block);
        given("whenUnused", "action", action);
        teams.checkCaller("whenUnused");
        if (!(block instanceof PeMemory own)
                || !own.isWhole()
                || !own.isAliveIn(teams.world().context())) {
            throw new IllegalArgumentException(
                    on("whenUnused") + block + " is not an open block of memory of this world");
        }
        own.whenUnused(action);
    }

    @Override
    public Optional<OperationLog> openLog(LaneDescription lane) {
        given("openLog", "lane", lane);
        if (!team.isValid()) {
            throw new IllegalStateException(on("openLog") + "the world was closed");
        }
        PeRecords known = records;
        if (known == null) {
            return Optional.empty();
        }
        if (Setting.RECORDS.flag()) {
            return Optional.of(TracedLog.of(known.open(lane), runtime.counters().tracer, lane.name()));
        }
        known.addUnrecorded(1); // a diagnosis must know that this PE can do more than its threads
        return Optional.empty();
    }

    @Override
    public long takeHeap(long byteSize) {
        if (!team.isValid()) {
            throw new IllegalStateException(on("takeHeap") + "the world was closed");
        }
        return heap.acquire(byteSize);
    }

    @Override
    public void giveHeap(long byteOffset, long byteSize) {
        heap.release(byteOffset, byteSize);
    }

    @Override
    public Optional<MemorySegment> heapPart(int owner, long byteOffset, long byteSize, Arena arena) {
        given("heapPart", "arena", arena);
        return team.isValid() ? heap.part(owner, byteOffset, byteSize, arena) : Optional.empty();
    }

    @Override
    public Optional<FaultSteps> faultSteps() {
        return Optional.ofNullable(runtime.faultSteps());
    }

    @Override
    public String setting(String name) {
        given("setting", "name", name);
        return JoinSettings.where(settings).call(() -> Worlds.setting(name));
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.AllocationHint;
import coterie.Context;
import coterie.HeapStatistics;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.ThreadLevel;
import coterie.World;
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
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// One join of a PE's world. Each join has its own handle, so that a second `close` of one handle does not undo
/// another join. All joins, the first too, return a handle, so that a program sees one implementation of `World`.
final class WorldHandle implements World, FaceSupport {
    final PeWorld world;

    private final Team team;
    private final Context context;

    /// Whether the join is not closed; the world's monitor guards it.
    boolean counts = true;

    WorldHandle(PeWorld world) {
        this.world = world;
        this.team = world.team();
        this.context = world.context();
    }

    @Override
    public ThreadLevel threadLevel() {
        return world.threadLevel();
    }

    @Override
    public int pe() {
        return world.pe();
    }

    @Override
    public int size() {
        return world.size();
    }

    @Override
    public Team team() {
        return team;
    }

    @Override
    public Team sharedTeam() {
        return world.sharedTeam();
    }

    @Override
    public Team nodeTeam() {
        return world.nodeTeam();
    }

    @Override
    public Team sameIndexTeam() {
        return world.sameIndexTeam();
    }

    @Override
    public TeamId newTeamId() {
        return world.newTeamId();
    }

    @Override
    public Team formTeam(TeamId id, int size, int member, TeamConfig config, Duration timeout) {
        return world.formTeam(id, size, member, config, timeout);
    }

    @Override
    public Context context() {
        return context;
    }

    @Override
    public SymmetricMemory allocate(long byteSize) {
        return world.allocate(byteSize);
    }

    @Override
    public SymmetricMemory allocate(long byteSize, long alignment, AllocationHint... hints) {
        return world.allocate(byteSize, alignment, hints);
    }

    @Override
    public HeapStatistics heapStatistics() {
        return world.heapStatistics();
    }

    @Override
    public boolean isAccessible(int pe) {
        return world.isAccessible(pe);
    }

    @Override
    public boolean progress() {
        return world.progress();
    }

    @Override
    public void progressUntil(BooleanSupplier condition) {
        world.progressUntil(condition);
    }

    @Override
    public RuntimeException abort(int status) {
        throw world.abort(status);
    }

    @Override
    public RuntimeException fail() {
        throw world.fail();
    }

    @Override
    public void close() {
        world.undo(this);
    }

    @Override
    public Kernels kernels() {
        return world.faces().kernels();
    }

    @Override
    public long nanoTime() {
        return world.faces().nanoTime();
    }

    @Override
    public void await(DescribedWait wait, Duration timeout) {
        world.faces().await(wait, timeout);
    }

    @Override
    public CollectiveListener.Registration addCollectiveListener(CollectiveListener listener) {
        return world.faces().addCollectiveListener(listener);
    }

    @Override
    public CloseListener.Registration addCloseListener(CloseListener listener) {
        return world.faces().addCloseListener(listener);
    }

    @Override
    public void whenUnused(SymmetricMemory block, Runnable action) {
        world.faces().whenUnused(block, action);
    }

    @Override
    public ProgressHook.Registration addProgress(ProgressHook hook) {
        return world.faces().addProgress(hook);
    }

    @Override
    public long takeHeap(long byteSize) {
        return world.faces().takeHeap(byteSize);
    }

    @Override
    public void giveHeap(long byteOffset, long byteSize) {
        world.faces().giveHeap(byteOffset, byteSize);
    }

    @Override
    public Optional<MemorySegment> heapPart(int pe, long byteOffset, long byteSize, Arena arena) {
        return world.faces().heapPart(pe, byteOffset, byteSize, arena);
    }

    @Override
    public Optional<FaultSteps> faultSteps() {
        return world.faces().faultSteps();
    }

    @Override
    public Optional<OperationLog> openLog(LaneDescription lane) {
        return world.faces().openLog(lane);
    }

    @Override
    public String setting(String name) {
        return world.faces().setting(name);
    }

    @Override
    public String toString() {
        return world.toString();
    }
}

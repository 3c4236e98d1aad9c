// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.AllocationHint;
import coterie.Context;
import coterie.HeapStatistics;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.internal.mapped.MappedConduit;
import coterie.internal.memory.Allocator;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.PeState;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import coterie.internal.rma.PeContext;
import coterie.internal.team.PeTeam;
import coterie.internal.team.WorldHeap;
import coterie.internal.wait.Counters;
import coterie.internal.wait.MachineScheduler;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Bootstrap;
import coterie.spi.Conduit;
import coterie.spi.Scheduler;
import org.jspecify.annotations.Nullable;

/// One PE's world: the rooms of the runtime, wired together on join and taken apart on close.
public final class PeWorld implements World {
    private final Bootstrap bootstrap;
    private final @Nullable Seat seat;
    private final JobSegment job;
    private final StatusPage page;
    private final WaitingRoom room;
    private final PeContext context;
    private final PeTeam team;
    private final WorldHeap heap;
    private boolean closed;

    private PeWorld(Bootstrap bootstrap, @Nullable Seat seat, JobSegment job) {
        int me = bootstrap.pe();
        int size = bootstrap.size();
        this.bootstrap = bootstrap;
        this.seat = seat;
        this.job = job;
        this.page = job.status(me);
        Conduit conduit = Setting.DIRECT.flag() ? new MappedConduit(job, me) : new IndirectConduit(job, me);
        this.room = new WaitingRoom(
                me, job, scheduler(job), new Counters(), milliseconds(Setting.WAIT_EVENT_MS), Setting.FAULT.value());
        this.context = new PeContext(me, size, conduit, room);
        this.team = new PeTeam(me, size, context, conduit, room, Math.max(1, page.get(StatusField.NEXT_SEQUENCE)));
        this.heap = new WorldHeap(team, context, conduit, room, job.heapBytes());
    }

    /// Joins the job of `job`. Closing the world closes that segment, which gives up a job of the PE's own.
    ///
    /// @param seat null under plain `java`
    static PeWorld join(Bootstrap bootstrap, JobSegment job, @Nullable Seat seat) {
        StatusPage page = job.status(bootstrap.pe());
        if (page.state() == PeState.RUNNING) {
            throw new IllegalStateException(
                    "join on PE " + bootstrap.pe() + ", " + bootstrap.description() + ": its world is open already");
        }
        PeWorld world = new PeWorld(bootstrap, seat, job);
        if (seat != null && !seat.enter(world)) {
            throw new IllegalStateException(
                    "join on PE " + bootstrap.pe() + ": another thread joined at the same time");
        }
        page.set(StatusField.PID, ProcessHandle.current().pid());
        page.set(StatusField.WORLDS, page.get(StatusField.WORLDS) + 1);
        page.state(PeState.RUNNING);
        return world;
    }

    private static Scheduler scheduler(JobSegment job) {
        Integer spins = Setting.SPINS.number();
        return spins == null
                ? new MachineScheduler(job.size(), job.usableCpus())
                : new MachineScheduler(job.size(), job.usableCpus(), spins);
    }

    private static long milliseconds(Setting setting) {
        Integer value = setting.number();
        return value == null ? Long.MAX_VALUE : value * 1_000_000L;
    }

    @Override
    public int pe() {
        return bootstrap.pe();
    }

    @Override
    public int size() {
        return bootstrap.size();
    }

    @Override
    public Team team() {
        return team;
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
        return heap.allocate(byteSize, alignment); // mapped memory is the same for every use
    }

    @Override
    public HeapStatistics heapStatistics() {
        return heap.statistics();
    }

    @Override
    public boolean isAccessible(int pe) {
        return heap.isAccessible(pe);
    }

    @Override
    public void abort(int status) {
        if (status < 0 || status > 255) {
            throw new IllegalArgumentException(
                    "abort on PE " + pe() + ": exit code " + status + " is outside [0, 255]");
        }
        job.abort(status);
        Runtime.getRuntime().halt(status);
    }

    /// One line about what a test has left behind, or nothing.
    public String leftovers() {
        return heap.leftovers();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            team.meetToClose();
        } finally {
            team.close();
            heap.close();
            room.publishCounters();
            page.set(StatusField.NEXT_SEQUENCE, team.nextSequence());
            page.state(PeState.CLOSED);
            if (seat != null) {
                seat.leave(this);
            }
            job.close();
        }
    }
}

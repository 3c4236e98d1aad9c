// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.mapped.HeapAddresses;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusPage;
import coterie.spi.PeJob;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Holds the world that a PE has open, if any, and the objects that outlive it: the job and the addresses
/// of the heaps, which all worlds of the PE share.
final class WorldHolder {
    /// The holder for threads without a PE's thread group, such as all threads of a plain `java` start: see
    /// decision 0003.
    static final WorldHolder WITHOUT_GROUP = new WorldHolder(null, null);

    private final @Nullable HostedWorld host;
    private final @Nullable JobSegment mapped;
    private final AtomicReference<@Nullable WorldJob> job;
    private final AtomicReference<@Nullable HeapAddresses> heaps;
    private final ConduitMemory conduitMemory;
    private final AtomicReference<@Nullable PeWorld> world = new AtomicReference<>();
    private volatile @Nullable LaunchedPe launched;

    /// @param mapped the job's segment if this JVM has mapped it already, or null
    /// @param heaps the heap addresses of all PEs of this JVM, or null if there is no other PE
    WorldHolder(@Nullable JobSegment mapped, @Nullable HeapAddresses heaps) {
        this(mapped, heaps, null, null);
    }

    private WorldHolder(
            @Nullable JobSegment mapped,
            @Nullable HeapAddresses heaps,
            @Nullable HostedWorld host,
            @Nullable WorldJob job) {
        this.mapped = mapped;
        this.heaps = new AtomicReference<>(heaps);
        this.host = host;
        this.job = new AtomicReference<>(job);
        this.conduitMemory = new ConduitMemory(job == null ? null : job.memory);
    }

    /// Returns the holder of the one world of a PE that has joined in a host program.
    static WorldHolder hosted(HostedWorld host, WorldJob job) {
        return new WorldHolder(null, null, host, job);
    }

    /// Returns the PE of a host program whose world this is; null for a PE that is a process or a group of its
    /// threads.
    @Nullable
    HostedWorld host() {
        return host;
    }

    /// Returns the open world, or null.
    @Nullable
    PeWorld get() {
        return world.get();
    }

    /// Joins the open world once more, or opens one.
    ///
    /// @param launched the description of this PE, or null if no launcher has started it
    synchronized World join(ThreadLevel level, @Nullable LaunchedPe launched) {
        PeWorld open = world.get();
        if (open != null) {
            return open.joinAgain();
        }
        this.launched = launched;
        PeWorld opened = PeWorld.open(
                job(launched), launched == null ? null : launched.network().orElse(null), this, level);
        world.set(opened);
        return new WorldHandle(opened);
    }

    /// Makes this PE fail; returns only where it has no process of its own.
    void fail() {
        LaunchedPe place = launched;
        if (host != null) {
            host.fail("it called World.fail");
        } else if (place == null) {
            Runtime.getRuntime().halt(LaunchedPe.KILLED);
        } else {
            place.fail();
        }
    }

    /// Forgets the world, which has ended.
    void clear() {
        world.set(null);
    }

    /// Ends what the PE of a host program has beside its world, which has ended.
    void ended() {
        if (host != null) {
            host.ended();
        }
    }

    /// Returns the addresses of the heaps of the job's PEs, for a conduit that maps them. Only a join calls this.
    HeapAddresses heapAddresses(JobSegment job) {
        HeapAddresses addresses = heaps.get();
        if (addresses == null) {
            addresses = new HeapAddresses(job.size());
            heaps.set(addresses);
        }
        return addresses;
    }

    /// Returns the memory of conduits that plug in, from world to world.
    ConduitMemory conduitMemory() {
        return conduitMemory;
    }

    private WorldJob job(@Nullable LaunchedPe launched) {
        WorldJob found = job.get();
        if (found == null) {
            found = launched == null || launched.isAcrossHosts() ? unlaunched(launched) : launched(launched);
            job.set(found);
        }
        return found;
    }

    private WorldJob launched(LaunchedPe launched) {
        JobSegment segment = mapped != null ? mapped : JobSegment.attach(launched.segment());
        return WorldJob.of(segment, launched.pe(), launched.description());
    }

    /// Returns the job that a bootstrap finds, or else one of this PE alone.
    ///
    /// @param launched the description of this PE by a launcher of this host, or null
    private WorldJob unlaunched(@Nullable LaunchedPe launched) {
        Optional<PeJob> found = Bootstraps.join();
        if (found.isPresent() && launched != null) {
            return WorldJob.of(
                    found.get(), JobSegment.attach(launched.segment()).status(launched.pe()));
        }
        if (found.isPresent()) {
            EndOfMain.closeWorldOf(this);
            return WorldJob.of(found.get(), StatusPage.ofProcess());
        }
        ProcessManager.warning(System.getenv(), 1, Bootstraps::refusals)
                .ifPresent(warning -> System.getLogger("coterie").log(System.Logger.Level.WARNING, warning));
        long heapBytes = Runtime.getRuntime().maxMemory() / (1 << 20) * (1 << 20);
        JobSegment segment = JobSegment.create(new JobSegment.Parameters(
                "java", 1, heapBytes, Runtime.getRuntime().availableProcessors(), false));
        return WorldJob.of(
                segment, 0, "the only PE of process " + ProcessHandle.current().pid());
    }
}

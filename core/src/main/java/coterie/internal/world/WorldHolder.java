// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.mapped.HeapAddresses;
import coterie.internal.memory.JobSegment;
import coterie.spi.Bootstrap;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Holds the world that a PE has open, if any, and the objects that outlive it: the job's control segment and the
/// addresses of the heaps, which all worlds of the PE share.
final class WorldHolder {
    /// The holder for threads without a PE's thread group, such as all threads of a plain `java` start: see
    /// decision 0008.
    static final WorldHolder WITHOUT_GROUP = new WorldHolder(null, null);

    private final @Nullable JobSegment mapped;
    private final AtomicReference<@Nullable JobSegment> segment = new AtomicReference<>();
    private final AtomicReference<@Nullable HeapAddresses> heaps;
    private final AtomicReference<@Nullable PeWorld> world = new AtomicReference<>();

    /// @param mapped the job's segment if this JVM has mapped it already, or null
    /// @param heaps the heap addresses of all PEs of this JVM, or null if there is no other PE
    WorldHolder(@Nullable JobSegment mapped, @Nullable HeapAddresses heaps) {
        this.mapped = mapped;
        this.heaps = new AtomicReference<>(heaps);
    }

    /// Returns the open world, or null.
    @Nullable
    PeWorld get() {
        return world.get();
    }

    /// Joins the open world once more, or opens one.
    ///
    /// @param launched the description of this PE, or null for the only PE of a job without a launcher
    synchronized World join(ThreadLevel level, @Nullable Bootstrap launched) {
        PeWorld open = world.get();
        if (open != null) {
            return open.joinAgain();
        }
        JobSegment job = segment(launched);
        Bootstrap bootstrap = launched != null ? launched : new Lone(job.path());
        PeWorld opened = PeWorld.open(bootstrap, job, this, level);
        world.set(opened);
        return new WorldHandle(opened);
    }

    /// Forgets the world, which has ended.
    void clear() {
        world.set(null);
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

    private JobSegment segment(@Nullable Bootstrap launched) {
        JobSegment job = segment.get();
        if (job == null) {
            job = mapped != null ? mapped : launched != null ? JobSegment.attach(launched.segment()) : lone();
            segment.set(job);
        }
        return job;
    }

    private static JobSegment lone() {
        ProcessManager.warning(System.getenv(), 1)
                .ifPresent(warning -> System.getLogger("coterie").log(System.Logger.Level.WARNING, warning));
        long heapBytes = Runtime.getRuntime().maxMemory() / (1 << 20) * (1 << 20);
        return JobSegment.create(new JobSegment.Parameters(
                "java", 1, heapBytes, Runtime.getRuntime().availableProcessors(), false));
    }

    /// The bootstrap of a plain start.
    private record Lone(Path segment) implements Bootstrap {
        @Override
        public int pe() {
            return 0;
        }

        @Override
        public int size() {
            return 1;
        }

        @Override
        public String description() {
            return "the only PE of process " + ProcessHandle.current().pid();
        }
    }
}

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

/// The one world that a PE has open, if any, and what outlives it: the job's control segment and the addresses of
/// the heaps, which are the same however often the PE joins.
final class WorldHolder {
    /// What the threads that have no seat share, all those of a plain `java` start for one: see decision 0008.
    static final WorldHolder WITHOUT_SEAT = new WorldHolder(null);

    private final @Nullable JobSegment mapped;
    private final AtomicReference<@Nullable JobSegment> ground = new AtomicReference<>();
    private final AtomicReference<@Nullable HeapAddresses> heaps = new AtomicReference<>();
    private final AtomicReference<@Nullable PeWorld> world = new AtomicReference<>();

    /// @param mapped the job's segment where this JVM has mapped it already, or null
    WorldHolder(@Nullable JobSegment mapped) {
        this.mapped = mapped;
    }

    /// The world, until it has been dismantled.
    @Nullable
    PeWorld get() {
        return world.get();
    }

    /// Joins the open world once more, or opens one.
    ///
    /// @param launched who this PE is in its job, or null for the lone PE of a job of its own
    synchronized World join(ThreadLevel level, @Nullable Bootstrap launched) {
        PeWorld open = world.get();
        if (open != null) {
            return open.joinAgain();
        }
        JobSegment job = ground(launched);
        Bootstrap bootstrap = launched != null ? launched : new Lone(job.path());
        PeWorld opened = PeWorld.open(bootstrap, job, this, level);
        world.set(opened);
        return new WorldHandle(opened);
    }

    /// The world has been dismantled.
    void clear() {
        world.set(null);
    }

    /// Where the heaps of the job's PEs lie; only who maps them needs it. Called in a join.
    HeapAddresses heapAddresses(JobSegment job) {
        HeapAddresses addresses = heaps.get();
        if (addresses == null) {
            addresses = new HeapAddresses(job.size());
            heaps.set(addresses);
        }
        return addresses;
    }

    private JobSegment ground(@Nullable Bootstrap launched) {
        JobSegment job = ground.get();
        if (job == null) {
            job = mapped != null ? mapped : launched != null ? JobSegment.attach(launched.segment()) : lone();
            ground.set(job);
        }
        return job;
    }

    private static JobSegment lone() {
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
            return "the lone PE of process " + ProcessHandle.current().pid();
        }
    }
}

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
final class OpenWorld {
    /// What the threads that have no seat share, all those of a plain `java` start for one: see decision 0008.
    static final OpenWorld WITHOUT_SEAT = new OpenWorld();

    private final AtomicReference<@Nullable Ground> ground = new AtomicReference<>();
    private final AtomicReference<@Nullable PeWorld> world = new AtomicReference<>();

    private record Ground(JobSegment job, HeapAddresses addresses) {}

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
        Ground under = ground(launched);
        Bootstrap bootstrap = launched != null ? launched : new Lone(under.job.path());
        PeWorld opened = PeWorld.open(bootstrap, under.job, under.addresses, this, level);
        world.set(opened);
        return new Join(opened);
    }

    /// The world has been dismantled.
    void clear() {
        world.set(null);
    }

    private Ground ground(@Nullable Bootstrap launched) {
        Ground under = ground.get();
        if (under == null) {
            JobSegment job = launched != null ? JobSegment.attach(launched.segment()) : lone();
            under = new Ground(job, new HeapAddresses(job.size()));
            ground.set(under);
        }
        return under;
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

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.World;
import coterie.internal.memory.JobSegment;
import coterie.spi.Bootstrap;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Finds the job that the calling thread's PE belongs to, and joins it.
public final class Worlds {
    private Worlds() {}

    /// See [World#join()].
    public static World join() {
        Seat seat = Seat.current();
        if (seat != null) {
            return joinAt(seat);
        }
        Bootstrap launched = JobEnvironment.read(System.getenv());
        return launched != null ? join(launched, null) : alone();
    }

    private static World joinAt(Seat seat) {
        World open = seat.openWorld();
        if (open != null) {
            throw new IllegalStateException("join on PE " + open.pe()
                    + ": its world is open already; close it first, or pass it to where it is needed");
        }
        return join(seat.bootstrap(), seat);
    }

    private static World join(Bootstrap bootstrap, @Nullable Seat seat) {
        return PeWorld.join(bootstrap, JobSegment.attach(bootstrap.segment()), seat);
    }

    /// The job of one PE that a plain start is.
    private static World alone() {
        long heapBytes = Runtime.getRuntime().maxMemory() / (1 << 20) * (1 << 20);
        JobSegment segment = JobSegment.create(new JobSegment.Parameters(
                "java", 1, heapBytes, Runtime.getRuntime().availableProcessors(), false));
        return PeWorld.join(new Lone(segment.path()), segment, null);
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

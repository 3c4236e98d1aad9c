// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.ThreadLevel;
import coterie.World;
import coterie.spi.Bootstrap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the PE that the calling thread belongs to, and its world.
///
/// A thread without a seat is one of a plain `java` start, or one that the JDK has made for everybody: a virtual
/// thread, a thread of the common pool. The latter belongs to this JVM's PE where it has one only.
public final class Worlds {
    private Worlds() {}

    /// See [World#join(ThreadLevel)].
    public static World join(ThreadLevel level) {
        PeThreadGroup threadGroup = PeThreadGroup.current();
        if (threadGroup != null) {
            return threadGroup.place().join(level, threadGroup.bootstrap());
        }
        Bootstrap launched = JobEnvironment.read(System.getenv());
        List<PeThreadGroup> threadGroups = launched == null ? List.of() : PeThreadGroup.all();
        return switch (threadGroups.size()) {
            case 0 -> WorldHolder.WITHOUT_SEAT.join(level, launched);
            case 1 ->
                threadGroups
                        .getFirst()
                        .place()
                        .join(level, threadGroups.getFirst().bootstrap());
            default ->
                throw new IllegalStateException(
                        "join by " + Thread.currentThread() + ": it belongs to none of" + " the " + threadGroups.size()
                                + " PEs of this process; hand it the world that a PE's thread has joined");
        };
    }

    /// See [World#isJoined()].
    public static boolean isJoined() {
        WorldHolder place = place();
        return place != null && place.get() != null;
    }

    /// Where the calling thread's PE keeps its world, or null if the thread can't be told to belong to one.
    private static @Nullable WorldHolder place() {
        PeThreadGroup threadGroup = PeThreadGroup.current();
        if (threadGroup != null) {
            return threadGroup.place();
        }
        List<PeThreadGroup> threadGroups =
                System.getenv(JobEnvironment.COTERIE_SEGMENT.name()) == null ? List.of() : PeThreadGroup.all();
        return switch (threadGroups.size()) {
            case 0 -> WorldHolder.WITHOUT_SEAT;
            case 1 -> threadGroups.getFirst().place();
            default -> null;
        };
    }
}

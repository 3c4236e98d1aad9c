// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.World;
import coterie.internal.mapped.HeapAddresses;
import coterie.internal.memory.JobSegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The threads of one PE in this JVM, with the PE's identity and its world.
///
/// A thread belongs to a PE in one of two ways. Either it has called [#join], or a thread that had called it has
/// started it, directly or indirectly: this covers virtual threads, which have no group of a PE. Or one of the
/// thread groups above it is the PE's: this covers threads that inherit nothing. `System.out` and uncaught
/// exceptions use the same rule in a JVM that hosts several PEs. Unlike a scoped value, both ways cover threads
/// and pools that the program starts by itself.
///
/// In processes mode a JVM has one such group, a host has one for each PE, and a plain `java` start has none.
public final class PeThreadGroup extends ThreadGroup {
    private static final InheritableThreadLocal<@Nullable PeThreadGroup> JOINED = new InheritableThreadLocal<>();

    private final LaunchedPe bootstrap;
    private final WorldHolder holder;
    private final boolean isAlone;

    /// Makes the group of the PE that `bootstrap` describes, below the caller's group.
    public PeThreadGroup(LaunchedPe bootstrap) {
        this(bootstrap, null, null);
    }

    /// Makes the group of a PE, in a JVM that may host other PEs of the job.
    ///
    /// @param job the segment that `bootstrap` names, or null to map it at the first join
    /// @param heaps the heap addresses of all PEs of this JVM, or null if there is no other PE
    public PeThreadGroup(LaunchedPe bootstrap, @Nullable JobSegment job, @Nullable HeapAddresses heaps) {
        super("PE " + bootstrap.pe());
        this.bootstrap = bootstrap;
        this.holder = new WorldHolder(job, heaps);
        this.isAlone = heaps == null;
    }

    /// Makes the calling thread, and the threads that it starts later, belong to this PE.
    public void join() {
        JOINED.set(this);
    }

    /// Returns the group of the calling thread's PE, or null if the thread belongs to none.
    public static @Nullable PeThreadGroup current() {
        PeThreadGroup joined = JOINED.get();
        if (joined != null) {
            return joined;
        }
        for (ThreadGroup group = Thread.currentThread().getThreadGroup(); group != null; group = group.getParent()) {
            if (group instanceof PeThreadGroup threadGroup) {
                return threadGroup;
            }
        }
        return null;
    }

    /// Returns all groups of PEs of this JVM that have a thread.
    static List<PeThreadGroup> all() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        for (ThreadGroup above = root; above != null; above = above.getParent()) {
            root = above;
        }
        ThreadGroup[] groups;
        int count;
        do {
            groups = new ThreadGroup[root.activeGroupCount() + 8];
            count = root.enumerate(groups, true);
        } while (count == groups.length); // enumerate drops groups that do not fit into the array
        List<PeThreadGroup> threadGroups = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (groups[i] instanceof PeThreadGroup threadGroup) {
                threadGroups.add(threadGroup);
            }
        }
        return threadGroups;
    }

    /// Returns the description of this PE.
    public LaunchedPe bootstrap() {
        return bootstrap;
    }

    /// Returns the world that this PE has open, or null. Its `close` ends it whatever the number of joins.
    public @Nullable World openWorld() {
        return holder.get();
    }

    /// Returns whether the JVM hosts no other PE.
    boolean isAlone() {
        return isAlone;
    }

    /// Returns the holder of this PE's world.
    WorldHolder holder() {
        return holder;
    }
}

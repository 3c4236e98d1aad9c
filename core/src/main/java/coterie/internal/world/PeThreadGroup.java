// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.World;
import coterie.internal.memory.JobSegment;
import coterie.spi.Bootstrap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A PE's place in this JVM: who it is, and where it keeps its world.
///
/// A thread finds its PE in one of two ways: it has taken the seat, or was started, directly or not, by a thread
/// that had; or a thread group above it is the seat. The former covers virtual threads, which have no group of
/// ours, the latter threads that inherit nothing. So do `System.out` and uncaught exceptions where a JVM hosts
/// several PEs. Unlike a scoped value both cover threads and pools that the program starts by itself.
///
/// In processes mode the JVM has one seat, in a host one for each PE, and none under plain `java`.
public final class PeThreadGroup extends ThreadGroup {
    private static final InheritableThreadLocal<@Nullable PeThreadGroup> TAKEN = new InheritableThreadLocal<>();

    private final Bootstrap bootstrap;
    private final WorldHolder place;

    /// A seat for the PE that `bootstrap` describes, below the caller's group.
    public PeThreadGroup(Bootstrap bootstrap) {
        this(bootstrap, null);
    }

    /// A seat in a JVM that has mapped the job's segment already.
    ///
    /// @param job the segment that `bootstrap` names, or null for one of this seat's own when it is needed
    public PeThreadGroup(Bootstrap bootstrap, @Nullable JobSegment job) {
        super("PE " + bootstrap.pe());
        this.bootstrap = bootstrap;
        this.place = new WorldHolder(job);
    }

    /// From now on the calling thread belongs here, and so do those that it starts.
    public void join() {
        TAKEN.set(this);
    }

    /// The seat of the calling thread, or null under plain `java`.
    public static @Nullable PeThreadGroup current() {
        PeThreadGroup taken = TAKEN.get();
        if (taken != null) {
            return taken;
        }
        for (ThreadGroup group = Thread.currentThread().getThreadGroup(); group != null; group = group.getParent()) {
            if (group instanceof PeThreadGroup threadGroup) {
                return threadGroup;
            }
        }
        return null;
    }

    /// All seats of this JVM that have a thread.
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
        } while (count == groups.length); // it leaves out what does not fit
        List<PeThreadGroup> threadGroups = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (groups[i] instanceof PeThreadGroup threadGroup) {
                threadGroups.add(threadGroup);
            }
        }
        return threadGroups;
    }

    /// Who sits here.
    public Bootstrap bootstrap() {
        return bootstrap;
    }

    /// The world that this PE has joined and not closed yet; closing it ends it, however often it was joined.
    public @Nullable World openWorld() {
        return place.get();
    }

    /// Where this PE keeps its world.
    WorldHolder place() {
        return place;
    }
}

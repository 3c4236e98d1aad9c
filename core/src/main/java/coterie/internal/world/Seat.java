// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.World;
import coterie.spi.Bootstrap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A PE's place in this JVM: the thread group that its main thread and everything it starts run in.
///
/// A thread finds its PE by walking up its groups; so do `System.out` and uncaught exceptions in threads mode.
/// Unlike a scoped value this also covers threads and pools that the program starts by itself. In processes mode
/// the JVM has one seat, in threads mode one for each PE, and none under plain `java`.
public final class Seat extends ThreadGroup {
    private final Bootstrap bootstrap;
    private final OpenWorld place = new OpenWorld();

    /// A seat for the PE that `bootstrap` describes, below the caller's group.
    public Seat(Bootstrap bootstrap) {
        super("PE " + bootstrap.pe());
        this.bootstrap = bootstrap;
    }

    /// The seat of the calling thread, or null under plain `java`.
    public static @Nullable Seat current() {
        return of(Thread.currentThread());
    }

    /// The seat that a thread belongs to, or null if it has ended or belongs to none.
    public static @Nullable Seat of(Thread thread) {
        for (ThreadGroup group = thread.getThreadGroup(); group != null; group = group.getParent()) {
            if (group instanceof Seat seat) {
                return seat;
            }
        }
        return null;
    }

    /// All seats of this JVM that have a thread.
    static List<Seat> all() {
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
        List<Seat> seats = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            if (groups[i] instanceof Seat seat) {
                seats.add(seat);
            }
        }
        return seats;
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
    OpenWorld place() {
        return place;
    }
}

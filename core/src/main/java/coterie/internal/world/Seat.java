// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.World;
import coterie.spi.Bootstrap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A PE's place in this JVM: the thread group that its main thread and everything it starts run in.
///
/// A thread finds its PE by walking up its groups; so do `System.out` and uncaught exceptions in threads mode.
/// Unlike a scoped value this also covers threads and pools that the program starts by itself. In processes mode
/// the JVM has one seat, in threads mode one for each PE, and none under plain `java`.
public final class Seat extends ThreadGroup {
    private final Bootstrap bootstrap;
    private final AtomicReference<@Nullable World> open = new AtomicReference<>();

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

    /// Who sits here.
    public Bootstrap bootstrap() {
        return bootstrap;
    }

    /// The world that this PE has joined and not closed yet.
    public @Nullable World openWorld() {
        return open.get();
    }

    boolean enter(World world) {
        return open.compareAndSet(null, world);
    }

    void leave(World world) {
        open.compareAndSet(world, null);
    }
}

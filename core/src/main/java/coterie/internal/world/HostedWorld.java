// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.memory.StatusPage;
import coterie.internal.wait.ThreadWatch;
import coterie.spi.Bootstrap;
import coterie.spi.HostedPe;
import coterie.spi.PeJob;
import java.lang.foreign.Arena;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The world of a PE that is a thread of a host program, with what it has beside its world: its job, and a thread
/// that notes the end of the PE's thread.
///
/// Only the thread that has joined finds the world by [World#join]. The threads that it starts do not inherit it:
/// those of a pool live longer than the job, and would keep it, and take later work for the job's.
public final class HostedWorld implements HostedPe {
    private static final ThreadLocal<@Nullable JoinedWorld> CURRENT = new ThreadLocal<>();

    private final PeJob job;
    private final WorldHolder holder;
    private final JoinedWorld joined;
    private final ThreadWatch watch;
    private @Nullable World world;

    /// What a thread has joined. A world that ends leaves it, since another thread may have closed the world.
    private static final class JoinedWorld {
        private final AtomicReference<@Nullable HostedWorld> world = new AtomicReference<>();
        private final @Nullable JoinedWorld before;

        JoinedWorld(@Nullable JoinedWorld before) {
            this.before = before;
        }

        @Nullable
        HostedWorld get() {
            return world.get();
        }
    }

    private HostedWorld(PeJob job) {
        this.joined = new JoinedWorld(top());
        this.job = job;
        this.holder = WorldHolder.hosted(this, WorldJob.of(job, StatusPage.ofProcess(), Arena.ofAuto()));
        this.watch = new ThreadWatch(
                Thread.currentThread(),
                "coterie-hosted-" + job.pe(),
                () -> fail("the thread that had joined has ended without a close of its world"));
    }

    /// Does [HostedPe#join].
    public static HostedPe join(Bootstrap bootstrap, Map<String, String> settings, ThreadLevel level) {
        Map<String, String> given = Map.copyOf(settings);
        JoinSettings.check(given);
        return JoinSettings.where(given).call(() -> open(Bootstraps.join(bootstrap), level));
    }

    private static HostedWorld open(PeJob job, ThreadLevel level) {
        HostedWorld hosted = new HostedWorld(job);
        hosted.joined.world.set(hosted);
        boolean isOpen = false;
        try {
            hosted.world = hosted.holder.join(level, null);
            hosted.watch.start();
            CURRENT.set(hosted.joined);
            isOpen = true;
            return hosted;
        } finally {
            if (!isOpen) {
                hosted.ended();
            }
        }
    }

    /// Returns the world that the calling thread has opened last and not closed, or null.
    static @Nullable HostedWorld current() {
        JoinedWorld top = top();
        return top == null ? null : top.get();
    }

    private static @Nullable JoinedWorld top() {
        JoinedWorld open = CURRENT.get();
        while (open != null && open.get() == null) {
            open = open.before;
        }
        if (open == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(open);
        }
        return open;
    }

    WorldHolder holder() {
        return holder;
    }

    @Override
    public World world() {
        return Objects.requireNonNull(world, "a join sets it");
    }

    @Override
    public void fail(String why) {
        Objects.requireNonNull(why, "fail: why is null");
        PeWorld open = holder.get();
        if (open != null) {
            job.failed(job.pe(), why);
            open.abandon();
        }
    }

    @Override
    public void close() {
        PeWorld open = holder.get();
        if (open != null) {
            open.closeAtEnd();
        }
    }

    /// The world has ended, or was never opened.
    void ended() {
        if (joined.world.getAndSet(null) != null) {
            try {
                top();
                watch.interrupt();
                holder.conduitMemory().releaseAll();
            } finally {
                job.close();
            }
        }
    }
}

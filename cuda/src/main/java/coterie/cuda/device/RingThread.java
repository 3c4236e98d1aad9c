// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import coterie.World;
import coterie.spi.FaceSupport;
import coterie.spi.RuntimeThreads;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A thread that advances the PE while kernels run, also when the program's threads wait in the driver.
///
/// It waits as a program does, by [World#progressUntil], but never for long at a stretch: a wait that goes on for
/// ever would look like one that lacks its partner.
final class RingThread implements Runnable, BooleanSupplier {
    private static final long STRETCH_NANOS = 200_000_000;

    private final World world;
    private final FaceSupport support;
    private final Runnable onFailure;
    private volatile boolean isStopping;
    private volatile boolean hasEnded;
    private volatile @Nullable RuntimeException failure;
    private long begin;

    private RingThread(World world, Runnable onFailure) {
        this.world = world;
        this.support = FaceSupport.of(world);
        this.onFailure = onFailure;
    }

    /// @param onFailure ends the waits of kernels, which no thread would serve any more
    static RingThread start(World world, String name, Runnable onFailure) {
        RingThread made = new RingThread(world, onFailure);
        RuntimeThreads.daemon(name, made).start();
        return made;
    }

    @Override
    public void run() {
        try {
            while (!isStopping) {
                begin = support.nanoTime();
                world.progressUntil(this);
            }
        } catch (RuntimeException e) { // the job is aborted, or the world has ended before the team
            failure = e;
            onFailure.run();
        } finally {
            hasEnded = true;
        }
    }

    @Override
    public boolean getAsBoolean() {
        return isStopping || support.nanoTime() - begin > STRETCH_NANOS;
    }

    /// Ends the thread, waits for its end, and throws what has ended it earlier.
    void stop() {
        isStopping = true;
        world.progressUntil(() -> hasEnded);
        RuntimeException earlier = failure;
        if (earlier != null) {
            throw earlier;
        }
    }
}

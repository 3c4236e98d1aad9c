// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import coterie.World;
import java.util.function.BooleanSupplier;

/// A thread that advances the PE while kernels run, also when the program's threads wait in the driver.
///
/// It waits as a program does, by [World#progressUntil], but never for long at a stretch: a wait that goes on for
/// ever would look like one that lacks its partner.
final class RingThread implements Runnable, BooleanSupplier {
    private static final long STRETCH_NANOS = 200_000_000;

    private final World world;
    private volatile boolean isStopping;
    private volatile boolean hasEnded;
    private long begin;

    private RingThread(World world) {
        this.world = world;
    }

    static RingThread start(World world, String name) {
        RingThread made = new RingThread(world);
        Thread thread = new Thread(made, name);
        thread.setDaemon(true);
        thread.start();
        return made;
    }

    @Override
    public void run() {
        try {
            while (!isStopping) {
                begin = world.nanoTime();
                world.progressUntil(this);
            }
        } finally {
            hasEnded = true;
        }
    }

    @Override
    public boolean getAsBoolean() {
        return isStopping || world.nanoTime() - begin > STRETCH_NANOS;
    }

    /// Ends the thread, and waits for its end.
    void stop(World world) {
        isStopping = true;
        world.progressUntil(() -> hasEnded);
    }
}

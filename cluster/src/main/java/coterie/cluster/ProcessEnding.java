// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import java.time.Duration;

/// Ends this process in bounded time, for PEs whose starter does not do it: after an abort, and for a PE that
/// counts as failed. The waits of the program end with an exception at the same time.
final class ProcessEnding {
    /// The exit code of a PE that counts as failed because it has lost its coordinator, or its coordinator has
    /// lost it: that of an uncaught exception.
    static final int FENCED = 1;

    /// Time for the program to report its exceptions and to run its shutdown hooks.
    private static final Duration GRACE = Duration.ofSeconds(3);

    private ProcessEnding() {}

    /// Ends the process: by its shutdown hooks after the grace, or at once if it takes twice as long.
    static void start(int exitCode) {
        Thread.ofPlatform().daemon().name("coterie-end").start(() -> {
            Thread exit = Thread.ofPlatform().daemon().unstarted(() -> System.exit(exitCode));
            try {
                JobClock.SYSTEM.sleep(GRACE);
                exit.start();
                exit.join(GRACE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            Runtime.getRuntime().halt(exitCode);
        });
    }
}

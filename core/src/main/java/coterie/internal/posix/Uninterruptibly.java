// SPDX-License-Identifier: Apache-2.0
package coterie.internal.posix;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/// Runs file actions of the runtime to their end although the calling thread is interrupted. The JDK closes a file
/// channel if an interrupt comes while a thread uses it; the runtime keeps interrupts for the program (decision
/// 0031).
public final class Uninterruptibly {
    private Uninterruptibly() {}

    /// An action that opens its channels itself, so that it can be retried.
    @FunctionalInterface
    public interface FileAction<T> {
        T run() throws IOException;
    }

    /// Runs the action with the thread's interrupt flag cleared, again if an interrupt has closed its channel, and
    /// sets the flag afterwards if the thread was interrupted before or meanwhile.
    public static <T> T call(FileAction<T> action) throws IOException {
        boolean isInterrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return action.run();
                } catch (ClosedByInterruptException e) {
                    isInterrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

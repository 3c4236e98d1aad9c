// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// Where a PE is in its life.
public enum PeState {
    /// started, or about to be; has not joined the world
    STARTING,
    /// between join and close
    RUNNING,
    /// has closed its world in good order; may join again
    CLOSED,
    /// ended with exit code 0, and without a world left open
    ENDED,
    /// ended any other way: killed, non-zero exit code, or in the middle of its world
    FAILED;

    /// Returns whether a PE in this state will never act again.
    public boolean hasTerminated() {
        return this == ENDED || this == FAILED;
    }
}

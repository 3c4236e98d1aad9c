// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// How a PE moves bytes and waits, where its [Bootstrap] brings that along.
public interface Network {
    /// Opens the conduit of a world; it ends with it.
    ///
    /// @param syncBytes what the runtime needs of [Conduit.Region#SYNC] at least
    Conduit open(long syncBytes);

    /// How this PE waits.
    WaitStrategy waitStrategy();
}

// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// How a PE of a [Simulator] moves bytes and waits.
public interface Network {
    /// Opens the conduit of a world, which closes it when it ends.
    ///
    /// @param syncBytes minimum size that the runtime needs of [Conduit.Region#SYNC]
    Conduit open(long syncBytes);

    /// Returns how this PE waits.
    WaitStrategy waitStrategy();
}

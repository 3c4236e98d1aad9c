// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// Learns that a PE's world closes: for a face whose own close waits for no other PE, and leaves to the world what must
/// wait.
/// [FaceSupport#addCloseListener] registers it. A world that a failure or an abort of the job ends does not call it.
///
/// The thread that closes the world calls it, listeners that were registered last first.
public interface CloseListener {

    /// The world is about to close. The listener may use all of it, and may wait: the other PEs wait in the close of
    /// the
    /// world as well, or will.
    ///
    /// What it throws the close of the world throws, after it has ended all.
    default void closing() {}

    /// The world has closed: all PEs have come to its end, and none uses the memory of another any more. The listener
    /// does not use the world.
    ///
    /// What it throws the close of the world throws.
    default void closed() {}

    /// A listener that is registered.
    interface Registration extends AutoCloseable {
        /// Ends the registration. A second close does nothing.
        @Override
        void close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.spi.PeState;

/// The service by which PEs on several hosts know their job: the coordinator, as the launcher of the job uses it.
/// Threads: any.
public interface JobService extends AutoCloseable {
    /// What the launcher learns of the PEs, in a thread of the service. A method must not block.
    interface Events {
        /// A PE has joined the job, or has opened or closed a world.
        void entered(int pe, PeState state);

        /// A PE will never act again, although the end of its process has not been reported.
        ///
        /// @param why one phrase
        void failed(int pe, String why);

        /// A PE has asked for an abort; called once.
        ///
        /// @param pe −1 if no PE has asked, but the host program
        /// @param exitCode in `[0, 255]`
        void aborted(int pe, int exitCode);
    }

    /// Starts the service.
    ///
    /// @return the key of the job, as text
    String open(Events events);

    /// Returns how long a host or a PE may be silent before it counts as lost, in milliseconds.
    int silenceMillis();

    /// Returns how long it may take until the agent of a host sends its first bytes, in milliseconds.
    int joinMillis();

    /// Reports that a PE will never act again, although its process may live: it counts as failed, and learns so if
    /// it can be reached.
    ///
    /// @param why one phrase
    void failed(int pe, String why);

    /// Reports the end of the process of a PE. Returns when the service has read the last messages of the PE,
    /// which takes 1 s at most.
    void exited(int pe, int exitCode) throws InterruptedException;

    @Override
    void close();
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// What a host of several PEs tells about one that has failed.
///
/// @param what one line: the exception, or why it was killed
/// @param doings what the other PEs were doing, as [Report#doings] has it
record HostedFailure(int pe, int exitCode, How how, String what, String doings) {
    /// How a PE fails that has no process of its own.
    enum How {
        /// a thread of its has thrown
        THREW,
        /// the stage has killed it
        KILLED
    }
}

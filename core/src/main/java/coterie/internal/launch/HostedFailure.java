// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// What a host of several PEs tells about one that has failed.
///
/// @param what one line: the exception, or why it was killed
/// @param doings what the other PEs were doing, as [JobReport#doings] has it
record HostedFailure(int pe, int exitCode, Kind kind, String what, String doings) {
    /// How a PE fails that has no process of its own.
    enum Kind {
        /// a thread of its has thrown
        THREW,
        /// the stage has killed it
        KILLED
    }
}

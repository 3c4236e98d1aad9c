// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// What a host of several PEs reports to the launcher about a PE that has failed.
///
/// @param what one line: the exception, why the simulator killed the PE, or that it called `World.fail`
/// @param doings what the other PEs were doing, in the form of [JobReport#doings]
record HostedFailure(int pe, int exitCode, Kind kind, String what, String doings) {
    /// The ways in which a PE without a process of its own fails.
    enum Kind {
        /// a thread of the PE has thrown an exception
        THREW,
        /// the simulator has killed the PE
        KILLED,
        /// the PE has called `World.fail`
        FAILED
    }
}

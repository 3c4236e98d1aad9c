// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// What a kernel does, as far as a diagnosis needs it.
enum KernelState {
    /// It has not been looked at.
    UNKNOWN,
    /// Threads run code of the program.
    ACTS,
    /// All threads that have started wait.
    WAITS,
    /// They do so for long.
    WAITS_LONG
}

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
    WAITS_LONG;

    private static final KernelState[] ALL = values();

    private static final int BITS = 2;

    /// Returns what a record of a kernel says, as a number.
    ///
    /// @param changes blocks that have started or ended
    long with(long changes) {
        return changes << BITS | ordinal();
    }

    /// Returns the state in a number of [#with].
    static KernelState of(long known) {
        return ALL[(int) known & (ALL.length - 1)];
    }
}

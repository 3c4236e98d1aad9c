// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

/// One operation, many times over: what the stopwatch times.
///
/// Every PE calls [#run] with the same arguments; those that have no part in the operation return at once. The
/// call through this interface is made once for a whole repetition: the loop inside belongs to one class, and is
/// compiled with a profile of its own.
interface Loop {
    /// Runs the operation.
    ///
    /// @param iterations at least 1
    /// @param bytes of one operation; 0 where the operation has no payload
    void run(long iterations, long bytes);

    /// Looks at what the last [#run] has left in memory. Called by every PE after a barrier.
    ///
    /// @param operation its name, for messages
    /// @throws IllegalStateException if it is not what the operation should have left
    default void check(String operation, long bytes) {}
}

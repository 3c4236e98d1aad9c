// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import coterie.internal.wait.PeRuntime;
import java.util.function.IntUnaryOperator;

/// The PEs that share a lock. The queue numbers them from 0 on; this record alone knows which PEs of the world
/// these numbers mean.
///
/// @param worldPes the number in the world of each PE of the queue
/// @param me this PE's number in the queue
/// @param size how many PEs share the lock
record LockMembers(PeRuntime runtime, IntUnaryOperator worldPes, int me, int size) {

    /// Returns the number in the world, or a negative number for none.
    int worldPe(int number) {
        return number < 0 ? number : worldPes.applyAsInt(number);
    }

    /// Returns whether a PE will never act again. False for all, by one load, as long as no PE has ended.
    boolean hasTerminated(int number) {
        return runtime.hasFailures() && runtime.hasTerminated(worldPe(number));
    }

    /// Returns how a PE has ended, for messages.
    String terminationCause(int number) {
        return runtime.terminationCause(worldPe(number));
    }
}

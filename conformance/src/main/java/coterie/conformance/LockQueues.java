// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.IntView;
import coterie.IntegerView;
import coterie.World;

/// Reads a lock's queue from outside, for tests that must know which PEs have joined it.
final class LockQueues {
    private LockQueues() {}

    /// Waits until a PE, or none, is the last in the queue: the number that the home has in the first half of
    /// the lock.
    ///
    /// @param count the PE's number + 1
    static void awaitLast(World world, IntegerView words, int count) {
        IntView halves = words.memory().ints();
        while (true) {
            long last = 0;
            for (int home = 0; home < world.size(); home++) {
                last += halves.getAcquire(0, home);
            }
            if (last == count) {
                return;
            }
            Thread.onSpinWait();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import coterie.SymmetricMemory;
import coterie.World;

/// What tests of locks see from outside: which PEs are in the queue, and which have begun to wait.
final class Queues {
    private Queues() {}

    /// Waits, without the runtime, until a PE is the last in the queue of the lock at the start of a block.
    static void awaitLast(World world, SymmetricMemory block, int pe) {
        boolean last = false;
        while (!last) {
            for (int home = 0; home < world.size(); home++) {
                last |= block.ints().getAcquire(0, home) == pe + 1;
            }
            Thread.onSpinWait();
        }
    }
}

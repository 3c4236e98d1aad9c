// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.wait.OperationKind;

/// What tests of locks see from outside: who is in the queue, and who has come to wait.
final class Queues {
    private Queues() {}

    /// Waits, without the runtime, until a PE is the last in the queue of the lock at the start of a block.
    static void awaitLast(World world, SymmetricMemory block, int pe) {
        boolean last = false;
        while (!last) {
            for (int home = 0; home < world.size(); home++) {
                last |= block.longs().atomicFetch(0, home) == pe + 1;
            }
            Thread.onSpinWait();
        }
    }

    /// Waits, without the runtime, until a PE has told its status page that it waits for a lock.
    static void awaitWaiting(JobSegment job, int pe) {
        while (OperationKind.of(job.status(pe).get(StatusField.WAIT_KIND)) != OperationKind.LOCK) {
            Thread.onSpinWait();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;

/// What tests of locks see from outside: who is in the queue, and who has come to wait.
final class Queues {
    private Queues() {}

    /// A job whose operations load and store, or go through the conduit.
    static LocalJob job(int size, boolean direct) {
        System.setProperty(Setting.LOAD_STORE.property(), Boolean.toString(direct));
        return new LocalJob(size);
    }

    /// The next world of each PE is to fail as this says; see the waiting room's faults.
    static void plant(String fault) {
        System.setProperty(Setting.FAULT.property(), fault);
    }

    static void clearSettings() {
        System.clearProperty(Setting.LOAD_STORE.property());
        System.clearProperty(Setting.FAULT.property());
    }

    /// Waits, without the runtime, until a PE is the last in the queue of the lock at the start of a block.
    static void awaitLast(World world, SymmetricMemory block, int pe) {
        boolean last = false;
        while (!last) {
            for (int home = 0; home < world.size(); home++) {
                last |= block.ints().atomicFetch(0, home) == pe + 1;
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

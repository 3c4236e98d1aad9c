// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.internal.wait.WaitingRoom;

/// Advances the conduit every few reads and atomics of memory that this PE loads and stores, its own and its
/// node's: a program may poll by them, and never wait.
final class OwnReads {
    /// Reads from one progress of the conduit to the next: so few that a loop of reads soon ends, so many that they
    /// hide its cost.
    private static final int READS_PER_PROGRESS = 64;

    /// Threads may miss each other's.
    private int count;

    void note(WaitingRoom room) {
        count++;
        if (count % READS_PER_PROGRESS == 0) {
            room.progress();
        }
    }
}

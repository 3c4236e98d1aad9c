// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

import org.jspecify.annotations.Nullable;

/// What a thread of a PE is recording. Only the thread itself uses it.
final class ThreadLane {
    final int number;

    /// The address of the operation that has not ended.
    final long open;

    /// Operations that the thread is in. What it does within one is a part of this one, and not recorded.
    int depth;

    /// The team whose collective the thread is in.
    @Nullable
    Object collective;

    /// Operations whose line of the program has been looked for.
    int located;

    ThreadLane(int number, long open) {
        this.number = number;
        this.open = open;
    }
}

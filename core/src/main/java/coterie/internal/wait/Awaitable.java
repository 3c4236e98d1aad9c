// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.memory.TeamLabel;
import org.jspecify.annotations.Nullable;

/// Work of this PE that goes on while somebody waits for it, and that says what it waits for itself.
///
/// What it says is asked for messages and for the status page, where it may change from one moment to the next.
public interface Awaitable {

    /// Advances what there is to advance and says whether the work is done. Must neither wait nor, as long as
    /// nothing fails, allocate.
    boolean poll();

    /// The operation.
    OperationKind kind();

    /// The team whose operation it is, or null.
    default @Nullable TeamLabel team() {
        return null;
    }

    /// Number of the operation in its team, or −1.
    default long sequence() {
        return -1;
    }

    /// Whom the work waits for now, or −1.
    default int awaitedPe() {
        return -1;
    }

    /// What else people want to know of it; may be empty.
    default String text() {
        return "";
    }

    /// Whether who waits for it is a thread that has nothing else to do. Its wait is none of the program's: it
    /// doesn't count as one, and leaves the status page to others.
    default boolean isService() {
        return false;
    }
}

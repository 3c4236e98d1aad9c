// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.memory.StatusLabel;
import org.jspecify.annotations.Nullable;

/// Work of this PE that goes on while a thread waits for it, and that describes what it waits for itself.
///
/// Messages and the status page read the description, which may change from one moment to the next.
public interface Awaitable {
    /// In place of a PE: the work waits for a task of a layer, and only the layer knows what ends it.
    int LAYER = -2;

    /// Advances the work as far as possible and returns whether it is done. It does not wait, and allocates only
    /// if something fails.
    boolean poll();

    /// The operation.
    OperationKind kind();

    /// The team whose operation it is, or null.
    default @Nullable StatusLabel team() {
        return null;
    }

    /// Number of the operation in its team, or −1.
    default long sequence() {
        return -1;
    }

    /// The PE that the work waits for now, [#LAYER], or −1.
    default int awaitedPe() {
        return -1;
    }

    /// The layer whose task the work waits for, where [#awaitedPe] is [#LAYER]; otherwise null.
    default @Nullable StatusLabel awaitedLayer() {
        return null;
    }

    /// Returns a bit for each PE whose program can end the wait now; 0 if any other's can. Called once in a while, in
    /// waits that last.
    default long awaitedPes() {
        return 0;
    }

    /// Returns the operation in the words of a face; empty if [#kind] says it. Called once, in a wait that lasts.
    default String statement() {
        return "";
    }

    /// A detail for messages; may be empty.
    default String text() {
        return "";
    }

    /// Returns whether another thread of this PE ends the wait in moments, so that a progress hook may begin it.
    default boolean isBrief() {
        return false;
    }

    /// Returns whether the waiter is a service thread, which does nothing else. Its waits are not counted as the
    /// program's, and do not appear on the status page.
    default boolean isService() {
        return false;
    }
}

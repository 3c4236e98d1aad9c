// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.memory.StatusLabel;
import coterie.internal.wait.Awaitable;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A part of a run that is not a plan's, such as a layer's task: a step of the plan begins it, and the step is
/// over when it is.
public interface ExternalTask {

    /// Has the next run start its work when a condition holds; returns whether it takes that over. If so, it is
    /// begun as soon as the steps before are over.
    default boolean takes(BooleanSupplier condition) {
        return false;
    }

    /// Begins, when the steps before are over.
    ///
    /// @param number of the run, the same on all members, and no other's
    void begin(long number);

    /// Advances without waiting; returns whether it is complete.
    boolean progress();

    /// The PE that it waits for, as [Awaitable#awaitedPe].
    default int awaitedPe() {
        return Awaitable.LAYER;
    }

    /// The layer whose task it is, or null if it is no layer's.
    default @Nullable StatusLabel layer() {
        return null;
    }

    /// Ends a run that has begun and is not complete.
    void stop(RuntimeException why);

    /// Gets the failure of a run, whether it has begun in it, is complete, or neither.
    default void failed(RuntimeException why) {}

    /// Releases everything; no run is under way.
    void close();
}

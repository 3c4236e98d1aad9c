// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.stream.KernelGroup;
import java.time.Duration;

/// All contexts of a communicator, for barriers.
/// @counterpart `ncclGinAllContexts`
public final class AllContexts implements BarrierScope {
    private final Gin first;

    AllContexts(Gin first) {
        this.first = first;
    }

    /// Returns the same with another timeout, as [Gin#withTimeout].
    public AllContexts withTimeout(Duration timeout) {
        return new AllContexts(first.withTimeout(timeout));
    }

    /// Returns the same for a group of a kernel's threads, as [Gin#by].
    public AllContexts by(KernelGroup group) {
        return new AllContexts(first.by(group));
    }

    Gin first() {
        return first;
    }

    @Override
    public String toString() {
        return "all contexts of " + first.communicator();
    }
}

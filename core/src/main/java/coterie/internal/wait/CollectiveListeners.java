// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.ElementView;
import coterie.spi.CollectiveListener;
import java.util.Arrays;

/// The listeners of a PE's collectives. Most programs have none, and pay for one load.
public final class CollectiveListeners {
    /// Replaced and never changed, so that a collective goes through it without a lock.
    private volatile CollectiveListener[] listeners = {};

    /// Adds one.
    public synchronized CollectiveListener.Registration register(CollectiveListener listener) {
        CollectiveListener[] more = Arrays.copyOf(listeners, listeners.length + 1);
        more[listeners.length] = listener;
        listeners = more;
        return () -> remove(listener);
    }

    private synchronized void remove(CollectiveListener ended) {
        listeners = Arrays.stream(listeners).filter(each -> !ended.equals(each)).toArray(CollectiveListener[]::new);
    }

    /// Returns whether there is one.
    public boolean isAny() {
        return listeners.length > 0;
    }

    /// A thread is about to begin a collective.
    public void begin(OperationKind kind) {
        CollectiveListener[] all = listeners;
        for (CollectiveListener each : all) {
            switch (kind) {
                case LAYERS, ATTACH, MOVE -> {} // parts of other collectives
                case ALLOCATE, REALLOCATE, FREE -> each.beforeAllocation(kind.label());
                default -> each.beforeCollective(kind.label());
            }
        }
    }

    /// A collective is about to read or write memory.
    public void access(OperationKind kind, ElementView elements, long index, long count) {
        for (CollectiveListener each : listeners) {
            each.beforeAccess(kind.label(), elements, index, count);
        }
    }
}

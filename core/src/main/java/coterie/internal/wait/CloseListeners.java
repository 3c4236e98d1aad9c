// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.spi.CloseListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The listeners of the close of a PE's world, the last one first. Thread-safe.
public final class CloseListeners {
    private final Deque<Entry> entries = new ArrayDeque<>();

    /// What a listener has thrown first.
    private @Nullable RuntimeException thrown;

    /// A registration: one listener may have several, and each ends alone.
    private final class Entry implements CloseListener.Registration {
        private final CloseListener listener;

        Entry(CloseListener listener) {
            this.listener = listener;
        }

        @Override
        public void close() {
            remove(this);
        }
    }

    /// Adds one.
    public synchronized CloseListener.Registration register(CloseListener listener) {
        Entry added = new Entry(listener);
        entries.addFirst(added);
        return added;
    }

    private synchronized void remove(Entry ended) {
        entries.remove(ended);
    }

    private synchronized List<Entry> all() {
        return List.copyOf(entries);
    }

    /// The world is about to close.
    public void closing() {
        forEach(CloseListener::closing);
    }

    /// The world has closed.
    public void closed() {
        forEach(CloseListener::closed);
    }

    private void forEach(Consumer<CloseListener> call) {
        for (Entry each : all()) {
            try {
                call.accept(each.listener);
            } catch (RuntimeException e) {
                note(e);
            }
        }
    }

    private synchronized void note(RuntimeException e) {
        if (thrown == null) {
            thrown = e;
        } else {
            thrown.addSuppressed(e);
        }
    }

    /// Throws what listeners have thrown.
    public void rethrow() {
        RuntimeException first;
        synchronized (this) {
            first = thrown;
        }
        if (first != null) {
            throw first;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Planned events, earliest first: a binary heap.
final class EventQueue {
    static final long NEVER = Long.MAX_VALUE;

    private @Nullable TimedEvent[] heap = new TimedEvent[64];
    private int size;
    private long planned;

    /// Returns the time of the first event, or [#NEVER].
    long firstTime() {
        TimedEvent first = heap[0];
        return first == null ? NEVER : first.time;
    }

    void add(TimedEvent event, long time) {
        event.time = time;
        event.order = planned++;
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        int at = size++;
        while (at > 0) {
            int up = (at - 1) >>> 1;
            TimedEvent above = at(up);
            if (isBefore(above, event)) {
                break;
            }
            heap[at] = above;
            at = up;
        }
        heap[at] = event;
    }

    /// Removes and returns the first event of a queue that is not empty.
    TimedEvent removeFirst() {
        TimedEvent first = at(0);
        TimedEvent last = at(--size);
        heap[size] = null;
        if (size > 0) {
            sink(last);
        }
        return first;
    }

    /// Returns all events, in the order in which they were planned.
    List<TimedEvent> all() {
        return Arrays.stream(heap, 0, size)
                .map(Objects::requireNonNull)
                .sorted(Comparator.comparingLong(event -> event.order))
                .toList();
    }

    /// Removes an event.
    void remove(TimedEvent event) {
        List<TimedEvent> others =
                all().stream().filter(each -> !each.equals(event)).toList();
        Arrays.fill(heap, 0, size, null);
        size = 0;
        for (TimedEvent other : others) {
            long order = other.order;
            add(other, other.time);
            other.order = order;
        }
    }

    private void sink(TimedEvent event) {
        int at = 0;
        int half = size >>> 1;
        while (at < half) {
            int down = 2 * at + 1;
            if (down + 1 < size && isBefore(at(down + 1), at(down))) {
                down++;
            }
            if (isBefore(event, at(down))) {
                break;
            }
            heap[at] = at(down);
            at = down;
        }
        heap[at] = event;
    }

    private TimedEvent at(int place) {
        TimedEvent event = heap[place];
        assert event != null;
        return event;
    }

    private static boolean isBefore(TimedEvent left, TimedEvent right) {
        return left.time < right.time || (left.time == right.time && left.order < right.order);
    }
}

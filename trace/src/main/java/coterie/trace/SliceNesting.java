// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds the operations that overlap an earlier one of their lane without being within it, which a trace can't show
/// as slices of one row. Threads that share a lane have them.
final class SliceNesting {
    private SliceNesting() {}

    /// @param events in the order of their begins, of equal begins the longer ones first
    static BitSet overlapping(List<RecordedEvent> events) {
        Map<Long, Deque<Long>> ends = new HashMap<>();
        BitSet overlapping = new BitSet();
        for (int number = 0; number < events.size(); number++) {
            RecordedEvent event = events.get(number);
            Deque<Long> lane =
                    ends.computeIfAbsent((long) event.pe() << Integer.SIZE | event.lane(), key -> new ArrayDeque<>());
            while (!lane.isEmpty() && lane.getLast() <= event.beginNanos()) {
                lane.removeLast();
            }
            if (!lane.isEmpty() && lane.getLast() < event.endNanos()) {
                overlapping.set(number);
            } else {
                lane.addLast(event.endNanos());
            }
        }
        return overlapping;
    }
}

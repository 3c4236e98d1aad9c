// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import coterie.internal.trace.TraceLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The operations that go on after their call, each with what has completed it: its ticket, or a quiet of its thread.
final class PendingTransfers {
    /// An operation.
    ///
    /// @param call its number in the merged trace
    /// @param endNanos when it is known to be complete
    record Transfer(int call, long endNanos) {}

    private PendingTransfers() {}

    /// @param endNanos the end of those that the program has not completed
    static List<Transfer> of(List<RecordedEvent> events, long endNanos) {
        Map<Long, Map<Long, Integer>> pending = new HashMap<>();
        List<Transfer> transfers = new ArrayList<>();
        for (int number = 0; number < events.size(); number++) {
            RecordedEvent event = events.get(number);
            Map<Long, Integer> lane =
                    pending.computeIfAbsent((long) event.pe() << Integer.SIZE | event.lane(), key -> new HashMap<>());
            if (event.has(TraceLayout.PENDING)) {
                lane.put(event.extra(), number);
            } else if (event.has(TraceLayout.COMPLETES)) {
                lane.values().forEach(call -> transfers.add(new Transfer(call, event.endNanos())));
                lane.clear();
            } else if (event.kind() == coterie.internal.trace.EventKind.ORDER && lane.containsKey(event.extra())) {
                transfers.add(new Transfer(lane.remove(event.extra()), event.endNanos()));
            }
        }
        pending.values().forEach(lane -> lane.values().forEach(call -> transfers.add(new Transfer(call, endNanos))));
        return transfers;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import java.util.List;

/// What a PE has recorded.
///
/// @param lanes the names of its threads and streams, by number
/// @param recorded how many operations it has recorded, the dropped ones included
/// @param events in the order of their ends, but for those that have none
record PeEvents(
        int pe,
        int pes,
        long openedNanos,
        long wallMillis,
        List<String> lanes,
        long recorded,
        List<RecordedEvent> events) {
    PeEvents {
        lanes = List.copyOf(lanes);
        events = List.copyOf(events);
    }

    /// Returns how many of its oldest operations found no room.
    long dropped() {
        return Math.max(
                0, recorded - events.stream().filter(event -> !event.isOpen()).count());
    }
}

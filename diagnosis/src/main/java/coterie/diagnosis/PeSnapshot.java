// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import java.util.List;
import java.util.Map;

/// A PE at one moment.
///
/// @param pe its number in the world
/// @param status whether it can still act
/// @param detail how it has ended, or why it can't be read; empty if there is nothing to say
/// @param lanes what runs on it
/// @param collectives for each team, by name, how many of its collectives are over on this PE
/// @param limits of its device
public record PeSnapshot(
        int pe,
        Status status,
        String detail,
        List<LaneSnapshot> lanes,
        Map<String, Long> collectives,
        QueueLimits limits) {
    /// Whether a PE can still act.
    public enum Status {
        /// It runs.
        RUNNING,
        /// It has ended well, and does nothing more.
        ENDED,
        /// It has failed, and does nothing more.
        FAILED,
        /// Nothing is known of it: it is stopped, or it records nothing.
        UNREAD
    }

    public PeSnapshot {
        lanes = List.copyOf(lanes);
        collectives = Map.copyOf(collectives);
    }

    /// Makes a running PE without limits.
    public PeSnapshot(int pe, List<LaneSnapshot> lanes) {
        this(pe, Status.RUNNING, "", lanes, Map.of(), QueueLimits.NONE);
    }
}

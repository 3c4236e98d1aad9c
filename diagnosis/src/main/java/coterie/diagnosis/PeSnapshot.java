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
/// @param collectives for each team, by name, the collectives that the PE's lanes have got
/// @param limits of its device
/// @param pid the id of its process; 0 if it has none
public record PeSnapshot(
        int pe,
        Status status,
        String detail,
        List<LaneSnapshot> lanes,
        Map<String, Collectives> collectives,
        QueueLimits limits,
        long pid) {
    /// Whether a PE can still act.
    public enum Status {
        /// It runs.
        RUNNING,
        /// It has ended well, and does nothing more.
        ENDED,
        /// It has failed, and does nothing more.
        FAILED,
        /// What it does next is not known: it is stopped, has not looked at what has come, or records nothing.
        UNREAD
    }

    /// The collectives of a team that the lanes of a PE have got.
    ///
    /// @param called how many
    /// @param skipped how many of them will not run, since their stream has failed
    /// @param cause why the first of these was skipped; empty if none was
    public record Collectives(long called, long skipped, String cause) {
        static final Collectives NONE = new Collectives(0, 0, "");
    }

    public PeSnapshot {
        lanes = List.copyOf(lanes);
        collectives = Map.copyOf(collectives);
    }

    /// Makes a running PE without limits.
    public PeSnapshot(int pe, List<LaneSnapshot> lanes) {
        this(pe, Status.RUNNING, "", lanes, Map.of(), QueueLimits.NONE, 0);
    }
}

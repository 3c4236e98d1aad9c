// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.sim.RaceException;
import org.jspecify.annotations.Nullable;

/// A PE as it goes along: its clock, and what it has learnt of the others.
///
/// The clock moves on after each operation that tells others something. So whatever a PE does, between two such
/// operations it does at one time; and whoever learns of the latter has learnt of what was done at that time, but
/// not of what is done from then on.
final class PeClock {
    final int pe;
    private VectorClock now;
    private @Nullable Release latest;
    private @Nullable RaceException overdue;

    /// What this PE reads and writes of its own heap at this time; null before it does.
    @Nullable
    ReadAccess reading;

    @Nullable
    WriteAccess writing;

    /// What the latest of these have made of a cell.
    final Step read = new Step();

    final Step written = new Step();

    /// What has become of a cell.
    static final class Step {
        private @Nullable ShadowCell from;
        private @Nullable ShadowCell to;

        /// What becomes of a cell, if that has been noted.
        @Nullable
        ShadowCell of(ShadowCell cell) {
            return cell == from || cell == to ? to : null;
        }

        ShadowCell note(ShadowCell before, ShadowCell after) {
            from = before;
            to = after;
            return after;
        }

        void forget() {
            from = null;
            to = null;
        }
    }

    PeClock(int pe, int size) {
        this.pe = pe;
        this.now = VectorClock.beginning(pe, size).at(1);
    }

    /// What this PE knows.
    VectorClock now() {
        return now;
    }

    long clock() {
        return now.of(pe);
    }

    /// The PE has told others something.
    void tick() {
        now = now.at(clock() + 1);
        reading = null;
        writing = null;
    }

    /// The PE has seen what a release has made visible.
    void acquire(@Nullable Release release) {
        if (release != null && release != latest) {
            latest = release;
            now = now.join(release.seen());
            writing = null;
            release.seenBy(pe, clock());
        }
    }

    /// Has a race thrown that was found where this PE could not be told of it.
    void owe(RaceException race) {
        overdue = overdue == null ? race : overdue;
    }

    /// Throws what is owed.
    void merge() {
        RaceException race = overdue;
        if (race != null) {
            overdue = null;
            throw race;
        }
    }
}

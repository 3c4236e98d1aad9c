// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.sim.RaceException;
import org.jspecify.annotations.Nullable;

/// A PE's clock, and what the PE knows of the others' pasts.
///
/// The clock advances after each operation by which other PEs can acquire the PE's past. So all accesses between
/// two such operations have one time; a PE that acquires from the second operation knows all accesses at that
/// time, and none of the later ones.
final class PeClock {
    final int pe;
    private VectorClock now;
    private @Nullable Release latest;
    private @Nullable RaceException deferred;

    /// The note that the PE's reads of its own heap at this time share; null before the first.
    @Nullable
    ReadAccess reading;

    @Nullable
    WriteAccess writing;

    /// The latest change of a cell by a read and by a write.
    final Step read = new Step();

    final Step written = new Step();

    /// A change of a cell, kept for the next equal cell.
    static final class Step {
        private @Nullable ShadowCell from;
        private @Nullable ShadowCell to;

        /// Returns the result for a cell, or null if the latest change was of another one.
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

    /// Returns what this PE knows.
    VectorClock now() {
        return now;
    }

    long clock() {
        return now.of(pe);
    }

    /// The PE has started an operation from which others can acquire its past.
    void tick() {
        now = now.at(clock() + 1);
        reading = null;
        writing = null;
    }

    /// The PE acquires what a release made visible.
    void acquire(@Nullable Release release) {
        if (release != null && release != latest) {
            latest = release;
            now = now.join(release.seen());
            writing = null;
            release.seenBy(pe, clock());
        }
    }

    /// Keeps a race that was found outside the PE's thread; the PE's next operation throws it.
    void deferThrow(RaceException race) {
        deferred = deferred == null ? race : deferred;
    }

    /// Throws the race that [#deferThrow] kept, if any.
    void throwDeferred() {
        RaceException race = deferred;
        if (race != null) {
            deferred = null;
            throw race;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// A read.
final class ReadAccess extends Access {
    private static final long NOT_YET = Long.MAX_VALUE;

    private long doneAt = NOT_YET;

    ReadAccess(int pe, AccessKind kind, ByteInterval interval, @Nullable StackFrame place) {
        super(pe, kind, interval, place);
    }

    /// The PE has what it reads.
    ReadAccess done(long clock) {
        doneAt = Math.min(doneAt, clock);
        return this;
    }

    boolean isDone() {
        return doneAt != NOT_YET;
    }

    /// Whether who knows this past comes behind the read.
    boolean isBefore(VectorClock vectorClock) {
        return vectorClock.reaches(pe, doneAt);
    }
}

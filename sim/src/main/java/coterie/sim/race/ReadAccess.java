// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// A read of bytes.
final class ReadAccess extends Access {
    private static final long NOT_YET = Long.MAX_VALUE;

    private long doneAt = NOT_YET;

    ReadAccess(int pe, AccessKind kind, ByteInterval interval, @Nullable StackFrame callSite) {
        super(pe, kind, interval, callSite);
    }

    /// Notes that the PE has the bytes, from this time of its clock on.
    ReadAccess done(long clock) {
        doneAt = Math.min(doneAt, clock);
        return this;
    }

    boolean isDone() {
        return doneAt != NOT_YET;
    }

    /// Returns whether the read precedes what a PE with this vector clock does.
    boolean isBefore(VectorClock vectorClock) {
        return vectorClock.reaches(pe, doneAt);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// A read.
final class Read extends Access {
    private static final long NOT_YET = Long.MAX_VALUE;

    private long doneAt = NOT_YET;

    Read(int pe, Deed deed, Span span, @Nullable StackFrame place) {
        super(pe, deed, span, place);
    }

    /// The PE has what it reads.
    Read done(long clock) {
        doneAt = Math.min(doneAt, clock);
        return this;
    }

    boolean isDone() {
        return doneAt != NOT_YET;
    }

    /// Whether who knows this past comes behind the read.
    boolean isBefore(Past past) {
        return past.reaches(pe, doneAt);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// An access of a PE to some bytes, past or current.
abstract sealed class Access permits ReadAccess, WriteAccess {
    final int pe;
    final AccessKind kind;
    final ByteInterval interval;

    /// Place in the program, or null if unknown. A note that several accesses share has the place of the first.
    final @Nullable StackFrame callSite;

    Access(int pe, AccessKind kind, ByteInterval interval, @Nullable StackFrame callSite) {
        this.pe = pe;
        this.kind = kind;
        this.interval = interval;
        this.callSite = callSite;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// What a PE has done, or does, to some bytes.
abstract sealed class Access permits ReadAccess, WriteAccess {
    final int pe;
    final AccessKind kind;
    final ByteInterval interval;

    /// Where in the program, or null if that is unknown. Of a shared one, where the first was.
    final @Nullable StackFrame place;

    Access(int pe, AccessKind kind, ByteInterval interval, @Nullable StackFrame place) {
        this.pe = pe;
        this.kind = kind;
        this.interval = interval;
        this.place = place;
    }
}

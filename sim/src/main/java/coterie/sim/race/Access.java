// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.lang.StackWalker.StackFrame;
import org.jspecify.annotations.Nullable;

/// What a PE has done, or does, to some bytes.
abstract sealed class Access permits Read, Write {
    final int pe;
    final Deed deed;
    final Span span;

    /// Where in the program, or null if that is unknown. Of a shared one, where the first was.
    final @Nullable StackFrame place;

    Access(int pe, Deed deed, Span span, @Nullable StackFrame place) {
        this.pe = pe;
        this.deed = deed;
        this.span = span;
        this.place = place;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.IntegerView;
import coterie.SignalUpdate;
import java.lang.foreign.MemorySegment;

/// A put with signal whose signal goes first.
public final class SignalBeforePut {
    private SignalBeforePut() {}

    /// Replaces [IntegerView#putSignalNbi].
    public static long putSignalNbi(
            IntegerView view,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            SignalUpdate update,
            int pe) {
        update.signal().through(view.context()).add(update.value(), pe);
        return view.putNbi(index, source, sourceIndex, count, pe);
    }
}

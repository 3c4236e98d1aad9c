// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

import coterie.Comparison;
import coterie.internal.posix.AddressSpace;

/// Writes an event to its slot; see [TraceLayout].
final class TraceEvent {
    private static final long TEXT_MASK = (1L << TraceLayout.TEXT_BITS) - 1;

    private TraceEvent() {}

    static long kind(EventKind kind, Comparison comparison, int flags, int peer) {
        return kind.ordinal()
                | (long) comparison.ordinal() << TraceLayout.COMPARISON_SHIFT
                | (long) flags << TraceLayout.FLAGS_SHIFT
                | (long) peer << Integer.SIZE;
    }

    static long texts(int lane, int label, int site) {
        return lane | (label & TEXT_MASK) << TraceLayout.LABEL_SHIFT | (site & TEXT_MASK) << TraceLayout.SITE_SHIFT;
    }

    static void write(
            long slot, long begin, long end, long place, long value, long bytes, long extra, long kind, long texts) {
        AddressSpace.setLongRelease(slot + TraceLayout.KIND, 0);
        AddressSpace.setLongOpaque(slot + TraceLayout.BEGIN, begin);
        AddressSpace.setLongOpaque(slot + TraceLayout.END, end);
        AddressSpace.setLongOpaque(slot + TraceLayout.PLACE, place);
        AddressSpace.setLongOpaque(slot + TraceLayout.VALUE, value);
        AddressSpace.setLongOpaque(slot + TraceLayout.BYTES, bytes);
        AddressSpace.setLongOpaque(slot + TraceLayout.EXTRA, extra);
        AddressSpace.setLongOpaque(slot + TraceLayout.TEXT, texts);
        AddressSpace.setLongRelease(slot + TraceLayout.KIND, kind);
    }

    /// Copies an open operation, with its end, to a slot of the ring.
    static void finish(long open, long slot, long end, long extra, int flags) {
        write(
                slot,
                AddressSpace.getLongOpaque(open + TraceLayout.BEGIN),
                end,
                AddressSpace.getLongOpaque(open + TraceLayout.PLACE),
                AddressSpace.getLongOpaque(open + TraceLayout.VALUE),
                AddressSpace.getLongOpaque(open + TraceLayout.BYTES),
                extra,
                AddressSpace.getLongOpaque(open + TraceLayout.KIND) | (long) flags << TraceLayout.FLAGS_SHIFT,
                AddressSpace.getLongOpaque(open + TraceLayout.TEXT));
        AddressSpace.setLongRelease(open + TraceLayout.KIND, 0);
    }

    /// Sets the line of the program of an open operation that has none.
    static void locate(long open, TraceFile file) {
        long texts = AddressSpace.getLongOpaque(open + TraceLayout.TEXT);
        if (texts >>> TraceLayout.SITE_SHIFT == 0) {
            int site = file.text(CallSite.find());
            AddressSpace.setLongOpaque(open + TraceLayout.TEXT, texts | (site & TEXT_MASK) << TraceLayout.SITE_SHIFT);
        }
    }
}

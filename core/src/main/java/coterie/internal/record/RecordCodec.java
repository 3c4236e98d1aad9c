// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import coterie.Comparison;
import coterie.internal.posix.AddressSpace;
import coterie.spi.OperationRecord;
import coterie.spi.OperationRecord.Action;
import java.lang.invoke.VarHandle;
import java.util.List;

/// An operation in 64 bytes. A reader that finds another number than it looks for has met a writer, and drops it.
final class RecordCodec {
    private static final List<Action> ACTIONS = List.of(Action.values());
    private static final List<Comparison> COMPARISONS = List.of(Comparison.values());
    private static final long UNSIGNED = 1L << 16;
    private static final long NEEDS_SLOT = 1L << 17;
    private static final long STARTED = 1L << 18;
    private static final int WIDTH_SHIFT = 24;
    private static final long LOW = 0xff;

    private RecordCodec() {}

    static void write(long slot, long position, OperationRecord record) {
        AddressSpace.setLongOpaque(slot + PeRecordLayout.NUMBER, 0);
        VarHandle.storeStoreFence(); // a reader that finds a word of this record no longer finds the former number
        long kind = record.action().ordinal()
                | (long) record.comparison().ordinal() << 8
                | (record.isUnsigned() ? UNSIGNED : 0)
                | (record.needsSlot() ? NEEDS_SLOT : 0)
                | (record.isStarted() ? STARTED : 0)
                | (long) record.width() << WIDTH_SHIFT
                | (long) record.pe() << Integer.SIZE;
        AddressSpace.setLongOpaque(slot + PeRecordLayout.KIND, kind);
        AddressSpace.setLongOpaque(slot + PeRecordLayout.OFFSET, record.offset());
        AddressSpace.setLongOpaque(slot + PeRecordLayout.VALUE, record.value());
        AddressSpace.setLongOpaque(slot + PeRecordLayout.LENGTH, record.length());
        AddressSpace.setLongOpaque(
                slot + PeRecordLayout.OBJECT_AND_SIGNATURE, pair(record.object(), record.signature()));
        AddressSpace.setLongOpaque(slot + PeRecordLayout.LABEL_AND_SITE, pair(record.label(), record.site()));
        AddressSpace.setLongOpaque(slot + PeRecordLayout.ORDER, record.order());
        AddressSpace.setLongRelease(slot + PeRecordLayout.NUMBER, position + 1);
    }

    /// Sets the flag of an operation that has started.
    static void start(long slot, long position) {
        if (AddressSpace.getLongAcquire(slot + PeRecordLayout.NUMBER) == position + 1) {
            long kind = AddressSpace.getLongOpaque(slot + PeRecordLayout.KIND);
            AddressSpace.setLongRelease(slot + PeRecordLayout.KIND, kind | STARTED);
        }
    }

    /// Reads an operation, and returns whether the slot has it.
    static boolean read(long slot, long position, OperationRecord record) {
        if (AddressSpace.getLongAcquire(slot + PeRecordLayout.NUMBER) != position + 1) {
            return false;
        }
        long kind = AddressSpace.getLongAcquire(slot + PeRecordLayout.KIND);
        record.setAction(ACTIONS.get((int) Math.min(kind & LOW, ACTIONS.size() - 1)));
        record.setComparison(COMPARISONS.get((int) Math.min(kind >>> 8 & LOW, COMPARISONS.size() - 1)));
        record.setUnsigned((kind & UNSIGNED) != 0);
        record.setNeedsSlot((kind & NEEDS_SLOT) != 0);
        record.setStarted((kind & STARTED) != 0);
        record.setWidth((int) (kind >>> WIDTH_SHIFT & LOW));
        record.setPe((int) (kind >>> Integer.SIZE));
        record.setOffset(AddressSpace.getLongAcquire(slot + PeRecordLayout.OFFSET));
        record.setValue(AddressSpace.getLongAcquire(slot + PeRecordLayout.VALUE));
        record.setLength(AddressSpace.getLongAcquire(slot + PeRecordLayout.LENGTH));
        long pair = AddressSpace.getLongAcquire(slot + PeRecordLayout.OBJECT_AND_SIGNATURE);
        record.setObject((int) pair);
        record.setSignature((int) (pair >>> Integer.SIZE));
        pair = AddressSpace.getLongAcquire(slot + PeRecordLayout.LABEL_AND_SITE);
        record.setLabel((int) pair);
        record.setSite((int) (pair >>> Integer.SIZE));
        record.setOrder(AddressSpace.getLongAcquire(slot + PeRecordLayout.ORDER));
        return AddressSpace.getLongAcquire(slot + PeRecordLayout.NUMBER) == position + 1;
    }

    private static long pair(int low, int high) {
        return Integer.toUnsignedLong(low) | (long) high << Integer.SIZE;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import coterie.internal.posix.AddressSpace;
import coterie.internal.record.RecordedLane.Operation;
import coterie.spi.OperationRecord;
import coterie.spi.OperationRecord.Action;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads the records of a PE, which may write them meanwhile, be stopped, or be dead.
public final class RecordReader {
    /// Operations that are over of which reports tell.
    private static final int HISTORY = 32;

    private final long area;

    /// @param area the address of the records
    public RecordReader(long area) {
        this.area = area;
    }

    /// Reads all lanes that are open.
    public List<RecordedLane> lanes() {
        List<RecordedLane> lanes = new ArrayList<>();
        int opened = Math.clamp(
                AddressSpace.getLongAcquire(area + PeRecordLayout.LANES_OPENED), 0, PeRecordLayout.MOST_LANES);
        for (int number = 0; number < opened; number++) {
            long lane = PeRecordLayout.lane(area, number);
            long state = AddressSpace.getLongAcquire(lane + PeRecordLayout.STATE);
            if (state != PeRecordLayout.CLOSED) {
                lanes.add(lane(number, lane, state == PeRecordLayout.HOST));
            }
        }
        return lanes;
    }

    /// Reads how many open lanes have no records.
    public long unrecorded() {
        return AddressSpace.getLongAcquire(area + PeRecordLayout.LANES_UNRECORDED);
    }

    /// Reads which collectives each team has had in lanes, by the team's text. Empty if no lane was opened.
    public Map<String, RecordedCollectives> collectives() {
        Map<String, RecordedCollectives> counts = new LinkedHashMap<>();
        boolean isUsed = AddressSpace.getLongAcquire(area + PeRecordLayout.LANES_OPENED) > 0;
        for (int entry = 0; isUsed && entry < PeRecordLayout.MOST_TEAMS; entry++) {
            long at = PeRecordLayout.entry(area, entry);
            long team = AddressSpace.getLongAcquire(at);
            if (team == 0) {
                break;
            }
            long called = AddressSpace.getLongAcquire(at + PeRecordLayout.CALLED);
            long skipped = AddressSpace.getLongAcquire(at + PeRecordLayout.SKIPPED);
            String cause = text((int) AddressSpace.getLongAcquire(at + PeRecordLayout.SKIP_CAUSE));
            counts.put(text((int) team), new RecordedCollectives(called, skipped, cause));
        }
        return counts;
    }

    private RecordedLane lane(int number, long lane, boolean isHost) {
        long completed = AddressSpace.getLongAcquire(lane + PeRecordLayout.COMPLETED);
        long issued = AddressSpace.getLongAcquire(lane + PeRecordLayout.ISSUED);
        long limits = AddressSpace.getLongAcquire(lane + PeRecordLayout.LIMITS);
        List<Operation> pending = new ArrayList<>();
        OperationRecord record = new OperationRecord();
        for (long position = completed;
                position < issued && RecordCodec.read(PeRecordLayout.slot(lane, position), position, record);
                position++) {
            pending.add(operation(record));
        }
        return new RecordedLane(
                number,
                text((int) AddressSpace.getLongAcquire(lane + PeRecordLayout.NAME)),
                isHost,
                (int) AddressSpace.getLongAcquire(lane + PeRecordLayout.QUEUE),
                (limits & PeRecordLayout.DISPATCHED) != 0,
                (int) limits,
                issued,
                completed,
                AddressSpace.getLongAcquire(lane + PeRecordLayout.SINCE),
                pending,
                history(lane, completed));
    }

    /// Reads the labels of the latest operations that are over: the ring keeps them until others need their slots.
    private List<String> history(long lane, long completed) {
        List<String> history = new ArrayList<>();
        OperationRecord record = new OperationRecord();
        for (long position = Math.max(0, completed - HISTORY); position < completed; position++) {
            if (RecordCodec.read(PeRecordLayout.slot(lane, position), position, record)) {
                history.add("#" + position + " " + text(record.label()));
            }
        }
        return history;
    }

    private Operation operation(OperationRecord record) {
        boolean hasText = record.action() == Action.COLLECTIVE || record.action() == Action.WAIT;
        return new Operation(
                record.action(),
                record.comparison(),
                record.isUnsigned(),
                record.width(),
                record.needsSlot(),
                record.isStarted(),
                record.pe(),
                record.offset(),
                hasText ? text(record.object()) : "",
                hasText ? -1 : record.object(),
                record.value(),
                record.length(),
                text(record.label()),
                text(record.signature()),
                text(record.site()),
                record.order());
    }

    /// Returns a text; empty for 0, and for a number that is none.
    private String text(int number) {
        if (number < PeRecordLayout.TEXTS || number > PeRecordLayout.LANES - Integer.BYTES) {
            return "";
        }
        int length = AddressSpace.getIntAcquire(area + number);
        if (length < 0 || length > PeRecordLayout.LANES - number - Integer.BYTES) {
            return "";
        }
        byte[] bytes = new byte[length];
        MemorySegment.copy(
                AddressSpace.ALL, ValueLayout.JAVA_BYTE, area + number + (long) Integer.BYTES, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

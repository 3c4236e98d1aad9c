// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.internal.posix.AddressSpace;
import coterie.spi.OperationLog;
import coterie.spi.OperationRecord;

/// The records of a lane, as their writer sees them.
sealed class LaneRecords implements OperationLog permits UnrecordedLane {
    private final PeRecords records;
    private final int number;
    private final long lane;
    private boolean isClosed;

    LaneRecords(PeRecords records, int number, long lane) {
        this.records = records;
        this.number = number;
        this.lane = lane;
    }

    @Override
    public int lane() {
        return number;
    }

    @Override
    public int capacity() {
        return PeRecordLayout.CAPACITY;
    }

    @Override
    public int text(String text) {
        return records.text(text);
    }

    @Override
    public int team(Team team) {
        return records.text(TeamText.of(team));
    }

    @Override
    public long nextCollective(int team) {
        return records.nextCollective(team);
    }

    @Override
    public void skipCollective(int team, int cause) {
        records.skipCollective(team, cause);
    }

    @Override
    public long offset(SymmetricMemory memory) {
        return records.offset(memory);
    }

    @Override
    public int allocation(SymmetricMemory memory) {
        return records.allocation(memory);
    }

    @Override
    public String allocationText(SymmetricMemory memory) {
        return records.allocationOf(memory).text();
    }

    @Override
    public int writers(Object words) {
        return records.writers(words);
    }

    @Override
    public void issued(long count) {
        AddressSpace.setLongRelease(lane + PeRecordLayout.ISSUED, count);
    }

    @Override
    public void issue(long position, OperationRecord record) {
        write(position, record);
        issued(position + 1);
    }

    @Override
    public void write(long position, OperationRecord record) {
        if (position - AddressSpace.getLongOpaque(lane + PeRecordLayout.COMPLETED) < PeRecordLayout.CAPACITY) {
            RecordCodec.write(PeRecordLayout.slot(lane, position), position, record);
        }
    }

    @Override
    public void started(long position) {
        RecordCodec.start(PeRecordLayout.slot(lane, position), position);
    }

    @Override
    public void complete(long completed) {
        AddressSpace.setLongRelease(lane + PeRecordLayout.COMPLETED, completed);
    }

    @Override
    public void since(long nanos) {
        AddressSpace.setLongOpaque(lane + PeRecordLayout.SINCE, nanos);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            closeIn(records);
        }
    }

    void closeIn(PeRecords of) {
        of.close(number);
    }
}

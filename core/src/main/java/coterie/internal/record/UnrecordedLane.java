// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.spi.OperationLog;
import coterie.spi.OperationRecord;

/// A lane that has found no room in the records. It counts collectives, so that their numbers are those of the other
/// members, and writes nothing else.
final class UnrecordedLane implements OperationLog {
    private static final int NO_LANE = -1;

    private final PeRecords records;
    private boolean isClosed;

    UnrecordedLane(PeRecords records) {
        this.records = records;
    }

    @Override
    public int lane() {
        return NO_LANE;
    }

    @Override
    public int capacity() {
        return 0;
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
    public int writers(Object words) {
        return records.writers(words);
    }

    @Override
    public void issued(long count) {}

    @Override
    public void issue(long position, OperationRecord record) {}

    @Override
    public void write(long position, OperationRecord record) {}

    @Override
    public void started(long position) {}

    @Override
    public void complete(long completed) {}

    @Override
    public void since(long nanos) {}

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            records.addUnrecorded(-1);
        }
    }
}

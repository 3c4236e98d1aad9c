// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import coterie.spi.OperationRecord;

/// A lane that has found no room in the records. It counts collectives, so that their numbers are those of the other
/// members, and writes nothing else.
final class UnrecordedLane extends LaneRecords {
    private static final int NO_LANE = -1;

    UnrecordedLane(PeRecords records) {
        super(records, NO_LANE, 0);
    }

    @Override
    public int capacity() {
        return 0;
    }

    @Override
    public void issued(long count) {}

    @Override
    public void write(long position, OperationRecord record) {}

    @Override
    public void started(long position) {}

    @Override
    public void complete(long completed) {}

    @Override
    public void since(long nanos) {}

    @Override
    void closeIn(PeRecords of) {
        of.addUnrecorded(-1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.memory.JobSegment;
import coterie.spi.LaneDescription;
import coterie.spi.OperationLog;
import coterie.spi.OperationRecord;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UnrecordedLaneTest {
    private final JobSegment segment = JobSegment.create(new JobSegment.Parameters("test", 1, 4096, 2, true));
    private final PeRecords records = new PeRecords(
            segment.recordsBase(0),
            (offset, length) -> segment.reserveRecords(0, offset, length),
            _ -> 0,
            _ -> null,
            _ -> new RecordedAllocation(0, ""));
    private final RecordReader reader = new RecordReader(segment.recordsBase(0));

    @AfterEach
    void close() {
        segment.close();
    }

    @Test
    @DisplayName("lanes beyond the room are counted, number collectives, and give their place in the count back")
    void count() {
        List<OperationLog> lanes = new ArrayList<>();
        for (int lane = 0; lane < PeRecordLayout.MOST_LANES + 2; lane++) {
            lanes.add(records.open(LaneDescription.host("lane")));
        }
        assertThat(reader.lanes()).hasSize(PeRecordLayout.MOST_LANES);
        assertThat(reader.unrecorded()).isEqualTo(2);
        OperationLog last = lanes.getLast();
        last.issue(0, new OperationRecord());
        int team = last.text("T=0:1:1");
        assertThat(last.nextCollective(team)).isZero();
        assertThat(lanes.getFirst().nextCollective(team)).isOne();
        assertThat(last.lane()).isNegative();
        last.close();
        last.close();
        assertThat(reader.unrecorded()).isOne();
    }
}

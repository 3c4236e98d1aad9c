// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.memory.JobSegment;
import coterie.spi.LaneDescription;
import coterie.spi.OperationLog;
import coterie.spi.OperationRecord;
import coterie.spi.OperationRecord.Action;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How reports name the words of an allocation.
class RecordedAllocationTest {
    @ParameterizedTest
    @CsvSource({
        "8, word 2 of allocation 3 (64 B)",
        "4, int 4 of allocation 3 (64 B)",
        "2, short 8 of allocation 3 (64 B)",
        "1, byte 16 of allocation 3 (64 B)"
    })
    @DisplayName("a word has the index in the allocation that words of its width have there")
    void indices(int width, String word) {
        assertThat(RecordedAllocation.of(4096, 3, "", "", 64).word(4112, width)).isEqualTo(word);
    }

    @Test
    @DisplayName("the name has the team, the line of the program and the size, as far as there is room")
    void names() {
        assertThat(RecordedAllocation.of(0, 1, "row", "Ring.java:12", 8).name())
                .isEqualTo("allocation 1 of team row at Ring.java:12 (8 B)");
        String site = "N".repeat(35) + ".java:1";
        assertThat(RecordedAllocation.of(0, 1, "", site, 8).name()).isEqualTo("allocation 1 at " + site + " (8 B)");
        assertThat(RecordedAllocation.of(0, 1, "", "M" + site, 8).name()).isEqualTo("allocation 1 at M" + site);
        assertThat(RecordedAllocation.of(0, 1, "", "M".repeat(7) + site, 8).name())
                .isEqualTo("allocation 1 (8 B)");
        assertThat(RecordedAllocation.of(0, 1, "t".repeat(60), site, 8).name())
                .isEqualTo("allocation 1 of team " + "t".repeat(60));
    }

    @Test
    @DisplayName("a reader has the allocation from its text")
    void text() {
        RecordedAllocation allocation = RecordedAllocation.of(4096, 3, "a=b", "", 64);
        assertThat(RecordedAllocation.parse(allocation.text())).isEqualTo(allocation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "=", "barrier", "writers=1", "-1=x", "99999999999999999999=x"})
    @DisplayName("other texts are no allocation")
    void others(String text) {
        assertThat(RecordedAllocation.parse(text)).isNull();
    }

    @Test
    @DisplayName("a program may wait in any number of allocations: the texts of the first ones leave room for others")
    void many() {
        AtomicLong number = new AtomicLong();
        try (JobSegment segment = JobSegment.create(new JobSegment.Parameters("test", 1, 4096, 2, true))) {
            PeRecords records = new PeRecords(
                    segment.recordsBase(0),
                    (offset, length) -> segment.reserveRecords(0, offset, length),
                    _ -> 0,
                    _ -> null,
                    _ -> RecordedAllocation.of(0, number.get(), "team", "Program.java:100", 1 << 20));
            OperationLog lane = records.open(LaneDescription.host("lane"));
            int first = records.allocation(null);
            assertThat(records.allocation(null)).isEqualTo(first).isPositive();
            OperationRecord wait = new OperationRecord();
            wait.setAction(Action.WAIT);
            wait.setSignature(first);
            lane.issue(0, wait);
            assertThat(new RecordReader(segment.recordsBase(0))
                            .lanes()
                            .getFirst()
                            .pending()
                            .getFirst()
                            .signature())
                    .isEqualTo("0=allocation 0 of team team at Program.java:100 (1048576 B)");

            while (number.get() < 10_000) {
                number.incrementAndGet();
                records.allocation(null);
            }
            assertThat(records.allocation(null)).isZero();
            assertThat(lane.text("still room")).isPositive();
        }
    }
}

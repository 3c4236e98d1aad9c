// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusLabel;
import coterie.internal.memory.StatusPage;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WordType;
import coterie.spi.PeState;
import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("what a launcher reads of a PE's wait")
class JobRecordsTest {
    private static final long ALL_REDUCE = LongStream.range(0, 256)
            .filter(kind -> OperationKind.of(kind) == OperationKind.ALL_REDUCE)
            .findFirst()
            .orElseThrow();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -1 | PES       | allReduce #5
             1 | PE        | allReduce #5
            -2 | CONDITION | allReduce #5, for a task of layer hall
            """)
    @DisplayName("a wait for a layer's task is no wait for a PE, so that it can't prove a deadlock")
    void waits(int awaited, RecordedWait.Kind kind, String label) throws IOException {
        assertThat(Awaitable.LAYER).isEqualTo(-2);
        try (JobSegment segment = JobSegment.create(new JobSegment.Parameters("test", 2, 4096, 2, true));
                JobRecords records = new JobRecords(segment)) {
            StatusPage page = segment.status(0);
            page.state(PeState.RUNNING);
            page.set(StatusField.WAIT_PE, awaited);
            page.waitLayer(new StatusLabel("hall"));
            page.set(StatusField.WAIT_SEQUENCE, 5);
            page.set(StatusField.WAIT_OFFSET, -1);
            page.set(StatusField.WAIT_KIND, ALL_REDUCE);

            assertThat(records.read().pes().getFirst().waiting()).isNotNull().satisfies(wait -> {
                assertThat(wait.kind()).isEqualTo(kind);
                assertThat(wait.label()).isEqualTo(label);
            });
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -1   |              | the word at offset 4136
            -1   | halo 3       | halo 3
            4096 | allocation 2 | int 10 of allocation 2
            4096 |              | the word at offset 4136
            """)
    @DisplayName("an awaited word has its own name, or is named by its allocation, as far as the page says so")
    @SuppressWarnings("EnumOrdinal") // the page has ordinals
    void words(long allocation, String text, String word) throws IOException {
        try (JobSegment segment = JobSegment.create(new JobSegment.Parameters("test", 2, 4096, 2, true));
                JobRecords records = new JobRecords(segment)) {
            StatusPage page = segment.status(0);
            page.state(PeState.RUNNING);
            page.set(StatusField.WAIT_SEQUENCE, -1);
            page.set(StatusField.WAIT_TYPE, WordType.INT.ordinal());
            page.set(StatusField.WAIT_OFFSET, 4136);
            page.set(StatusField.WAIT_WORDS, 1);
            page.set(StatusField.WAIT_COMPARISON, Comparison.GE.ordinal());
            page.set(StatusField.WAIT_OPERAND, 7);
            page.set(StatusField.WAIT_ALLOCATION, allocation);
            page.waitStatement(text == null ? null : new StatusLabel(text));
            page.set(StatusField.WAIT_KIND, OperationKind.WORD.ordinal());

            assertThat(JobReport.doing(page)).isEqualTo("waiting in waitUntil until " + word + " is GE 7");
            assertThat(records.read().pes().getFirst().waiting()).isNotNull().satisfies(wait -> {
                assertThat(wait.wordName()).isEqualTo(text != null && allocation < 0 ? text : "");
                assertThat(wait.allocation() != null).isEqualTo(text != null && allocation >= 0);
            });
        }
    }

    @Test
    @DisplayName("a request that a PE waits for has its tag after its number")
    @SuppressWarnings("EnumOrdinal") // the page has ordinals
    void tagOfRequest() throws IOException {
        try (JobSegment segment = JobSegment.create(new JobSegment.Parameters("test", 2, 4096, 2, true))) {
            StatusPage page = segment.status(0);
            page.state(PeState.RUNNING);
            page.set(StatusField.WAIT_SEQUENCE, 3);
            page.waitTeam(new StatusLabel("row"));
            page.waitStatement(new StatusLabel("\"gradients\""));
            page.set(StatusField.WAIT_KIND, OperationKind.ALL_REDUCE.ordinal());
            assertThat(JobReport.doing(page)).isEqualTo("waiting in allReduce #3 \"gradients\" of team row");
        }
    }
}

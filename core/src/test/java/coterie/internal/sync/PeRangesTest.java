// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.wait.OperationKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PeRangesTest {
    @Test
    @DisplayName("the calls of 70 PEs take one line, with a range for each run of PEs")
    void groupsCalls() {
        Map<OperationKind, List<Integer>> calls = new LinkedHashMap<>();
        calls.put(
                OperationKind.BARRIER,
                IntStream.range(0, 70).filter(pe -> pe != 7).boxed().toList());
        calls.put(OperationKind.BROADCAST, List.of(7));
        assertThat(PeRanges.calls(calls))
                .isEqualTo("members call different collectives: PEs 0-6, 8-69 barrier, PE 7 broadcast");
    }

    @Test
    @DisplayName("PEs that do not follow one another are listed")
    void listsOthers() {
        assertThat(PeRanges.text(List.of(0, 2, 5))).isEqualTo("PEs 0, 2, 5");
        assertThat(PeRanges.text(List.of(3, 2))).isEqualTo("PEs 3, 2");
    }
}

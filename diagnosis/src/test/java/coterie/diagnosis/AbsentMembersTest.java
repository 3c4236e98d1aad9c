// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static coterie.diagnosis.SnapshotPrograms.await;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.diagnosis.OperationAction.Help;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Collectives that some members of a team have called, while a member waits elsewhere.
class AbsentMembersTest {
    private static LaneSnapshot main(PendingOperation operation) {
        return LaneSnapshot.host("main", operation);
    }

    private static LaneSnapshot calling(String label, int awaited, boolean isCall) {
        return main(new PendingOperation(label, new Help(List.of(awaited), "world", isCall)));
    }

    @Test
    @DisplayName("a member that waits for a word while the others wait for it in a collective is named, with both ways"
            + " to mend it")
    void waitsForAWord() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(3)
                .lane(0, calling("allReduce #3", 1, true))
                .lane(1, main(await(1)))
                .lane(2, calling("allReduce #3", 1, true))
                .snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(diagnosis.causes()).containsExactly("PE 1 is not in allReduce #3, in which PEs 0, 2 wait");
        assertThat(diagnosis.suggestions())
                .hasSize(2)
                .last()
                .asString()
                .startsWith("let PE 1 call allReduce #3 before it waits in ");
    }

    @Test
    @DisplayName("a member of the same collective that waits for another one is in it")
    void isInTheSameCall() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(3)
                .lane(0, calling("barrier #3", 1, true))
                .lane(1, calling("barrier #3", 2, true))
                .lane(2, main(await(2)))
                .snapshot());
        assertThat(diagnosis.causes()).containsExactly("PE 2 is not in barrier #3, in which PE 1 waits");
    }

    @Test
    @DisplayName("two members in collectives of two teams, each of which waits for the other one, are both named")
    void crossed() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(2)
                .lane(0, calling("barrier #1 of team row", 1, true))
                .lane(1, calling("barrier #1 of team column", 0, true))
                .snapshot());
        assertThat(diagnosis.causes())
                .containsExactly(
                        "PE 1 is not in barrier #1 of team row, in which PE 0 waits",
                        "PE 0 is not in barrier #1 of team column, in which PE 1 waits");
    }

    @Test
    @DisplayName("a wait for any act of other PEs says nothing about what they are in")
    void anyAct() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(2)
                .lane(0, calling("request of allReduce #3", 1, false))
                .lane(1, main(await(1)))
                .snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(diagnosis.causes()).isEmpty();
    }
}

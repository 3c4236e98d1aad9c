// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static coterie.diagnosis.SnapshotPrograms.word;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.diagnosis.OperationAction.Await;
import coterie.diagnosis.OperationAction.Condition;
import coterie.diagnosis.OperationAction.Update;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Words that wrap, and updates of some bytes of a word.
class WordRangeTest {
    private static Verdict verdict(Condition condition, OperationAction update) {
        return Diagnosis.of(new SnapshotPrograms(1)
                        .stream(0, new PendingOperation("waitUntil", new Await(condition))).stream(
                                        0, new PendingOperation("update", update))
                                .snapshot())
                .verdict();
    }

    @Test
    @DisplayName("a word without a sign that falls below 0 wraps, and may be large then")
    void wraps() {
        Update minusOne = new Update(word(0), true, -1);
        assertThat(verdict(new Condition(word(0), Comparison.GE, 1, true), minusOne))
                .isNotEqualTo(Verdict.DEADLOCK);
        assertThat(verdict(new Condition(word(0), Comparison.GE, 1, false), minusOne))
                .isEqualTo(Verdict.DEADLOCK);
        Update much = new Update(word(0), true, 1L << 31, Integer.BYTES);
        assertThat(verdict(new Condition(word(0), Comparison.LT, 0, false, Integer.BYTES), much))
                .isNotEqualTo(Verdict.DEADLOCK);
        assertThat(verdict(new Condition(word(0), Comparison.GT, 1L << 31, true, Integer.BYTES), much))
                .isEqualTo(Verdict.DEADLOCK);
    }

    @Test
    @DisplayName("an update of the upper half of a word may do anything to it, and one beside it nothing")
    void halves() {
        Condition condition = new Condition(word(0), Comparison.GE, 1L << 32, true);
        Update upper = new Update(new Word(0, word(0).offset() + 4), true, 1, Integer.BYTES);
        Update beside = new Update(new Word(0, word(0).offset() + 8), true, 1, Integer.BYTES);
        assertThat(verdict(condition, upper)).isNotEqualTo(Verdict.DEADLOCK);
        assertThat(verdict(condition, beside)).isEqualTo(Verdict.DEADLOCK);
    }

    @Test
    @DisplayName("a collective with data may write the word; a barrier does not")
    void collectives() {
        Condition condition = new Condition(word(0), Comparison.GE, 1, true);
        assertThat(verdict(condition, new OperationAction.Meet("T", java.util.List.of(0), 0, "broadcast")))
                .isNotEqualTo(Verdict.DEADLOCK);
        assertThat(verdict(condition, new OperationAction.Meet("T", java.util.List.of(0), 0, "barrier")))
                .isEqualTo(Verdict.DEADLOCK);
    }
}

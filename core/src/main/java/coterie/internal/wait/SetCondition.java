// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.Comparison;
import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Words of a set that is not empty, to wait for all, one or some of them.
@SuppressWarnings("NullAway.Init") // the fields of a condition are set before each wait
final class SetCondition extends Condition.OfAnyone {
    private WordSet set;
    private Wanted wanted;
    private int @Nullable [] found;

    /// For ALL: the word whose turn it is; those before it have been seen to compare as asked.
    private int cursor;

    /// How much of a set.
    enum Wanted {
        /// each of its words, at some moment; ends with the size
        ALL,
        /// one; ends with its number
        ANY,
        /// one at least; ends with how many
        SOME
    }

    SetCondition() {
        super(OperationKind.WORDS);
    }

    SetCondition of(WordSet set, Comparison comparison, Wanted wanted, int reported) {
        this.set = set;
        this.memory = set.memory();
        this.comparison = comparison;
        this.wanted = wanted;
        this.reported = reported;
        this.cursor = 0;
        return this;
    }

    /// For ALL: words before this one have been seen to compare as asked already.
    SetCondition from(int word) {
        cursor = word;
        return this;
    }

    /// For SOME: where their numbers go.
    SetCondition into(int[] numbers) {
        found = numbers;
        return this;
    }

    @Override
    boolean holds() {
        return switch (wanted) {
            case ALL -> {
                cursor = set.firstMissing(cursor, comparison);
                outcome = cursor;
                yield cursor == set.size();
            }
            case ANY -> {
                outcome = set.any(comparison);
                yield outcome >= 0;
            }
            case SOME -> {
                outcome = set.some(comparison, Objects.requireNonNull(found));
                yield outcome > 0;
            }
        };
    }

    /// Of words that all have to change, the next one changes while the wait goes on.
    @Override
    boolean isForOneWord() {
        return false;
    }

    @Override
    long awaitedAddress() {
        return set.addressOf(awaitedWord());
    }

    @Override
    long awaitedOffset() {
        return set.offsetOf(awaitedWord());
    }

    @Override
    WordType type() {
        return set.type();
    }

    @Override
    String text() {
        return set.missing(cursor, comparison);
    }

    @Override
    void publish(StatusPage page) {
        int word = awaitedWord();
        publish(page, set.offsetOf(word), set.operandValue(word));
        if (wanted != Wanted.ALL) {
            page.set(StatusField.WAIT_WORDS, set.hasOneOperand() ? set.size() : 0);
        }
    }

    /// Returns the first word of a wait for some, and of a wait for all the first that is missing. Another PE may just
    /// have satisfied the last one: then that one.
    private int awaitedWord() {
        return wanted == Wanted.ALL ? Math.min(set.firstMissing(cursor, comparison), set.size() - 1) : 0;
    }
}

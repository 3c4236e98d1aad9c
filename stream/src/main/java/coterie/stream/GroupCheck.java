// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Comparison;
import coterie.IntegerView;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// One look of a group of a kernel's threads at words of this PE, or a wait with many looks. The thread that runs
/// the hook fills it; the threads of the group read the result afterwards.
final class GroupCheck {
    /// For which words it is over.
    enum Goal {
        /// each has held at some moment
        ALL,
        /// one holds
        ANY,
        /// at least one holds
        SOME
    }

    private static final long NOT_BEGUN = Long.MIN_VALUE;

    private final Goal goal;
    private final boolean isTest;
    private final IntegerView view;
    private final long index;
    private final int size;
    private final Comparison comparison;
    private final long operand;
    private final long @Nullable [] operands;
    private final BitSet skipped;
    private final int first;
    private final long timeoutNanos;

    /// What has held, of a wait for all.
    private final BitSet held;

    private long begun = NOT_BEGUN;
    private boolean holds;
    private boolean isLate;
    private boolean hasNone;

    /// The words that the last look has found, in the order of the search.
    private final int[] numbers;

    private int count;

    /// @param operands of each word, or null if all have `operand`
    /// @param first the word with which a search begins
    /// @param timeoutNanos of a wait, or `Long.MAX_VALUE`
    GroupCheck(
            Goal goal,
            boolean isTest,
            IntegerView view,
            long index,
            int size,
            Comparison comparison,
            long operand,
            long @Nullable [] operands,
            BitSet skipped,
            int first,
            long timeoutNanos) {
        this.goal = goal;
        this.isTest = isTest;
        this.view = view;
        this.index = index;
        this.size = size;
        this.comparison = comparison;
        this.operand = operand;
        this.operands = operands;
        this.skipped = skipped;
        this.first = first;
        this.timeoutNanos = timeoutNanos;
        this.held = new BitSet(size);
        this.numbers = new int[size];
    }

    /// Returns whether it ends with its first look.
    boolean isTest() {
        return isTest;
    }

    /// Returns whether it is over. Allocates nothing.
    boolean poll(StreamOperation operation, StreamLane stream) {
        look((IntegerView) stream.contexts().through(view));
        if (holds || isTest || hasNone) {
            return true;
        }
        stream.engine().failures().check(operation);
        long now = stream.engine().support().nanoTime();
        begun = begun == NOT_BEGUN ? now : begun;
        isLate = now - begun >= timeoutNanos;
        return isLate;
    }

    private void look(IntegerView words) {
        boolean remembers = goal == Goal.ALL && !isTest;
        boolean holdsAll = true;
        hasNone = true;
        count = 0;
        for (int i = 0; i < size && (goal != Goal.ANY || count == 0); i++) {
            int word = (first + i) % size;
            if (skipped.get(word)) {
                continue;
            }
            hasNone = false;
            if ((remembers && held.get(word)) || words.test(index + word, comparison, wanted(word))) {
                held.set(word);
                numbers[count++] = word;
            } else {
                holdsAll = false;
            }
        }
        holds = goal == Goal.ALL ? holdsAll : count > 0;
    }

    private long wanted(int word) {
        return operands == null ? operand : operands[word];
    }

    /// Returns whether all words hold, or no word takes part.
    boolean holds() {
        return holds;
    }

    /// Returns whether the time of a wait has passed before.
    boolean isLate() {
        return isLate;
    }

    /// Returns the numbers of the words that hold.
    int[] found() {
        return Arrays.copyOf(numbers, count);
    }
}

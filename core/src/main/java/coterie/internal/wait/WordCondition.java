// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.Comparison;
import coterie.internal.memory.StatusPage;

/// A word of mine that anybody may change.
@SuppressWarnings("NullAway.Init") // the fields of a condition are set before each wait
final class WordCondition extends Condition.OfAnyone {
    private WordType type;
    private long address;
    private long operand;
    private long offset;

    WordCondition() {
        super(OperationKind.WORD);
    }

    /// @param operand in normal form
    WordCondition of(
            AwaitedMemory memory,
            WordType type,
            long address,
            Comparison comparison,
            long operand,
            long offset,
            int reported) {
        this.memory = memory;
        this.type = type;
        this.address = address;
        this.comparison = comparison;
        this.operand = operand;
        this.offset = offset;
        this.reported = reported;
        return this;
    }

    @Override
    boolean holds() {
        long word = type.loadAcquire(address);
        outcome = type.value(word);
        return comparison.holds(word, operand);
    }

    @Override
    long awaitedAddress() {
        return address;
    }

    @Override
    long awaitedOffset() {
        return offset;
    }

    @Override
    WordType type() {
        return type;
    }

    @Override
    boolean isForOneWord() {
        return true;
    }

    @Override
    String text() {
        String name = described();
        return (name.isEmpty() ? "" : name + ", ") + text(type, type.normal(outcome), comparison, operand, offset);
    }

    @Override
    void publish(StatusPage page) {
        publish(page, offset, type.value(operand));
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;

/// A value to which a plan adds operands by folds. Before the first fold it is in bytes that the plan only reads;
/// each fold writes it to bytes of its own.
final class Accumulator {
    private final Plan.Builder plan;
    private final ByteSpan own;
    private ByteSpan value;

    /// @param own bytes for the folded value, as long as the value; may be the same bytes
    Accumulator(Plan.Builder plan, ByteSpan own, ByteSpan value) {
        this.plan = plan;
        this.own = own;
        this.value = value;
    }

    /// Returns the bytes in which the value is after the steps so far.
    ByteSpan value() {
        return value;
    }

    /// Folds operands with the value, from the left to the right. All members that fold the same operands in the
    /// same order get the same bits, even if the operation rounds.
    ///
    /// @param before the operands before the value; the plan overwrites the first of them
    /// @param after the operands after the value
    void fold(List<ByteSpan> before, List<ByteSpan> after) {
        if (!before.isEmpty()) {
            ByteSpan left = before.getFirst();
            for (ByteSpan each : before.subList(1, before.size())) {
                plan.fold(left, left, each);
            }
            plan.fold(own, left, value);
            value = own;
        }
        for (ByteSpan each : after) {
            plan.fold(own, value, each);
            value = own;
        }
    }

    /// Copies the value to its own bytes if nothing was folded.
    ///
    /// @param same whether the initial value and its own bytes are the same memory
    void complete(boolean same) {
        if (!value.equals(own) && !same) {
            plan.copy(own, value);
        }
        value = own;
    }
}

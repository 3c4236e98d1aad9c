// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;

/// A value that grows by folds. It begins as bytes that are only read, and lives in bytes of its own from the
/// first fold on.
final class Accumulator {
    private final Plan.Builder plan;
    private final ByteSpan own;
    private ByteSpan value;

    /// @param own as long as the value; may be the same bytes
    Accumulator(Plan.Builder plan, ByteSpan own, ByteSpan value) {
        this.plan = plan;
        this.own = own;
        this.value = value;
    }

    /// Where it is now.
    ByteSpan value() {
        return value;
    }

    /// Folds values around it, from the left to the right, whoever's it is: all who fold the same values in the
    /// same order come to the same bits, even if the operation rounds.
    ///
    /// @param before what comes before it; the first is overwritten
    /// @param after what comes after it
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

    /// From now on it is what has come into its own bytes otherwise.
    void arrived() {
        value = own;
    }

    /// Brings it home if nothing was ever folded.
    ///
    /// @param there whether the first value and its home are the same bytes
    void complete(boolean there) {
        if (!value.equals(own) && !there) {
            plan.copy(own, value);
        }
        value = own;
    }
}

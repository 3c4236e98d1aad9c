// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import java.util.List;

/// Which of the operations that a device could start it starts first, if it has not room for all of them. All
/// these orders are legal: a program that needs another one is wrong.
///
/// @param kind how the order is made
/// @param seed of the random order
/// @param witness ids of operations
public record StartOrder(Kind kind, long seed, List<String> witness) {
    /// How an order is made.
    public enum Kind {
        /// the order of the calls
        ISSUE,
        /// a random order
        SHUFFLED,
        /// a given order
        WITNESS
    }

    public StartOrder {
        requireNonNull(kind, "StartOrder: kind is null");
        for (String each : requireNonNull(witness, "StartOrder: witness is null")) {
            requireNonNull(each, "StartOrder: an element of witness is null");
        }
        witness = List.copyOf(witness);
    }

    /// The order of the calls.
    public static final StartOrder ISSUE = new StartOrder(Kind.ISSUE, 0, List.of());

    /// Returns a random order, which a seed repeats if the program's operations come in the same order.
    public static StartOrder shuffled(long seed) {
        return new StartOrder(Kind.SHUFFLED, seed, List.of());
    }

    /// Returns a given order, such as a deadlock that a diagnosis has found. Operations that it
    /// does not name start after all that it names.
    ///
    /// @param operations ids such as `halo#3`, or `P0.halo#3` for one of PE 0, of which other PEs take no notice
    public static StartOrder of(List<String> operations) {
        return new StartOrder(Kind.WITNESS, 0, requireNonNull(operations, "StartOrder.of: operations is null"));
    }
}

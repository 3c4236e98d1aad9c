// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.wait.OperationKind;

/// What a run is to all its members, in a word: `sequence << 8 | kind`.
final class RunTag {
    private static final int KIND_BITS = 8;

    private RunTag() {}

    static long of(long sequence, OperationKind kind) {
        return sequence << KIND_BITS | kind.ordinal();
    }

    static long sequence(long tag) {
        return tag >>> KIND_BITS;
    }

    static OperationKind kind(long tag) {
        return OperationKind.of(tag & (1 << KIND_BITS) - 1);
    }

    /// For people: "broadcast #3".
    static String text(long tag) {
        return kind(tag).label() + " #" + sequence(tag);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.wait.OperationKind;

/// The word that ends a message of a [TreeRound], and tells what has come before it:
///
/// ```
///  63              16 15     12 11     8 7      0
///  │ sequence        │ width   │ form   │ kind  │
/// ```
///
/// *Width* is the number of words of a record.
final class TreeHeader {
    /// One record for each member, in their order.
    static final int EACH = 0;

    /// One record, the same for all members.
    static final int SAME = 1;

    /// Members have come for different things: one word for each, its kind.
    static final int KINDS = 2;

    /// A member is missing; no words.
    static final int MISSING = 3;

    private static final int SEQUENCE = 16;
    private static final int WIDTH = 12;
    private static final int FORM = 8;

    private TreeHeader() {}

    static long of(long sequence, int width, int form, OperationKind kind) {
        return min(sequence) | (long) width << WIDTH | (long) form << FORM | kind.ordinal();
    }

    /// The least tag of a round.
    static long min(long sequence) {
        return sequence << SEQUENCE;
    }

    static long sequence(long tag) {
        return tag >> SEQUENCE;
    }

    static int width(long tag) {
        return (int) (tag >> WIDTH & 0xF);
    }

    static int form(long tag) {
        return (int) (tag >> FORM & 0xF);
    }

    static int kind(long tag) {
        return (int) (tag & 0xFF);
    }

    /// Words that come with a tag, of so many members.
    static long words(long tag, int members) {
        return switch (form(tag)) {
            case SAME -> width(tag);
            case MISSING -> 0;
            default -> (long) width(tag) * members;
        };
    }
}

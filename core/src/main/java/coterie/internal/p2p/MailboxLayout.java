// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.memory.JobSegment;

/// Where things are in what one member writes to another; [TeamEndpoint] draws it.
final class MailboxLayout {
    /// Bytes of a box.
    static final long BYTES = 2 * JobSegment.LINE;

    /// Messages that may be on their way to a member, so that no member overwrites what has not been read: as many as
    /// there are slots.
    static final int WINDOW = 2;

    /// Bytes of the longest message that travels in its slot: the slot is then one cache line.
    static final int INLINE = 32;

    /// Where, behind each signal, the tag of the run is.
    static final long TAG = 8;

    /// Where, behind each signal, the checksum of the run's arguments is.
    static final long CHECKSUM = 16;

    /// In a slot: messages that its writer has received so far.
    static final long CONSUMED = 24;

    /// In a slot: the message.
    static final long MESSAGE = 32;

    /// In the ready words: where in the writer's heap the message may be put.
    static final long PLACE = 24;

    /// In the ready words: how many bytes may.
    static final long LENGTH = 32;

    static final long READY = 128;
    static final long ACKNOWLEDGED = 168;
    static final long HELLO = 176;

    /// Bytes behind the signal of each.
    static final long READY_BYTES = 32;
    static final long HELLO_BYTES = 16;

    /// In a slot's signal, in place of a length: the message has been put where it was asked for.
    static final int PLACED = 0xFF;

    private static final int FORM_BITS = 8;
    private static final long SLOT = 64;

    private MailboxLayout() {}

    /// The slot of a message.
    static long slot(long number) {
        return (number & 1) * SLOT;
    }

    /// What a slot's signal says.
    ///
    /// @param form bytes that are there, or [#PLACED]
    static long arrival(long number, int form) {
        return number << FORM_BITS | form;
    }

    static long number(long arrival) {
        return arrival >>> FORM_BITS;
    }

    static int form(long arrival) {
        return (int) (arrival & (1 << FORM_BITS) - 1);
    }

    /// What the signal of a hello says.
    static long hello(long number, boolean sends) {
        return number << 1 | (sends ? 1 : 0);
    }

    static long helloNumber(long hello) {
        return hello >>> 1;
    }

    static boolean helloSends(long hello) {
        return (hello & 1) != 0;
    }
}

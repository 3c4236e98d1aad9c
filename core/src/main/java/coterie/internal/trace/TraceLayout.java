// SPDX-License-Identifier: Apache-2.0
package coterie.internal.trace;

/// Where things are in the file of a PE. All numbers have the byte order of the machine.
///
/// ```
///  0         header     words as below
///  4 Ki      lanes      1024 of 128 bytes: the text of the name, …, at 64 the operation that has not ended
///  132 Ki    texts      length (4 bytes), UTF-8, padded to 8 bytes; a text's number is its offset ÷ 8
///  1156 Ki   events     a ring of events of 64 bytes
/// ```
///
/// Event number n is in slot n mod capacity: a full ring loses its oldest events. A writer claims a number, clears the
/// slot's word with the kind, and sets it last: a slot without a kind is one that its writer has not finished.
public final class TraceLayout {
    /// The first word of a file, with the version of the layout.
    public static final long MAGIC = 0x436f_5472_6163_6531L;

    // Words of the header.
    public static final long VERSION = 0;
    public static final long CAPACITY = 8;
    public static final long CLAIMED = 16;
    public static final long TEXTS_END = 24;
    public static final long LANES_OPENED = 32;
    public static final long PE = 40;
    public static final long PES = 48;
    public static final long OPENED_AT = 56;
    public static final long WALL_MILLIS = 64;

    public static final long LANES = 4 << 10;
    public static final long LANE_BYTES = 128;

    /// Lanes that a PE has room for; further threads share the last one.
    public static final int MOST_LANES = 1024;

    // Parts of a lane.
    public static final long NAME = 0;
    public static final long OPEN = 64;

    public static final long TEXTS = LANES + MOST_LANES * LANE_BYTES;
    public static final long TEXTS_BYTES = 1 << 20;
    public static final long RING = TEXTS + TEXTS_BYTES;
    public static final long EVENT_BYTES = 64;

    // Words of an event.

    /// By the clock of processes, in nanoseconds.
    public static final long BEGIN = 0;

    /// 0 as long as the operation has not ended.
    public static final long END = 8;

    /// The word that is updated or waited for, or the first byte: an offset in the peer's symmetric memory.
    public static final long PLACE = 16;

    /// The operand, or the number of a collective in its team.
    public static final long VALUE = 24;

    public static final long BYTES = 32;

    /// Of a wait: the value that it has found. Of a put with signal: the place of its bytes. Of an operation that is
    /// completed later, or of what completes it: the ticket. Of a collective: the number of the team's text.
    public static final long EXTRA = 40;

    /// From the low end: kind 8 bits, comparison 8 bits, flags 16 bits, peer 32 bits.
    public static final long KIND = 48;

    /// From the low end: lane 16 bits, label 24 bits, line of the program 24 bits.
    public static final long TEXT = 56;

    // Flags.

    /// The value is what the word has afterwards.
    public static final int SETS = 1;

    /// The operation is one of a stream: collectives have numbers of their own then, and waits no value that they have
    /// found.
    public static final int OF_LANE = 1 << 1;

    /// The operation has ended by an exception.
    public static final int FAILED = 1 << 2;

    /// The operation goes on after its call, until its ticket is complete.
    public static final int PENDING = 1 << 3;

    /// The operation completes all earlier ones of its thread.
    public static final int COMPLETES = 1 << 4;

    /// A wait for one of several words: what it has found is the offset of the word in the set, or −1.
    public static final int OF_SET = 1 << 5;

    /// The operation lets others go on that wait for the same lock.
    public static final int UNLOCKS = 1 << 6;

    public static final int COMPARISON_SHIFT = 8;
    public static final int FLAGS_SHIFT = 16;
    public static final int LABEL_SHIFT = 16;
    public static final int SITE_SHIFT = 40;
    public static final int TEXT_BITS = 24;

    private TraceLayout() {}

    /// Returns the bytes of a file.
    ///
    /// @param capacity events
    public static long fileBytes(long capacity) {
        return RING + capacity * EVENT_BYTES;
    }

    /// Returns the name of a PE's file.
    public static String fileName(int pe) {
        return "pe-" + pe + ".events";
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.record;

/// Where things are in a PE's records.
///
/// ```
///  0      header          lanes that have been opened; open lanes that have no records
///  128    texts           length (4 bytes), UTF-8, padded to 4 bytes; a text's number is its offset
///  56 Ki  collectives     for each team that has had one: the number of its text, how many so far, the first one
///                         that was skipped and why
///  64 Ki  lane 0          header of 128 bytes, then a ring of operations of 64 bytes each
///  72 Ki  lane 1 …
/// ```
///
/// An operation of number n is in the slot n mod 126 of its lane's ring; its first word is n + 1, written last.
/// Pages exist where a PE has opened lanes.
public final class PeRecordLayout {
    /// Bytes of a PE's records: addresses, not pages.
    public static final long AREA_BYTES = 8 << 20;

    /// Bytes that the job's creator reserves, for the header and the first texts.
    public static final long HEADER_BYTES = 4 << 10;

    static final long LANES_OPENED = 0;
    static final long LANES_UNRECORDED = 8;
    static final long TEXTS = 128;
    static final long COLLECTIVES = 56 << 10;
    static final long COLLECTIVES_BYTES = 8 << 10;
    static final long LANES = COLLECTIVES + COLLECTIVES_BYTES;
    static final long LANE_BYTES = 8 << 10;

    /// Bytes of an entry of the collectives, and how many there are.
    static final long ENTRY_BYTES = 32;

    static final int MOST_TEAMS = (int) (COLLECTIVES_BYTES / ENTRY_BYTES);

    /// Lanes that a PE has room for.
    static final int MOST_LANES = (int) ((AREA_BYTES - LANES) / LANE_BYTES);

    // Words of an entry of the collectives.
    static final long CALLED = 8;
    static final long SKIPPED = 16;
    static final long SKIP_CAUSE = 24;

    // Words of a lane's header.
    static final long STATE = 0;
    static final long NAME = 8;
    static final long ISSUED = 16;
    static final long COMPLETED = 24;
    static final long SINCE = 32;
    static final long QUEUE = 40;
    static final long LIMITS = 48;
    static final long RING = 128;

    /// Operations that a lane has room for.
    static final int CAPACITY = (int) ((LANE_BYTES - RING) / 64);

    /// Of the limits: the queue goes on at the start of an operation.
    static final long DISPATCHED = 1L << 32;

    // States of a lane.
    static final long CLOSED = 0;
    static final long DEVICE = 1;
    static final long HOST = 2;

    // Words of an operation.
    static final long NUMBER = 0;
    static final long KIND = 8;
    static final long OFFSET = 16;
    static final long VALUE = 24;
    static final long LENGTH = 32;
    static final long OBJECT_AND_SIGNATURE = 40;
    static final long LABEL_AND_SITE = 48;
    static final long ORDER = 56;

    private PeRecordLayout() {}

    /// Where the entry of a team is; its first word is the team's text.
    static long entry(long area, int number) {
        return area + COLLECTIVES + number * ENTRY_BYTES;
    }

    static long lane(long area, int lane) {
        return area + LANES + lane * LANE_BYTES;
    }

    static long slot(long lane, long position) {
        return lane + RING + position % CAPACITY * 64;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.TeamId;

/// The contents of a [TeamId]: the slot in which PEs form the team, and the serial number of the team.
///
/// ```
///  bit 63            47           27          0
///      │ root + 1    │ place      │ serial    │     never 0, since root + 1 is not
/// ```
///
/// @param root the PE that made the id
/// @param place of the slot among the root's lines for teams, in steps of [#STEP] bytes
/// @param serial distinguishes the uses of a slot, and names the team
record SlotId(int root, int place, int serial) {
    /// Alignment of slots, in bytes. With it the places of an id cover the GiB that a PE can have for lines, and
    /// no place is a word that a program could write: such words are not at the begin of a line.
    static final long STEP = 1024;

    /// Serial numbers are in `[1, SERIALS]`, and then repeat: an id is mistaken for a new one only after its root
    /// has made this many others.
    static final int SERIALS = (1 << 27) - 1;

    private static final int PLACE_SHIFT = 27;
    private static final int ROOT_SHIFT = 47;
    private static final int PLACES = 1 << (ROOT_SHIFT - PLACE_SHIFT);

    static SlotId of(TeamId id) {
        long value = id.value();
        return new SlotId(
                (int) (value >>> ROOT_SHIFT) - 1, (int) (value >>> PLACE_SHIFT) & PLACES - 1, (int) value & SERIALS);
    }

    TeamId teamId() {
        assert place < PLACES && root + 1 < 1 << (Long.SIZE - ROOT_SHIFT);
        return new TeamId((root + 1L) << ROOT_SHIFT | (long) place << PLACE_SHIFT | serial);
    }

    /// Returns whether the other id has the same slot, for this team or another.
    boolean sharesSlot(SlotId other) {
        return root == other.root && place == other.place;
    }

    /// Returns whether this id of a slot is later than another id of the slot.
    boolean isAfter(SlotId other) {
        int distance = Math.floorMod(serial - other.serial, SERIALS);
        return distance > 0 && distance <= SERIALS / 2;
    }

    /// Returns the team's name.
    String name() {
        return "id " + root + "." + serial;
    }
}

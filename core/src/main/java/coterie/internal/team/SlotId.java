// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.TeamId;

/// What a [TeamId] says: where the members meet, and for which team.
///
/// ```
///  bit 63            47           27          0
///      │ root + 1    │ place      │ serial    │     never 0, since root + 1 is not
/// ```
///
/// @param root the PE that gave it out
/// @param place of the slot among the root's lines for teams, in steps of [#STEP] bytes
/// @param serial tells apart the uses of a slot, and names the team
record SlotId(int root, int place, int serial) {
    /// What slots are aligned to. The places of an id then reach over the GiB that a PE has for lines at most, and
    /// none of them is a word that a program could choose: those lie behind the begin of a line.
    static final long STEP = 1024;

    /// Serial numbers are in `[1, SERIALS]`. An id that is older than as many others of its root could be taken
    /// for a new one.
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

    /// Whether the other id has the same slot, for this team or another.
    boolean sharesSlot(SlotId other) {
        return root == other.root && place == other.place;
    }

    /// Whether this one of two ids of a slot is the later one.
    boolean isAfter(SlotId other) {
        int distance = Math.floorMod(serial - other.serial, SERIALS);
        return distance > 0 && distance <= SERIALS / 2;
    }

    /// The team's name.
    String name() {
        return "id " + root + "." + serial;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.TeamConfig;
import coterie.TeamId;
import coterie.internal.wait.WaitingRoom;
import java.time.Duration;

/// The arguments of [coterie.World#formTeam], checked before the caller joins.
///
/// @param id the slot that the id refers to
/// @param timeoutNanos or [WaitingRoom#FOREVER]
record FormationArguments(SlotId id, long timeoutNanos) {

    /// @param me the caller's PE
    /// @param worldSize PEs of the world
    /// @param places the number of places for slots
    /// @throws IllegalArgumentException if an argument is null or out of range
    static FormationArguments of(
            TeamId id, int size, int member, TeamConfig config, Duration timeout, int me, int worldSize, int places) {
        String prefix = "formTeam on PE " + me + ": ";
        check(id != null, prefix + "the id is null");
        check(id.value() != 0, prefix + "the id is 0, which is not an id; wait until the id of newTeamId has arrived");
        check(config != null, prefix + "the config is null");
        check(timeout != null, prefix + "the timeout is null");
        check(size >= 1 && size <= worldSize, prefix + "size " + size + " is outside [1, " + worldSize + "]");
        check(member >= 0 && member < size, prefix + "member " + member + " is outside [0, " + size + ")");
        long timeoutNanos = WaitingRoom.timeoutNanos("formTeam", me, timeout);
        SlotId slot = SlotId.of(id);
        check(
                slot.root() >= 0 && slot.root() < worldSize && slot.place() < places,
                prefix + FormationErrors.notAnId(id));
        return new FormationArguments(slot, timeoutNanos);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}

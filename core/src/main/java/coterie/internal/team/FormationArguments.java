// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.TeamConfig;
import coterie.TeamId;
import coterie.internal.wait.WaitingRoom;
import java.time.Duration;

/// What a PE asks for in [coterie.World#formTeam], checked before anybody else learns of it.
///
/// @param id what the id says
/// @param timeoutNanos or [WaitingRoom#FOREVER]
record FormationArguments(SlotId id, long timeoutNanos) {

    /// @param me the PE that asks
    /// @param worldSize PEs of the world
    /// @param places that slots can have
    /// @throws IllegalArgumentException if something is out of range
    static FormationArguments of(
            TeamId id, int size, int member, TeamConfig config, Duration timeout, int me, int worldSize, int places) {
        String who = "formTeam on PE " + me + ": ";
        check(id != null, who + "the id is null");
        check(id.value() != 0, who + "the id is 0, which is none: it was never set");
        check(config != null, who + "the config is null");
        check(timeout != null, who + "the timeout is null");
        check(size >= 1 && size <= worldSize, who + "size " + size + " is outside [1, " + worldSize + "]");
        check(member >= 0 && member < size, who + "member " + member + " is outside [0, " + size + ")");
        long timeoutNanos = WaitingRoom.timeoutNanos("formTeam", me, timeout);
        SlotId slot = SlotId.of(id);
        check(
                slot.root() >= 0 && slot.root() < worldSize && slot.place() < places,
                who + "id " + id.value() + " is none that a PE has given out in this world");
        return new FormationArguments(slot, timeoutNanos);
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.internal.wait.OperationKind;
import java.util.function.LongConsumer;

/// The last rounds of a world.
///
/// Where a member has objects to void that others could still reach, all members do one more round after that. Where
/// others have called something else, they close later: this member waits for that, and then throws.
///
/// @param least the least number that the rounds of the next world may begin with, as far as this member knows
/// @param voids whether this member has objects to void
/// @param voiding voids them
/// @param next gets the number that the next world's rounds begin with, the same on all members, once all have met. It
///     continues this world's in so far as it is odd or even: the halves of the lines must take turns, since a member
///     may begin the next round while another still reads this one
public record WorldTeardown(long least, boolean voids, Runnable voiding, LongConsumer next) {
    private static final int LEAST = 0;
    private static final int VOIDS = 1;

    /// @param world the rounds of its team
    void run(TeamSync world) {
        world.syncRound().send(LEAST, least);
        world.syncRound().send(VOIDS, voids ? 1 : 0);
        try {
            meet(world);
        } catch (CollectiveMismatchException mismatch) {
            try {
                meet(world);
            } catch (CoterieException e) {
                mismatch.addSuppressed(e); // a member has ended instead
            }
            throw mismatch;
        }
    }

    private void meet(TeamSync world) {
        SyncRound round = world.syncRound();
        world.synchronizeEnd(OperationKind.CLOSE, 2);
        long greatest = round.max(LEAST);
        if (round.max(VOIDS) != 0) {
            voiding.run();
            world.synchronizeEnd(OperationKind.CLOSE, 0);
        }
        long mine = world.nextSequence();
        next.accept(Math.max(mine, greatest + (greatest - mine & 1)));
    }
}

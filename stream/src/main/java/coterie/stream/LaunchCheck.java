// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.Reduction;
import coterie.Team;

/// Whether a kernel can be launched on this PE, and on all members of a team.
final class LaunchCheck {
    /// In the order of their weight.
    private enum Refusal {
        NONE,
        TOO_LARGE,
        INVALID
    }

    private final StreamEngine engine;
    private final Extent asked;
    private final Extent block;
    private final int most;
    private final Refusal refusal;

    LaunchCheck(StreamEngine engine, Extent asked, Extent block, boolean isCollective) {
        this.engine = engine;
        this.asked = asked;
        this.block = requireNonNull(block, "launch: block is null");
        this.most = engine.device().limits().residentBlocks(block);
        boolean isOpen = isCollective && asked.x() == 0 && asked.y() == 0 && asked.z() == 0;
        if (block.count() == 0 || (asked.count() == 0 && !isOpen)) {
            this.refusal = Refusal.INVALID;
        } else if (most == 0 || (isCollective && asked.count() > most)) {
            this.refusal = Refusal.TOO_LARGE;
        } else {
            this.refusal = Refusal.NONE;
        }
    }

    /// Returns the grid to launch.
    Extent grid() {
        return asked.count() == 0 ? Extent.of(most) : asked;
    }

    void throwIfRefused(String operation) {
        if (refusal != Refusal.NONE) {
            throw exception(operation, refusal, engine.world().pe(), asked.count(), block.count(), most);
        }
    }

    /// Throws on all members if one of them can't launch.
    void exchange(Team team, String operation) {
        if (engine.isWithin()) {
            throw new StreamException(
                    StreamError.SELF_WAIT,
                    operation + ", PE " + engine.world().pe()
                            + ": a host function must not wait for the other members; launch from the program");
        }
        int me = team.member();
        long mine = (long) refusal.ordinal() << Integer.SIZE | Integer.MAX_VALUE - me;
        long worst = team.allReduce(Reduction.MAX, mine);
        Refusal all = Refusal.values()[(int) (worst >>> Integer.SIZE)];
        if (all == Refusal.NONE) {
            return;
        }
        int member = Integer.MAX_VALUE - (int) worst;
        boolean isMine = member == me;
        int blocks = (int) team.sum(isMine ? asked.count() : 0L);
        int threads = (int) team.sum(isMine ? block.count() : 0L);
        int fitting = (int) team.sum(isMine ? most : 0L);
        throw exception(operation, all, team.translate(member, engine.world().team()), blocks, threads, fitting);
    }

    private StreamException exception(String operation, Refusal why, int pe, int blocks, int threads, int fitting) {
        String where = operation + ", PE " + engine.world().pe() + ": PE " + pe + " asks for " + blocks + " blocks of "
                + threads + " threads";
        return why == Refusal.INVALID
                ? new StreamException(
                        StreamError.INVALID_LAUNCH,
                        where + "; a grid and a block have at least one, or in a collective launch the grid (0, 0, 0)")
                : new StreamException(
                        StreamError.LAUNCH_TOO_LARGE,
                        where + ", and its device has room for " + fitting
                                + " such blocks; ask collectiveLaunchBlocks, or open the runtime with other limits");
    }
}

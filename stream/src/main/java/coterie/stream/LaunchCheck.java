// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Reduction;
import coterie.Team;
import org.jspecify.annotations.Nullable;

/// Whether a kernel can be launched on this PE, and on all members of a team.
final class LaunchCheck {
    /// In the order of their weight.
    private enum Refusal {
        NONE(""),
        TOO_LARGE(""),
        INVALID(""),
        CAPTURES("the stream captures, or a blocking stream does and the launch is on the legacy default stream"),
        FAILED("the stream has failed"),
        CLOSED("the stream is closed"),
        NO_KERNEL("kernel is null"),
        NO_BLOCK("block is null"),
        NO_GRID("grid is null");

        private final String text;

        Refusal(String text) {
            this.text = text;
        }
    }

    private final StreamEngine engine;
    private final String operation;
    private final Extent asked;
    private final Extent block;
    private final int most;
    private final Refusal refusal;

    /// Throws if the kernel can't be launched on this PE.
    LaunchCheck(StreamEngine engine, String operation, Extent asked, Extent block) {
        this.engine = engine;
        this.operation = operation;
        this.asked = asked;
        this.block = block;
        this.most = engine.device().limits().residentBlocks(block);
        this.refusal = size(Integer.MAX_VALUE, false);
        if (refusal != Refusal.NONE) {
            throw exception(refusal, engine.world().pe(), asked.places(), block.places(), most);
        }
    }

    /// Checks what this member asks for, and throws nothing yet: the others must learn of it first.
    LaunchCheck(
            StreamLane lane,
            String operation,
            @Nullable Extent asked,
            @Nullable Extent block,
            @Nullable Kernel kernel) {
        this.engine = lane.engine();
        this.operation = operation;
        this.asked = asked == null ? Extent.of(0) : asked;
        this.block = block == null ? Extent.of(0) : block;
        this.most = engine.device().limits().residentBlocks(this.block);
        if (asked == null) {
            this.refusal = Refusal.NO_GRID;
        } else if (block == null) {
            this.refusal = Refusal.NO_BLOCK;
        } else if (kernel == null) {
            this.refusal = Refusal.NO_KERNEL;
        } else if (lane.isClosed()) {
            this.refusal = Refusal.CLOSED;
        } else if (lane.failureBefore(Long.MAX_VALUE) != null) {
            this.refusal = Refusal.FAILED;
        } else if (lane.isCaptured()) {
            this.refusal = Refusal.CAPTURES;
        } else {
            this.refusal = size(most, isOpen());
        }
    }

    private Refusal size(int mostBlocks, boolean isOpen) {
        if (block.places() == 0 || (asked.places() == 0 && !isOpen)) {
            return Refusal.INVALID;
        }
        return most == 0 || asked.places() > mostBlocks ? Refusal.TOO_LARGE : Refusal.NONE;
    }

    /// Returns whether the grid is that of the device.
    private boolean isOpen() {
        return asked.x() == 0 && asked.y() == 0 && asked.z() == 0;
    }

    /// Returns the grid to launch.
    Extent grid() {
        return isOpen() ? Extent.of(most) : asked;
    }

    /// Throws on all members if one of them can't launch.
    ///
    /// @param lane throws what is wrong with it
    void exchange(Team team, StreamLane lane) {
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
        boolean isSize = all == Refusal.TOO_LARGE || all == Refusal.INVALID;
        long blocks = isSize ? team.sum(isMine ? asked.places() : 0L) : 0;
        long threads = isSize ? team.sum(isMine ? block.places() : 0L) : 0;
        long fitting = isSize ? team.sum(isMine ? most : 0L) : 0;
        throwOwn(lane);
        throw exception(all, team.translate(member, engine.world().team()), blocks, threads, fitting);
    }

    private void throwOwn(StreamLane lane) {
        switch (refusal) {
            case NONE, TOO_LARGE, INVALID -> {}
            case CLOSED, FAILED -> lane.checkUsable("collectiveLaunch");
            case CAPTURES -> throw lane.prohibited("collectiveLaunch", refusal.text + "; launch after the capture");
            case NO_KERNEL, NO_BLOCK, NO_GRID ->
                throw new NullPointerException(
                        operation + ", PE " + engine.world().pe() + ": " + refusal.text);
        }
    }

    private StreamException exception(Refusal why, int pe, long blocks, long threads, long fitting) {
        String where = operation + ", PE " + engine.world().pe() + ": PE " + pe;
        String what = " asks for " + blocks + " blocks of " + threads + " threads";
        return switch (why) {
            case INVALID ->
                new StreamException(
                        StreamError.INVALID_LAUNCH,
                        where + what
                                + "; a grid and a block have at least one, or in a collective launch the grid (0, 0, 0)");
            case TOO_LARGE ->
                new StreamException(
                        StreamError.LAUNCH_TOO_LARGE,
                        where + what + ", and its device has room for " + fitting
                                + " such blocks; ask collectiveLaunchBlocks, or open the runtime with other limits");
            default ->
                new StreamException(
                        StreamError.LAUNCH_REFUSED,
                        operation + " can't launch on PE " + pe + ": " + why.text + "; no member has launched");
        };
    }
}

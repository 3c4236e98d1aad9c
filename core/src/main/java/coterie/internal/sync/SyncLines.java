// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Where a team's lines are in its members' sync areas: at one offset in all of them, or at one in each.
///
/// A member's block has a line of 128 bytes for each member, in their order, and behind them a *board* with a slot of
/// 64 bytes for each, for what the members notify each other of when rounds can't go on. In its own slot a member has
/// notices of failure, and behind them its argument record.
public final class SyncLines {
    private final long common;
    private final long @Nullable [] offsets;

    private SyncLines(long common, long @Nullable [] offsets) {
        this.common = common;
        this.offsets = offsets;
    }

    /// The same offset on all members.
    public static SyncLines at(long offset) {
        return new SyncLines(offset, null);
    }

    /// An offset for each member, which may all be equal.
    ///
    /// @param offsets by member; not to be changed any more
    public static SyncLines at(long[] offsets) {
        return Arrays.stream(offsets).allMatch(offset -> offset == offsets[0])
                ? at(offsets[0])
                : new SyncLines(0, offsets);
    }

    /// Lines of a member's block in a team of so many members.
    public static int count(int size) {
        return size + (size + 1) / 2;
    }

    /// Where a member's block begins in its sync area.
    public long offset(int member) {
        return offsets == null ? common : offsets[member];
    }
}

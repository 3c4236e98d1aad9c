// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.sync.ArgumentRecord;
import java.util.Arrays;

/// What all members must mean alike by a run: its messages have the checksum, and the member's [ArgumentRecord] has the
/// arguments themselves.
public final class RunArguments {
    /// The number of arguments of a run. Those of two members fit into what an [AbortReason] tells.
    public static final int COUNT = 5;

    final long[] words;
    final long checksum;

    private RunArguments(long[] words) {
        this.words = words;
        this.checksum = ArgumentRecord.checksum(words);
    }

    /// Returns arguments that are these words; none for a run without arguments.
    ///
    /// @param words at most [#COUNT]; those that are missing are 0
    public static RunArguments of(long... words) {
        return new RunArguments(Arrays.copyOf(words, COUNT));
    }

    /// Names what two members mean by a run.
    @FunctionalInterface
    public interface Difference {
        /// For arguments that only the checksum tells apart.
        Difference UNNAMED = (onePe, one, otherPe, other) -> "";

        /// Returns what differs, such as "members disagree on the root: 1 on PE 2, 0 on PE 0", or an empty string.
        ///
        /// @param one the arguments of PE `onePe`; all 0 if they are not known
        /// @param other the arguments of PE `otherPe`, or the same
        String text(int onePe, long[] one, int otherPe, long[] other);
    }
}

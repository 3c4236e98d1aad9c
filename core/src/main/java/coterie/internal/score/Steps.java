// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The choices for a slot, by size: sizes from `starts[i]` up to the next start have `choices[i]`, which is null
/// in a gap. The first start is 0.
///
/// ```
///  ranges              │ [4k, 1m) a │ [1m, 4m) b │
///  starts    0         │ 4k         │ 1m         │ 4m
///  choices   null      │ a          │ b          │ null
/// ```
final class Steps<F> {
    private final long[] starts;
    private final @Nullable Choice<F>[] choices;

    private Steps(long[] starts, @Nullable Choice<F>[] choices) {
        this.starts = starts;
        this.choices = choices;
    }

    static <F> Steps<F> of(Ranges<F> ranges) {
        List<Range<F>> list = ranges.list();
        long[] starts = new long[2 * list.size() + 1];
        @Nullable Choice<F>[] choices = newArray(starts.length);
        int steps = 1;
        for (Range<F> range : list) {
            long from = range.bytes().from();
            // A range begins in place of the gap before it, if that is empty.
            if (starts[steps - 1] == from) {
                steps--;
            }
            starts[steps] = from;
            choices[steps++] = Choice.of(range.ladder());
            if (range.bytes().to() != ByteRange.INFINITE) {
                starts[steps++] = range.bytes().to();
            }
        }
        return new Steps<>(Arrays.copyOf(starts, steps), Arrays.copyOf(choices, steps));
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <F> @Nullable Choice<F>[] newArray(int length) {
        return new Choice[length];
    }

    /// @param bytes at least 0
    @Nullable
    Choice<F> at(long bytes) {
        int found = Arrays.binarySearch(starts, bytes);
        return choices[found >= 0 ? found : -found - 2];
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The choices for a slot, by size: sizes from `starts[i]` up to the next start have `choices[i]`, which is null
/// in a gap. The first start is 0.
///
/// ```
///  ranges              │ [4k, 1m) a │ [1m, 4m) b │
///  starts    0         │ 4k         │ 1m         │ 4m
///  choices   null      │ a          │ b          │ null
/// ```
final class SizeIndex<F> {
    private final long[] starts;
    private final @Nullable SelectedAlgorithm<F>[] selecteds;

    private SizeIndex(long[] starts, @Nullable SelectedAlgorithm<F>[] selecteds) {
        this.starts = starts;
        this.selecteds = selecteds;
    }

    static <F> SizeIndex<F> of(ScoreRanges<F> scoreRanges) {
        long[] starts = scoreRanges.starts().keySet().stream()
                .mapToLong(Long::longValue)
                .toArray();
        @Nullable SelectedAlgorithm<F>[] selecteds = newArray(starts.length);
        Arrays.setAll(selecteds, index -> SelectedAlgorithm.of(scoreRanges.at(starts[index])));
        return new SizeIndex<>(starts, selecteds);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <F> @Nullable SelectedAlgorithm<F>[] newArray(int length) {
        return new SelectedAlgorithm[length];
    }

    /// @param bytes at least 0
    @Nullable
    SelectedAlgorithm<F> at(long bytes) {
        int found = Arrays.binarySearch(starts, bytes);
        return selecteds[found >= 0 ? found : -found - 2];
    }
}

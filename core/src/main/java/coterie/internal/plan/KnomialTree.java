// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;

/// Places `[0, size)` as a k-nomial tree: the parent of a place has its lowest digit other than 0, in base k, replaced
/// by 0. The subtree of a place, itself included, is a range of places. There are ⌈log_k size⌉ levels.
///
/// ```
///  k = 3, 11 places:   0 ─┬─ 1, 2         level 0, stride 1
///                         ├─ 3 ── 4, 5    level 1, stride 3
///                         ├─ 6 ── 7, 8
///                         └─ 9 ── 10      level 2, stride 9
/// ```
///
/// @param radix k
record KnomialTree(int size, int radix) {

    /// What a place hangs below.
    ///
    /// @param place not 0
    int parent(int place) {
        return (int) (place - place % (reach(place) * radix));
    }

    /// The first place after those that hang below one.
    int end(int place) {
        return (int) Math.min(place + reach(place), size);
    }

    /// What hangs directly below a place, the nearest level first; none is empty.
    List<List<Integer>> children(int place) {
        List<List<Integer>> levels = new ArrayList<>();
        long reach = reach(place);
        for (long stride = 1; stride < reach; stride *= radix) {
            List<Integer> level = new ArrayList<>();
            for (int digit = 1; digit < radix && place + digit * stride < size; digit++) {
                level.add((int) (place + digit * stride));
            }
            if (!level.isEmpty()) {
                levels.add(level);
            }
        }
        return levels;
    }

    /// The stride of the level at which a place hangs.
    private long reach(int place) {
        long stride = 1;
        while (stride < size && place % (stride * radix) == 0) {
            stride *= radix;
        }
        return stride;
    }
}

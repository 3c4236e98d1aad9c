// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/// Places `[0, size)` as a k-nomial tree. A place's parent has the same digits in base k, except for the lowest
/// digit that is not 0, which is 0 in the parent. The places of a subtree are consecutive. There are ⌈log_k size⌉
/// levels.
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

    /// Returns the parent of a place.
    ///
    /// @param place not 0
    int parent(int place) {
        return (int) (place - place % (reach(place) * radix));
    }

    /// Returns the first place after a subtree.
    int end(int place) {
        return (int) Math.min(place + reach(place), size);
    }

    /// Returns the children of a place by level, the nearest level first; no level is empty.
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

    /// Plans messages down the tree of the members counted from the root: each receives the data of its subtree
    /// from its parent and sends to its children, a level at a time, first to those with the largest subtrees. The
    /// last step stays open for more work.
    ///
    /// @param data that of the subtree of a place, in this member's memory
    void down(Plan.Builder plan, CollectiveShape shape, IntFunction<List<ByteSpan>> data) {
        int place = shape.placesFromRoot();
        if (place != 0) {
            data.apply(place).forEach(piece -> plan.receive(shape.fromRoot(parent(place)), piece));
        }
        for (List<Integer> level : children(place).reversed()) {
            plan.next();
            for (int child : level) {
                data.apply(child).forEach(piece -> plan.send(shape.fromRoot(child), piece));
            }
        }
    }

    /// Returns the stride of the level at which a place is a child; at least `size` for place 0.
    private long reach(int place) {
        long stride = 1;
        while (stride < size && place % (stride * radix) == 0) {
            stride *= radix;
        }
        return stride;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Places `[from, to)`, divided into parts of consecutive places and nearly the same size. The partitions around a
/// place lead from it to all places, level by level; k parts at a time, in ⌈log_k size⌉ levels, for any size.
///
/// ```
///  k = 2, 5 places, around 3:   0 1 2 3 4
///                              [0 1|2 3 4]   level 2
///                                  [2|3 4]   level 1
///                                    [3|4]   level 0
/// ```
///
/// If each place has all data of its part, it needs one message from each other part to have all data of the
/// partition: from the place with its own index in that part, or from the part's last place if the part has no
/// such index.
record RecursivePartition(int from, int to, int parts) {

    /// Returns the partitions around a place, the smallest first.
    static List<RecursivePartition> around(int place, int size, int radix) {
        List<RecursivePartition> partitions = new ArrayList<>();
        int from = 0;
        int to = size;
        while (to - from > 1) {
            RecursivePartition partition = new RecursivePartition(from, to, Math.min(radix, to - from));
            partitions.add(partition);
            int part = partition.part(place);
            from = partition.begin(part);
            to = partition.begin(part + 1);
        }
        return partitions.reversed();
    }

    /// Returns the first place of a part; for the part after the last, the end of the partition.
    int begin(int part) {
        return from + (int) ((long) (to - from) * part / parts);
    }

    /// Returns the number of places in a part.
    int count(int part) {
        return begin(part + 1) - begin(part);
    }

    /// Returns the part of a place.
    int part(int place) {
        int part = (int) ((long) (place - from) * parts / (to - from));
        while (place >= begin(part + 1)) {
            part++;
        }
        return part;
    }

    /// Returns the place of a part that sends to a place of another part.
    int sender(int part, int taker) {
        return begin(part) + Math.min(taker - begin(part(taker)), count(part) - 1);
    }

    /// Returns the places of a part that receive from a place of another part.
    List<Integer> receivers(int part, int giver) {
        int mine = part(giver);
        int index = giver - begin(mine);
        int end = index == count(mine) - 1 ? count(part) : Math.min(index + 1, count(part));
        return IntStream.range(begin(part) + index, begin(part) + end).boxed().toList();
    }
}

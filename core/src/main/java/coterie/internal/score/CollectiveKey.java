// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.ArrayList;
import java.util.List;

/// A collective on a kind of memory.
record CollectiveKey(CollectiveType collective, MemoryType memory) {
    private static final int COLUMNS = MemoryType.values().length;
    private static final List<CollectiveKey> ALL = listAll();

    /// Each once, in the order of their types.
    static List<CollectiveKey> all() {
        return ALL;
    }

    /// Where [#all] has it.
    static int index(CollectiveType collective, MemoryType memory) {
        return collective.ordinal() * COLUMNS + memory.ordinal();
    }

    private static List<CollectiveKey> listAll() {
        List<CollectiveKey> all = new ArrayList<>();
        for (CollectiveType collective : CollectiveType.values()) {
            for (MemoryType memory : MemoryType.values()) {
                all.add(new CollectiveKey(collective, memory));
            }
        }
        return List.copyOf(all);
    }

    /// For people: "allreduce in host memory".
    @Override
    public String toString() {
        return collective.label() + " in " + memory.label() + " memory";
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.Arrays;
import java.util.List;

/// A collective on a kind of memory.
record CollectiveKey(CollectiveType collective, MemoryType memory) {
    private static final int COLUMNS = MemoryType.values().length;
    private static final List<CollectiveKey> ALL = Arrays.stream(CollectiveType.values())
            .flatMap(collective ->
                    Arrays.stream(MemoryType.values()).map(memory -> new CollectiveKey(collective, memory)))
            .toList();

    /// Each once, in the order of their types.
    static List<CollectiveKey> all() {
        return ALL;
    }

    /// Where [#all] has it.
    static int index(CollectiveType collective, MemoryType memory) {
        return collective.ordinal() * COLUMNS + memory.ordinal();
    }

    /// For people: "allreduce in host memory".
    @Override
    public String toString() {
        return collective.label() + " in " + memory.label() + " memory";
    }
}

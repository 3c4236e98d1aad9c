// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A block of a grid that runs, and the groups of its threads.
final class KernelBlock {
    private final KernelRun run;
    private final int number;
    private final int size;
    private final GroupState whole;

    // The lock guards them.
    private final Map<Integer, GroupState[]> tiles = new HashMap<>();
    private final BitSet returned = new BitSet();
    private @Nullable Throwable failure;

    KernelBlock(KernelRun run, int number) {
        this.run = run;
        this.number = number;
        this.size = run.block().count();
        this.whole = new GroupState(run, size);
    }

    int number() {
        return number;
    }

    GroupState whole() {
        return whole;
    }

    /// Returns the group of a thread if the block is divided into groups of so many threads; the last one may have
    /// fewer.
    synchronized GroupState tile(int threads, int rank) {
        GroupState[] all = tiles.computeIfAbsent(threads, _ -> new GroupState[(size + threads - 1) / threads]);
        int tile = rank / threads;
        GroupState known = all[tile];
        if (known == null) {
            int first = tile * threads;
            int end = Math.min(size, first + threads);
            int gone = returned.get(first, end).cardinality();
            known = new GroupState(run, end - first - gone);
            all[tile] = known;
            if (failure != null) {
                known.terminate(failure);
            }
        }
        return known;
    }

    /// A thread returns from the kernel; returns whether it is the last one.
    boolean leave(int rank) {
        whole.leave();
        synchronized (this) {
            returned.set(rank);
            tiles.forEach((threads, all) -> {
                GroupState mine = all[rank / threads];
                if (mine != null) {
                    mine.leave();
                }
            });
            boolean isLast = returned.cardinality() == size;
            if (isLast) {
                whole.close();
                tiles.values().forEach(all -> {
                    for (GroupState each : all) {
                        if (each != null) {
                            each.close();
                        }
                    }
                });
            }
            return isLast;
        }
    }

    void terminate(Throwable cause) {
        whole.terminate(cause);
        synchronized (this) {
            failure = cause;
            tiles.values().forEach(all -> {
                for (GroupState each : all) {
                    if (each != null) {
                        each.terminate(cause);
                    }
                }
            });
        }
    }
}

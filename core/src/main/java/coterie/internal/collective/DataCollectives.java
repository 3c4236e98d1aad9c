// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.Elements;
import coterie.Reduction;

/// The collectives over symmetric memory.
@SuppressWarnings({"UnusedVariable", "DoNotCallSuggester"})
public final class DataCollectives {
    private final Gathering gathering;

    public DataCollectives(Gathering gathering) {
        this.gathering = gathering;
    }

    public void reduce(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        throw new UnsupportedOperationException();
    }

    public void inclusiveScan(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        throw new UnsupportedOperationException();
    }

    public void exclusiveScan(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        throw new UnsupportedOperationException();
    }

    public void reduceScatter(
            Reduction reduction, Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        throw new UnsupportedOperationException();
    }

    public void broadcast(Elements target, long targetIndex, Elements source, long sourceIndex, long count, int root) {
        throw new UnsupportedOperationException();
    }

    public void collect(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        throw new UnsupportedOperationException();
    }

    public void fcollect(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        throw new UnsupportedOperationException();
    }

    public void alltoall(Elements target, long targetIndex, Elements source, long sourceIndex, long count) {
        throw new UnsupportedOperationException();
    }

    public void alltoallStrided(
            Elements target,
            long targetIndex,
            long targetStride,
            Elements source,
            long sourceIndex,
            long sourceStride,
            long count) {
        throw new UnsupportedOperationException();
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import java.util.List;

/// What a PE waits for, as its status page and messages say it. Ordinals are the low byte of a collective's tag.
public enum OperationKind {
    NONE("nothing"),
    WORD("waitUntil"),
    CONDUIT("completion of a transfer"),
    BARRIER("barrier"),
    BROADCAST("broadcast"),
    ALLOCATE("allocate"),
    REALLOCATE("reallocate"),
    MOVE("reallocate (moving the content)"),
    ATTACH("allocate (attaching the heaps)"),
    FREE("close of symmetric memory"),
    CLOSE("close of the world"),
    WORDS("waitUntil of a set"),
    LOCK("lock"),
    SYNC("sync"),
    REDUCE("reduce"),
    INCLUSIVE_SCAN("inclusiveScan"),
    EXCLUSIVE_SCAN("exclusiveScan"),
    REDUCE_SCATTER("reduceScatter"),
    COLLECT("collect"),
    FCOLLECT("fcollect"),
    ALLTOALL("alltoall"),
    ALLTOALL_STRIDED("alltoallStrided"),
    SPLIT_STRIDED("splitStrided"),
    SPLIT_2D("split2D"),
    SPLIT_BY_COLOUR("splitByColour"),
    DUPLICATE("duplicate"),
    DESTROY("close of the team"),
    FORM("formTeam"),
    PREPARE("prepare"),
    LAYERS("opening layers"),
    LAYERED_BARRIER("barrier by a layer"),
    LAYERED_SYNC("sync by a layer"),
    FANIN("fanin"),
    FANOUT("fanout"),
    ALLREDUCE("allreduce"),
    ALLGATHER("allgather"),
    ALLGATHERV("allgatherv"),
    ALLTOALLV("alltoallv"),
    REDUCE_SCATTERV("reduceScatterv"),
    GATHER("gather"),
    GATHERV("gatherv"),
    SCATTER("scatter"),
    SCATTERV("scatterv");

    private static final List<OperationKind> VALUES = List.of(values());
    private final String words;

    OperationKind(String words) {
        this.words = words;
    }

    /// The operation's name, for people.
    public String label() {
        return words;
    }

    /// Whether members do it or not, depending on their settings.
    public boolean isByComponents() {
        return this == LAYERS || this == LAYERED_BARRIER || this == LAYERED_SYNC;
    }

    /// The kind of a status page's word or a tag's low byte; NONE for what is none.
    public static OperationKind of(long ordinal) {
        return ordinal >= 0 && ordinal < VALUES.size() ? VALUES.get((int) ordinal) : NONE;
    }
}

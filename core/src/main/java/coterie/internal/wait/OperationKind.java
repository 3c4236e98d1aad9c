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
    ALL_TO_ALL("alltoall"),
    ALL_TO_ALL_STRIDED("alltoallStrided"),
    SPLIT_STRIDED("splitStrided"),
    SPLIT_2D("split2D"),
    SPLIT_BY_COLOUR("splitByColour"),
    DUPLICATE("duplicate"),
    DESTROY("close of the team"),
    FORM("formTeam"),
    PREPARE("prepare"),
    LAYERS("opening layers"),
    COMPONENT_BARRIER("barrier by a layer"),
    COMPONENT_SYNC("sync by a layer"),
    FAN_IN("fanin"),
    FAN_OUT("fanout"),
    ALL_REDUCE("allreduce"),
    ALL_GATHER("allgather"),
    ALL_GATHER_V("allgatherv"),
    ALL_TO_ALL_V("alltoallv"),
    REDUCE_SCATTER_V("reduceScatterv"),
    GATHER("gather"),
    GATHER_V("gatherv"),
    SCATTER("scatter"),
    SCATTER_V("scatterv");

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
        return this == LAYERS || this == COMPONENT_BARRIER || this == COMPONENT_SYNC;
    }

    /// The kind of a status page's word or a tag's low byte; NONE for what is none.
    public static OperationKind of(long ordinal) {
        return ordinal >= 0 && ordinal < VALUES.size() ? VALUES.get((int) ordinal) : NONE;
    }
}

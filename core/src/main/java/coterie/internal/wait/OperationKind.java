// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import java.util.List;

/// The operation in which a PE waits, with its name in the status page and in messages. The ordinal is the low
/// byte of a collective's tag.
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
    ALL_REDUCE("allReduce"),
    INCLUSIVE_SCAN("inclusiveScan"),
    EXCLUSIVE_SCAN("exclusiveScan"),
    REDUCE_SCATTER("reduceScatter"),
    ALL_GATHER_V("allGatherV"),
    ALL_GATHER("allGather"),
    ALL_TO_ALL("allToAll"),
    ALL_TO_ALL_STRIDED("allToAllStrided"),
    SPLIT_STRIDED("splitStrided"),
    SPLIT_2D("split2D"),
    SPLIT_BY_COLOR("splitByColor"),
    DUPLICATE("duplicate"),
    DESTROY("close of the team"),
    FORM("formTeam"),
    SYNC_LIVING("syncLiving"),
    SURVIVORS("survivors"),
    PREPARE("prepare"),
    LAYERS("opening layers"),
    COMPONENT_BARRIER("barrier by a layer"),
    COMPONENT_SYNC("sync by a layer"),
    FAN_IN("fanIn"),
    FAN_OUT("fanOut"),
    ALL_TO_ALL_V("allToAllV"),
    REDUCE("reduce"),
    REDUCE_SCATTER_V("reduceScatterV"),
    GATHER("gather"),
    GATHER_V("gatherV"),
    SCATTER("scatter"),
    SCATTER_V("scatterV"),
    JOIN("join"),
    PROGRESS("progressUntil"),
    STATEMENT("statement"),
    CREATE_BARRIERS("createBarriers"),
    RUN_BARRIER("run of a barrier"),
    STAGING("staging memory");

    private static final List<OperationKind> VALUES = List.of(values());
    private final String label;

    OperationKind(String label) {
        this.label = label;
    }

    /// Returns the operation's name.
    public String label() {
        return label;
    }

    /// Returns whether the settings of a member decide if it performs the operation.
    public boolean isByComponents() {
        return this == LAYERS || this == COMPONENT_BARRIER || this == COMPONENT_SYNC;
    }

    /// Returns the kind with an ordinal, from a status page or the low byte of a tag; NONE if no kind has it.
    public static OperationKind of(long ordinal) {
        return ordinal >= 0 && ordinal < VALUES.size() ? VALUES.get((int) ordinal) : NONE;
    }
}

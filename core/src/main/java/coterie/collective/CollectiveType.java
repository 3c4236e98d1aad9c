// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

import java.util.Optional;

/// What members of a team do together. Answers to `ucc_coll_type_t`; the two scans are ours.
///
/// Each has a name in tuning strings, and a *size* in bytes by which its algorithm is chosen. The size is the same
/// on all members, so that all choose the same.
public enum CollectiveType {
    /// all wait for all; size 0
    BARRIER("barrier"),
    /// the root waits for all; size 0
    FAN_IN("fanin"),
    /// all wait for the root; size 0
    FAN_OUT("fanout"),
    /// all get the root's vector; size: the vector
    BROADCAST("bcast"),
    /// all get the reduction of all vectors; size: one vector
    ALL_REDUCE("allreduce"),
    /// the root gets the reduction of all vectors; size: one vector
    REDUCE("reduce"),
    /// all get a block from each, equally long; size: all blocks together
    ALL_GATHER("allgather"),
    /// all get a block from each, of any length; size: all blocks together
    ALL_GATHER_V("allgatherv"),
    /// each gets a block from each, equally long; size: all blocks that one member gets
    ALL_TO_ALL("alltoall"),
    /// each gets a block from each, of any length; size 0, since no member knows what the others send each other
    ALL_TO_ALL_V("alltoallv"),
    /// each gets its block of the reduction of all vectors; size: one block
    REDUCE_SCATTER("reduce_scatter"),
    /// the same with blocks of any length; size: all blocks together
    REDUCE_SCATTER_V("reduce_scatterv"),
    /// the root gets a block from each, equally long; size: all blocks together
    GATHER("gather"),
    /// the root gets a block from each, of any length; size 0, since only the root knows them all
    GATHER_V("gatherv"),
    /// each gets its block from the root, equally long; size: all blocks together
    SCATTER("scatter"),
    /// each gets its block from the root, of any length; size 0, since only the root knows them all
    SCATTER_V("scatterv"),
    /// each gets the reduction of the vectors of the members up to itself; size: one vector
    INCLUSIVE_SCAN("inclusive_scan"),
    /// each gets the reduction of the vectors of the members before it; size: one vector
    EXCLUSIVE_SCAN("exclusive_scan");

    private final String word;

    CollectiveType(String word) {
        this.word = word;
    }

    /// Its name in tuning strings and messages, such as "bcast".
    public String label() {
        return word;
    }

    /// The collective with this name in tuning strings, in upper or lower case; empty if there is none.
    public static Optional<CollectiveType> named(String word) {
        for (CollectiveType type : values()) {
            if (type.word.equalsIgnoreCase(word)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}

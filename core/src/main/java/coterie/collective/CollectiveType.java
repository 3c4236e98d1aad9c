// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/// A kind of collective.
///
/// Each kind has a name in tuning strings, and a *size* in bytes, by which members select the algorithm. All
/// members compute the same size.
/// @counterpart `ucc_coll_type_t`, `UCC_COLL_TYPE_ALLREDUCE`, `UCC_COLL_TYPE_BARRIER`, `UCC_COLL_TYPE_ALLTOALL`
///     (in the manual `UCC_COLL_TYPE_ALLOTALL`) and the others, `UCC_COLL_TYPE_NUM` of them; Coterie adds the two
///     scans
public enum CollectiveType {
    /// every member waits for all members; size 0
    BARRIER("barrier"),
    /// the root waits for all members; size 0
    FAN_IN("fanin"),
    /// every member waits for the root; size 0
    FAN_OUT("fanout"),
    /// every member gets the root's vector; size: the vector
    BROADCAST("bcast"),
    /// every member gets the reduction of all vectors; size: one vector
    ALL_REDUCE("allreduce"),
    /// the root gets the reduction of all vectors; size: one vector
    REDUCE("reduce"),
    /// every member gets a block from each member, of one length; size: all blocks together
    ALL_GATHER("allgather"),
    /// every member gets a block from each member, of any length; size: all blocks together
    ALL_GATHER_V("allgatherv"),
    /// every member gets its block from each member, of one length; size: all blocks that one member gets
    ALL_TO_ALL("alltoall"),
    /// every member gets its block from each member, of any length; size 0: no member knows all lengths
    ALL_TO_ALL_V("alltoallv"),
    /// every member gets its block of the reduction of all vectors; size: one block
    REDUCE_SCATTER("reduce_scatter"),
    /// every member gets its block of the reduction, of any length; size: all blocks together
    REDUCE_SCATTER_V("reduce_scatterv"),
    /// the root gets a block from each member, of one length; size: all blocks together
    GATHER("gather"),
    /// the root gets a block from each member, of any length; size 0: only the root knows all lengths
    GATHER_V("gatherv"),
    /// every member gets its block from the root, of one length; size: all blocks together
    SCATTER("scatter"),
    /// every member gets its block from the root, of any length; size 0: only the root knows all lengths
    SCATTER_V("scatterv"),
    /// every member gets the reduction of the vectors of the members up to itself; size: one vector
    INCLUSIVE_SCAN("inclusive_scan"),
    /// every member gets the reduction of the vectors of the members before it; size: one vector
    EXCLUSIVE_SCAN("exclusive_scan");

    private final String label;

    CollectiveType(String label) {
        this.label = label;
    }

    /// Returns whether the collective reduces elements.
    public boolean isReduction() {
        return switch (this) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER, REDUCE_SCATTER_V, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> true;
            default -> false;
        };
    }

    /// Returns the name in tuning strings, such as "allgatherv".
    public String label() {
        return label;
    }

    /// Returns the name of the method that describes it, such as "allGatherV", which messages use.
    public String method() {
        String[] words = name().toLowerCase(Locale.ROOT).split("_");
        for (int i = 1; i < words.length; i++) {
            words[i] = Character.toUpperCase(words[i].charAt(0)) + words[i].substring(1);
        }
        return String.join("", words);
    }

    /// Returns the collective with this name in tuning strings, in upper or lower case; empty if no collective has
    /// it.
    public static Optional<CollectiveType> named(String label) {
        Objects.requireNonNull(label, "CollectiveType.named: label is null");
        for (CollectiveType type : values()) {
            if (type.label.equalsIgnoreCase(label)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import coterie.collective.CollectiveType;

/// How a member's source or target of a collective is divided into blocks.
public enum BufferForm {
    /// the member has none
    NONE,
    /// one block
    VECTOR,
    /// a block for each member, of one length
    BLOCKS,
    /// a block for each member, of any lengths
    LISTED;

    /// Returns what the source of a collective is on its root, or on any other member.
    public static BufferForm source(CollectiveType type, boolean isRoot) {
        return switch (type) {
            case BARRIER, FAN_IN, FAN_OUT -> NONE;
            case BROADCAST -> isRoot ? VECTOR : NONE;
            case ALL_REDUCE, REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN, ALL_GATHER, ALL_GATHER_V, GATHER, GATHER_V ->
                VECTOR;
            case SCATTER -> isRoot ? BLOCKS : NONE;
            case SCATTER_V -> isRoot ? LISTED : NONE;
            case ALL_TO_ALL, REDUCE_SCATTER -> BLOCKS;
            case ALL_TO_ALL_V, REDUCE_SCATTER_V -> LISTED;
        };
    }

    /// Returns what the target of a collective is on its root, or on any other member.
    public static BufferForm target(CollectiveType type, boolean isRoot) {
        return switch (type) {
            case BARRIER, FAN_IN, FAN_OUT -> NONE;
            case REDUCE -> isRoot ? VECTOR : NONE;
            case GATHER -> isRoot ? BLOCKS : NONE;
            case GATHER_V -> isRoot ? LISTED : NONE;
            case BROADCAST,
                    ALL_REDUCE,
                    INCLUSIVE_SCAN,
                    EXCLUSIVE_SCAN,
                    SCATTER,
                    SCATTER_V,
                    REDUCE_SCATTER,
                    REDUCE_SCATTER_V -> VECTOR;
            case ALL_GATHER, ALL_TO_ALL -> BLOCKS;
            case ALL_GATHER_V, ALL_TO_ALL_V -> LISTED;
        };
    }

    /// Returns whether each member has a block of its own.
    public boolean isDivided() {
        return this == BLOCKS || this == LISTED;
    }

    /// Returns the layout of a buffer whose blocks have one length, in bytes.
    BlockLayout even(int size, long length) {
        return switch (this) {
            case NONE -> BlockLayout.Even.NONE;
            case VECTOR -> new BlockLayout.Even(1, length);
            case BLOCKS, LISTED -> new BlockLayout.Even(size, length);
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.Team;
import coterie.collective.CollectiveType;
import org.jspecify.annotations.Nullable;

/// A collective over device memory, checked.
///
/// @param reduction null where nothing is reduced
/// @param to the address of the target in this PE's own part
/// @param from the address of the source in this PE's own part
/// @param count elements of a block, at least 1
/// @param root 0 where there is none
record DeviceCall(
        CudaStream stream,
        CollectiveType type,
        @Nullable DeviceReduction reduction,
        ElementType elements,
        DeviceMemory target,
        long to,
        DeviceMemory source,
        long from,
        long sourceOffset,
        long targetOffset,
        long count,
        int root) {
    String operation() {
        return type.method();
    }

    /// Returns the bytes of a block.
    long bytes() {
        return count * elements.byteSize();
    }

    /// Returns the blocks of the source, for a team of `size` members.
    static int sourceBlocks(CollectiveType type, int size) {
        return switch (type) {
            case REDUCE_SCATTER, SCATTER, ALL_TO_ALL -> size;
            default -> 1;
        };
    }

    /// Returns the blocks of the target, for a team of `size` members.
    static int targetBlocks(CollectiveType type, int size) {
        return switch (type) {
            case ALL_GATHER, GATHER, ALL_TO_ALL -> size;
            default -> 1;
        };
    }

    /// Returns the address of the source in a member's part, which is mapped.
    ///
    /// @param team whose number `member` is
    long source(Team team, int member) {
        return source.devicePointer(team.translate(member, source.team())) + sourceOffset;
    }

    /// Returns the address of the target in a member's part, which is mapped.
    ///
    /// @param team whose number `member` is
    long target(Team team, int member) {
        return target.devicePointer(team.translate(member, target.team())) + targetOffset;
    }
}

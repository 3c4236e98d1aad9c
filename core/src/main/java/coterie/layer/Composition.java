// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.collective.CollectiveType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A collective of a team as collectives of groups of its members, one after another. The runtime selects what
/// serves each of them. Answers to `ucc_schedule_t`.
///
/// If [Arguments#order] restricts a reduction, the composing layer must keep that order over its groups and over
/// the groups of their results.
///
/// All members compose the same stages, each with its own buffers. A member skips the stages of groups that it is
/// not in, and may leave them out. A group numbers its members in the order of its list.
///
/// ```java
/// Composition sum = new Composition();
/// BufferSlice mine = BufferSlice.source(0, arguments.bytes());
/// BufferSlice all = BufferSlice.target(0, arguments.bytes());
/// sum.then(CollectiveType.REDUCE, members, 0, mine, all);
/// sum.then(CollectiveType.BROADCAST, members, 0, all, all);
/// ```
public final class Composition implements LayerWork {
    private final List<Stage> stages = new ArrayList<>();
    private long scratchBytes;

    /// Makes an empty composition.
    public Composition() {}

    /// The memory of a slice.
    public enum Memory {
        /// this member's source, from its first block on; a run only reads it, in place too
        SOURCE,
        /// this member's target, from its first block on
        TARGET,
        /// memory that the runtime lends for one run, with arbitrary content at its begin
        SCRATCH
    }

    /// Consecutive bytes of this member's memory.
    ///
    /// @param offset of the first byte, at least 0
    /// @param bytes number of bytes, at least 0
    public record BufferSlice(Memory memory, long offset, long bytes) {
        /// No bytes, for a member that has no such buffer.
        public static final BufferSlice NONE = new BufferSlice(Memory.SCRATCH, 0, 0);

        /// @throws IllegalArgumentException if offset, bytes or their sum is out of range
        public BufferSlice {
            if (offset < 0 || bytes < 0 || offset + bytes < 0) {
                throw new IllegalArgumentException("slice of " + bytes + " bytes from " + offset + " of " + memory
                        + " is out of range: offset, bytes and their sum must be in [0, 2^63)");
            }
        }

        public static BufferSlice source(long offset, long bytes) {
            return new BufferSlice(Memory.SOURCE, offset, bytes);
        }

        public static BufferSlice target(long offset, long bytes) {
            return new BufferSlice(Memory.TARGET, offset, bytes);
        }

        /// Returns a part of this slice.
        ///
        /// @param from the first byte, counted from this slice's first
        /// @throws IndexOutOfBoundsException if the part leaves this slice
        public BufferSlice slice(long from, long length) {
            if (from < 0 || length < 0 || from + length > bytes) {
                throw new IndexOutOfBoundsException(length + " bytes from " + from + " leave " + this);
            }
            return new BufferSlice(memory, offset + from, length);
        }
    }

    /// A step of a composition, which begins after the one before it is complete.
    public sealed interface Stage {}

    /// A collective of a group; [#then] has the rules.
    public record GroupCollective(
            CollectiveType type, List<Integer> members, int root, BufferSlice source, BufferSlice target)
            implements Stage {}

    /// A copy on this member.
    public record LocalCopy(BufferSlice target, BufferSlice source) implements Stage {}

    /// Reserves scratch memory for each run of this composition, at a multiple of 64.
    public BufferSlice scratch(long bytes) {
        BufferSlice bufferSlice = new BufferSlice(Memory.SCRATCH, scratchBytes, bytes);
        scratchBytes = Math.addExact(scratchBytes, bytes + 63 & -64);
        return bufferSlice;
    }

    /// Adds a collective of a group; not one of the v collectives. A reduction uses the operator of the whole
    /// collective. [coterie.collective.Collective] states the buffers, with the group for the team, and when they
    /// are in place; blocks follow each other without gaps.
    ///
    /// @param members numbers in the team, each once
    /// @param root number of the root in the group, or 0 if the collective has none
    /// @param source this member's source, or [BufferSlice#NONE]
    /// @param target this member's target, or [BufferSlice#NONE]
    /// @throws IllegalArgumentException if the type is a v collective, or the members or the root are out of range
    public Composition then(CollectiveType type, int[] members, int root, BufferSlice source, BufferSlice target) {
        boolean isIrregular = switch (type) {
            case ALL_GATHER_V, ALL_TO_ALL_V, GATHER_V, SCATTER_V, REDUCE_SCATTER_V -> true;
            default -> false;
        };
        boolean isGroup = members.length > 0
                && Arrays.stream(members).distinct().count() == members.length
                && Arrays.stream(members).allMatch(member -> member >= 0);
        if (isIrregular || !isGroup || root < 0 || root >= members.length) {
            throw new IllegalArgumentException(
                    "composition: " + type.label() + " of members " + Arrays.toString(members)
                            + ", root " + root + ": needs a collective without v, distinct members, and a root in [0, "
                            + members.length + ")");
        }
        stages.add(new GroupCollective(type, Arrays.stream(members).boxed().toList(), root, source, target));
        return this;
    }

    /// Adds a copy on this member.
    ///
    /// @param target as long as the source: either the same bytes, or apart from them
    /// @throws IllegalArgumentException if the lengths differ
    public Composition copy(BufferSlice target, BufferSlice source) {
        if (target.bytes() != source.bytes()) {
            throw new IllegalArgumentException(
                    "composition: copy of " + source + " to " + target + ": the lengths must be the same");
        }
        stages.add(new LocalCopy(target, source));
        return this;
    }

    /// Returns all stages, in order.
    public List<Stage> stages() {
        return List.copyOf(stages);
    }

    /// Returns the total bytes of [#scratch].
    public long scratchBytes() {
        return scratchBytes;
    }
}

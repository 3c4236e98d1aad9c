// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.collective.CollectiveType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A collective of a team as collectives of groups of its members, one after another. What serves those is the
/// runtime's to choose. Answers to `ucc_schedule_t`.
///
/// Whoever composes a reduction answers for its order where [Arguments#order] has one: groups that each reduce
/// some members, and groups of their results.
///
/// All members compose the same, each with its own buffers: what concerns groups that a member is not in is
/// skipped on it, and so may be left out there. In a group, members are numbered as they are listed.
///
/// ```java
/// Composition sum = new Composition();
/// Part mine = Part.source(0, arguments.bytes());
/// Part all = Part.target(0, arguments.bytes());
/// sum.then(CollectiveType.REDUCE, everybody, 0, mine, all);
/// sum.then(CollectiveType.BROADCAST, everybody, 0, all, all);
/// ```
public final class Composition implements LayerWork {
    private final List<Stage> stages = new ArrayList<>();
    private long scratchBytes;

    /// A composition of nothing yet.
    public Composition() {}

    /// Whose bytes they are.
    public enum Memory {
        /// what this member brings, from its first block on; only read, in place too
        SOURCE,
        /// what this member gets, from its first block on
        TARGET,
        /// what the runtime lends for the run; its content at the begin is arbitrary
        SCRATCH
    }

    /// Bytes of this member's.
    ///
    /// @param offset of the first, at least 0
    /// @param bytes how many, at least 0
    public record BufferSlice(Memory memory, long offset, long bytes) {
        /// No bytes, for who has no such buffer.
        public static final BufferSlice NONE = new BufferSlice(Memory.SCRATCH, 0, 0);

        /// @throws IllegalArgumentException if there are no such bytes
        public BufferSlice {
            if (offset < 0 || bytes < 0 || offset + bytes < 0) {
                throw new IllegalArgumentException("part of " + bytes + " bytes from " + offset + " of " + memory
                        + " is none: both are of [0, 2^63)");
            }
        }

        public static BufferSlice source(long offset, long bytes) {
            return new BufferSlice(Memory.SOURCE, offset, bytes);
        }

        public static BufferSlice target(long offset, long bytes) {
            return new BufferSlice(Memory.TARGET, offset, bytes);
        }

        /// Some of these bytes.
        ///
        /// @param from the first, counted from mine
        /// @throws IndexOutOfBoundsException if they are not all mine
        public BufferSlice slice(long from, long length) {
            if (from < 0 || length < 0 || from + length > bytes) {
                throw new IndexOutOfBoundsException(length + " bytes from " + from + " leave " + this);
            }
            return new BufferSlice(memory, offset + from, length);
        }
    }

    /// Something that is done after what comes before it.
    public sealed interface Stage {}

    /// A collective of a group.
    ///
    /// @param members by their numbers in the team, each once
    /// @param root its number in the group, or 0
    public record GroupCollective(
            CollectiveType type, List<Integer> members, int root, BufferSlice source, BufferSlice target)
            implements Stage {}

    /// A copy on this member.
    public record LocalCopy(BufferSlice target, BufferSlice source) implements Stage {}

    /// Bytes for the run that nobody else has, at a multiple of 64.
    public BufferSlice scratch(long bytes) {
        BufferSlice bufferSlice = new BufferSlice(Memory.SCRATCH, scratchBytes, bytes);
        scratchBytes = Math.addExact(scratchBytes, bytes + 63 & -64);
        return bufferSlice;
    }

    /// Adds a collective of a group, without v, by the reduction of the whole if it reduces. Buffers are as
    /// [coterie.collective.Collective] has them for the group; blocks lie one behind the other. They are in place
    /// if they begin together, as it says there.
    ///
    /// @param members by their numbers in the team, each once
    /// @param root its number in the group, or 0 where there is none
    /// @param source what this member brings to it, or [BufferSlice#NONE]
    /// @param target what this member gets of it, or [BufferSlice#NONE]
    /// @throws IllegalArgumentException if it has a v, or there is no such group or root
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
                            + ", root " + root + "; a collective without v, of different members, and a root of [0, "
                            + members.length + ") are needed");
        }
        stages.add(new GroupCollective(type, Arrays.stream(members).boxed().toList(), root, source, target));
        return this;
    }

    /// Adds a copy.
    ///
    /// @param target as long as the source, and the same bytes or apart from them
    public Composition copy(BufferSlice target, BufferSlice source) {
        if (target.bytes() != source.bytes()) {
            throw new IllegalArgumentException(
                    "composition: copy of " + source + " to " + target + ", whose lengths differ");
        }
        stages.add(new LocalCopy(target, source));
        return this;
    }

    /// All that is done, in order.
    public List<Stage> stages() {
        return List.copyOf(stages);
    }

    /// Bytes of [#scratch] altogether.
    public long scratchBytes() {
        return scratchBytes;
    }
}

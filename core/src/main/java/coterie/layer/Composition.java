// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.collective.CollectiveType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;

/// A collective of a team as collectives of groups of its members, one after another or at the same time. The
/// runtime selects what serves each of them.
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
/// sum.then(CollectiveType.REDUCE, members, all, mine, 0);
/// sum.then(CollectiveType.BROADCAST, members, all, all, 0);
/// ```
/// @counterpart `ucc_schedule_t` of a collective layer; partly: it has no events, and no free graph of
///     dependencies
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
    /// @param byteOffset of the first byte, at least 0
    /// @param bytes number of bytes, at least 0
    public record BufferSlice(Memory memory, long byteOffset, long bytes) {
        /// No bytes, for a member that has no such buffer.
        public static final BufferSlice NONE = new BufferSlice(Memory.SCRATCH, 0, 0);

        /// @throws IllegalArgumentException if byteOffset, bytes or their sum is out of range
        public BufferSlice {
            Objects.requireNonNull(memory, "BufferSlice: memory is null");
            if (byteOffset < 0 || bytes < 0 || byteOffset + bytes < 0) {
                throw new IllegalArgumentException("slice of " + bytes + " bytes from " + byteOffset + " of " + memory
                        + " is out of range: byteOffset, bytes and their sum must be in [0, 2^63)");
            }
        }

        public static BufferSlice source(long byteOffset, long bytes) {
            return new BufferSlice(Memory.SOURCE, byteOffset, bytes);
        }

        public static BufferSlice target(long byteOffset, long bytes) {
            return new BufferSlice(Memory.TARGET, byteOffset, bytes);
        }

        /// Returns the slice, further on if it is scratch memory.
        private BufferSlice at(long base) {
            return memory == Memory.SCRATCH && bytes > 0 ? new BufferSlice(memory, base + byteOffset, bytes) : this;
        }

        private static List<BufferSlice> at(List<BufferSlice> slices, long base) {
            return slices.stream().map(slice -> slice.at(base)).toList();
        }

        /// Returns a part of this slice.
        ///
        /// @param from the first byte, counted from this slice's first
        /// @throws IndexOutOfBoundsException if the part leaves this slice
        public BufferSlice slice(long from, long length) {
            if (from < 0 || length < 0 || from + length > bytes) {
                throw new IndexOutOfBoundsException(length + " bytes from " + from + " leave " + this);
            }
            return new BufferSlice(memory, byteOffset + from, length);
        }
    }

    /// When a stage begins.
    public enum Start {
        /// after all stages before it are complete
        AFTER,
        /// together with the stage before it; stages that begin together are complete when all of them are
        TOGETHER
    }

    /// A stage of a composition.
    public sealed interface Stage {
        /// Returns when it begins.
        Start start();
    }

    /// A collective of a group; [#then] has the rules.
    public record GroupCollective(
            CollectiveType type, List<Integer> members, BufferSlice target, BufferSlice source, int root, Start start)
            implements Stage {
        public GroupCollective {
            Objects.requireNonNull(type, "GroupCollective: type is null");
            Objects.requireNonNull(members, "GroupCollective: members is null");
            Objects.requireNonNull(source, "GroupCollective: source is null");
            Objects.requireNonNull(target, "GroupCollective: target is null");
            Objects.requireNonNull(start, "GroupCollective: start is null");
        }
    }

    /// A collective of a group with a v; [#thenV] has the rules.
    public record VariableCollective(
            CollectiveType type,
            List<Integer> members,
            List<BufferSlice> targets,
            List<BufferSlice> sources,
            int root,
            Start start)
            implements Stage {
        public VariableCollective {
            Objects.requireNonNull(type, "VariableCollective: type is null");
            Objects.requireNonNull(members, "VariableCollective: members is null");
            Objects.requireNonNull(sources, "VariableCollective: sources is null");
            Objects.requireNonNull(targets, "VariableCollective: targets is null");
            Objects.requireNonNull(start, "VariableCollective: start is null");
        }
    }

    /// A task of the layer that composes; see [#then(LayerTask)].
    public record OwnTask(LayerTask task, Start start) implements Stage {
        public OwnTask {
            Objects.requireNonNull(task, "OwnTask: task is null");
            Objects.requireNonNull(start, "OwnTask: start is null");
        }
    }

    /// A copy on this member.
    public record LocalCopy(BufferSlice target, BufferSlice source) implements Stage {
        public LocalCopy {
            Objects.requireNonNull(target, "LocalCopy: target is null");
            Objects.requireNonNull(source, "LocalCopy: source is null");
        }

        @Override
        public Start start() {
            return Start.AFTER;
        }
    }

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
    public Composition then(CollectiveType type, int[] members, BufferSlice target, BufferSlice source, int root) {
        require("then", type, members, source, target);
        return add(type, members, target, source, root, Start.AFTER);
    }

    /// Adds a collective of a group as [#then] does, which begins together with the stage before it. Neither
    /// writes bytes that the other uses.
    ///
    /// Collectives that layers which plug in serve, and tasks of the layer itself, are under way at the same time;
    /// those that `p2p` serves go on beside these, one after the other.
    ///
    /// @throws IllegalArgumentException as [#then], or if no stage is before it
    public Composition with(CollectiveType type, int[] members, BufferSlice target, BufferSlice source, int root) {
        require("with", type, members, source, target);
        return add(type, members, target, source, root, Start.TOGETHER);
    }

    private Composition add(
            CollectiveType type, int[] members, BufferSlice target, BufferSlice source, int root, Start start) {
        check(type, members, root, isVariable(type));
        return add(new GroupCollective(type, list(members), target, source, root, start));
    }

    /// Adds a collective of a group with a v: each block has a length of its own, which the members that exchange
    /// it know alike. Otherwise as [#then].
    ///
    /// @param sources this member's blocks, all in one memory, or none if it has no source; those of a reduction
    ///     follow each other without gaps
    /// @param targets the same for its target
    /// @throws IllegalArgumentException if the type has no v, or the members, the root, or the blocks are out of
    ///     range
    public Composition thenV(
            CollectiveType type, int[] members, List<BufferSlice> targets, List<BufferSlice> sources, int root) {
        requireV("thenV", type, members, sources, targets);
        return addV(type, members, targets, sources, root, Start.AFTER);
    }

    /// Adds a collective of a group as [#thenV] does, which begins together with the stage before it; see [#with].
    public Composition withV(
            CollectiveType type, int[] members, List<BufferSlice> targets, List<BufferSlice> sources, int root) {
        requireV("withV", type, members, sources, targets);
        return addV(type, members, targets, sources, root, Start.TOGETHER);
    }

    private static void require(
            String operation, CollectiveType type, int[] members, BufferSlice source, BufferSlice target) {
        requireGroup(operation, type, members);
        Objects.requireNonNull(source, () -> "Composition." + operation + ": source is null");
        Objects.requireNonNull(target, () -> "Composition." + operation + ": target is null");
    }

    private static void requireV(
            String operation,
            CollectiveType type,
            int[] members,
            List<BufferSlice> sources,
            List<BufferSlice> targets) {
        requireGroup(operation, type, members);
        Objects.requireNonNull(sources, () -> "Composition." + operation + ": sources is null");
        Objects.requireNonNull(targets, () -> "Composition." + operation + ": targets is null");
    }

    private static void requireGroup(String operation, CollectiveType type, int[] members) {
        Objects.requireNonNull(type, () -> "Composition." + operation + ": type is null");
        Objects.requireNonNull(members, () -> "Composition." + operation + ": members is null");
    }

    private Composition addV(
            CollectiveType type,
            int[] members,
            List<BufferSlice> targets,
            List<BufferSlice> sources,
            int root,
            Start start) {
        check(type, members, root, !isVariable(type));
        for (List<BufferSlice> blocks : List.of(sources, targets)) {
            if (blocks.stream().map(BufferSlice::memory).distinct().count() > 1) {
                throw new IllegalArgumentException(
                        "composition: the blocks of " + type.label() + " are in different memories: " + blocks);
            }
        }
        return add(
                new VariableCollective(type, list(members), List.copyOf(targets), List.copyOf(sources), root, start));
    }

    /// Adds a task of this layer, in which it moves data itself. All members of the team add the same tasks, in
    /// the same order. The runtime posts it when the stages before are complete on this member.
    public Composition then(LayerTask task) {
        Objects.requireNonNull(task, "Composition.then: task is null");
        return add(new OwnTask(task, Start.AFTER));
    }

    /// Adds a task of this layer that begins together with the stage before it; see [#with].
    public Composition with(LayerTask task) {
        Objects.requireNonNull(task, "Composition.with: task is null");
        return add(new OwnTask(task, Start.TOGETHER));
    }

    private Composition add(Stage stage) {
        if (stage.start() == Start.TOGETHER && (stages.isEmpty() || stages.getLast() instanceof LocalCopy)) {
            throw new IllegalArgumentException("composition: a stage can't begin together with "
                    + (stages.isEmpty() ? "nothing" : "a copy") + "; add it by then");
        }
        stages.add(stage);
        return this;
    }

    private static boolean isVariable(CollectiveType type) {
        return switch (type) {
            case ALL_GATHER_V, ALL_TO_ALL_V, GATHER_V, SCATTER_V, REDUCE_SCATTER_V -> true;
            default -> false;
        };
    }

    private static List<Integer> list(int[] members) {
        return Arrays.stream(members).boxed().toList();
    }

    private static void check(CollectiveType type, int[] members, int root, boolean isOther) {
        boolean isGroup = members.length > 0
                && Arrays.stream(members).distinct().count() == members.length
                && Arrays.stream(members).allMatch(member -> member >= 0);
        if (isOther || !isGroup || root < 0 || root >= members.length) {
            throw new IllegalArgumentException(
                    "composition: " + type.label() + " of members " + Arrays.toString(members)
                            + ", root " + root + ": needs a collective "
                            + (isVariable(type) == isOther ? "without v" : "with v")
                            + ", distinct members, and a root in [0, " + members.length + ")");
        }
    }

    /// Adds a copy on this member.
    ///
    /// @param target as long as the source: either the same bytes, or apart from them
    /// @throws IllegalArgumentException if the lengths differ
    public Composition copy(BufferSlice target, BufferSlice source) {
        Objects.requireNonNull(target, "Composition.copy: target is null");
        Objects.requireNonNull(source, "Composition.copy: source is null");
        if (target.bytes() != source.bytes()) {
            throw new IllegalArgumentException(
                    "composition: copy of " + source + " to " + target + ": the lengths must be the same");
        }
        return add(new LocalCopy(target, source));
    }

    /// Adds the stages of a vector that is divided into fragments, several of which are under way at a time.
    ///
    /// ```java
    /// plan.pipeline(pipeline, number -> {
    ///     Composition fragment = new Composition();
    ///     long from = width * pipeline.begin(elements, number);
    ///     long bytes = width * pipeline.begin(elements, number + 1) - from;
    ///     BufferSlice partly = fragment.scratch(bytes);
    ///     fragment.then(CollectiveType.REDUCE, node, partly, BufferSlice.source(from, bytes), 0);
    ///     return fragment.then(CollectiveType.ALL_REDUCE, leaders, BufferSlice.target(from, bytes), partly, 0);
    /// });
    /// ```
    ///
    /// All members divide the vector alike, and add all stages of each fragment, also those of groups that they are
    /// not in. The stages of different fragments use different bytes of the target. Scratch memory belongs to one
    /// fragment; the runtime lends it to `depth` fragments at a time. Tasks of the layer are others in each
    /// fragment.
    /// @counterpart `ucc_schedule_pipelined_t`
    /// @param fragment makes the stages of a fragment, from 0 on
    public Composition pipeline(FragmentPipeline how, IntFunction<Composition> fragment) {
        Objects.requireNonNull(how, "Composition.pipeline: how is null");
        Objects.requireNonNull(fragment, "Composition.pipeline: fragment is null");
        how.add(this, fragment);
        return this;
    }

    /// Returns a stage with other scratch memory and another start; a copy keeps its start.
    ///
    /// @param scratch where its scratch memory begins
    static Stage moved(Stage stage, long scratch, Start start) {
        return switch (stage) {
            case GroupCollective its ->
                new GroupCollective(
                        its.type, its.members, its.target.at(scratch), its.source.at(scratch), its.root, start);
            case VariableCollective its ->
                new VariableCollective(
                        its.type,
                        its.members,
                        BufferSlice.at(its.targets, scratch),
                        BufferSlice.at(its.sources, scratch),
                        its.root,
                        start);
            case OwnTask its -> new OwnTask(its.task, start);
            case LocalCopy its -> new LocalCopy(its.target.at(scratch), its.source.at(scratch));
        };
    }

    /// Returns the stages by when they begin: those of one list begin together.
    List<List<Stage>> blocks() {
        List<List<Stage>> blocks = new ArrayList<>();
        for (Stage stage : stages) {
            if (stage.start() == Start.AFTER) {
                blocks.add(new ArrayList<>());
            }
            blocks.getLast().add(stage);
        }
        return blocks;
    }

    /// Adds stages that begin together, after the copies among them.
    void addTogether(List<Stage> together) {
        together.stream().filter(LocalCopy.class::isInstance).forEach(stages::add);
        Start start = Start.AFTER;
        for (Stage stage : together) {
            if (!(stage instanceof LocalCopy)) {
                stages.add(moved(stage, 0, start));
                start = Start.TOGETHER;
            }
        }
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

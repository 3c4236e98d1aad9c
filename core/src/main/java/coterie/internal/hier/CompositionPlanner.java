// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.BufferForm;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.plan.PlanBuffer;
import coterie.layer.Composition;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Makes plans of what a layer that plugs in has composed.
public final class CompositionPlanner {
    private final CollectiveShape shape;
    private final Function<List<Integer>, String> levels;
    private final PlanAssembler assembler;

    /// Bytes of scratch memory that the composition has.
    private long lent;

    private CompositionPlanner(CollectiveShape shape, GroupPlanner planner, Function<List<Integer>, String> levels) {
        this.shape = shape;
        this.levels = levels;
        this.assembler = new PlanAssembler(planner, NodeTopology.of(new int[shape.size()]), shape);
    }

    /// The plan of a member.
    ///
    /// @param shape what all members together do
    /// @return empty if a group would reduce in another order than its members' where that counts; that the
    ///     groups' results come together in their order is the layer's to see to
    /// @throws IllegalArgumentException if it names a number that is no member, or bytes that are not there
    public static Optional<Plan> plan(Composition composition, CollectiveShape shape) {
        return plan(composition, shape, SubgroupPlans.UNTUNED, _ -> "");
    }

    /// The plan of a member, as above.
    ///
    /// @param planner chooses what serves the groups
    /// @param levels the level to which a group with these members belongs, or an empty string
    public static Optional<Plan> plan(
            Composition composition,
            CollectiveShape shape,
            GroupPlanner planner,
            Function<List<Integer>, String> levels) {
        return new CompositionPlanner(shape, planner, levels).plan(composition);
    }

    private Optional<Plan> plan(Composition composition) {
        lent = composition.scratchBytes();
        assembler.scratch(lent);
        for (Composition.Stage stage : composition.stages()) {
            if (stage.start() == Composition.Start.AFTER) {
                assembler.endBlock();
            }
            if (!add(stage)) {
                return Optional.empty();
            }
        }
        assembler.endBlock();
        return assembler.build();
    }

    /// Returns false if the order of a reduction does not allow the stage.
    private boolean add(Composition.Stage stage) {
        return switch (stage) {
            case Composition.LocalCopy(var target, var source) -> {
                copy(target, source);
                yield true;
            }
            case Composition.OwnTask own -> {
                assembler.add(own.task());
                yield true;
            }
            case Composition.GroupCollective its ->
                add(
                        its.type(),
                        its.members(),
                        its.root(),
                        blocks -> even(its.source(), blocks),
                        blocks -> even(its.target(), blocks));
            case Composition.VariableCollective its ->
                add(
                        its.type(),
                        its.members(),
                        its.root(),
                        blocks -> listed(its.type(), its.sources(), blocks),
                        blocks -> listed(its.type(), its.targets(), blocks));
        };
    }

    private void copy(Composition.BufferSlice target, Composition.BufferSlice source) {
        ByteSpan to = span(target);
        ByteSpan from = span(source);
        checkWritable("copy", to);
        if (common(to).offset() != common(from).offset()) {
            checkApart("copy", from, to);
        }
        assembler.copy(to, from);
    }

    /// Blocks of any lengths, from the first byte of any of them on.
    private BufferLayout listed(CollectiveType type, List<Composition.BufferSlice> blocks, int count) {
        if (blocks.size() != count) {
            throw refused("its " + type.label() + " has " + blocks.size() + " blocks, and needs " + count);
        }
        List<ByteSpan> spans = blocks.stream().map(this::span).toList();
        long begin = spans.stream().mapToLong(ByteSpan::offset).min().orElse(0);
        long end = spans.stream()
                .mapToLong(span -> span.offset() + span.bytes())
                .max()
                .orElse(0);
        BlockLayout.Listed layout = new BlockLayout.Listed(
                spans.stream().mapToLong(span -> span.offset() - begin).toArray(),
                spans.stream().mapToLong(ByteSpan::bytes).toArray());
        if (type.isReduction() && count > 1 && !layout.isDense()) {
            throw refused("the blocks of its " + type.label() + " do not follow each other without gaps: " + blocks);
        }
        return new BufferLayout(new ByteSpan(spans.getFirst().buffer(), begin, end - begin), layout);
    }

    /// @param sources makes this member's source of a number of blocks
    /// @param targets makes this member's target of a number of blocks
    private boolean add(
            CollectiveType type,
            List<Integer> numbers,
            int root,
            IntFunction<BufferLayout> sources,
            IntFunction<BufferLayout> targets) {
        if (type.isReduction() && (shape.isSequential() || (shape.ordered() && !isAscending(numbers)))) {
            return false;
        }
        int[] members = numbers.stream().mapToInt(Integer::intValue).toArray();
        for (int member : members) {
            if (member >= shape.size()) {
                throw refused("member " + member + " is outside [0, " + shape.size() + ")");
            }
        }
        Subgroup group = new Subgroup(members, shape.me(), levels.apply(numbers));
        if (group.hasMe()) {
            boolean isRoot = group.index() == root;
            BufferLayout source = layout(BufferForm.source(type, isRoot), members.length, sources);
            BufferLayout target = layout(BufferForm.target(type, isRoot), members.length, targets);
            check(type, group.index(), source, target);
            assembler.add(type, group, root, isInPlace(type, group.index(), source, target), source, target);
        }
        return true;
    }

    private static BufferLayout layout(BufferForm form, int members, IntFunction<BufferLayout> blocks) {
        return form == BufferForm.NONE ? BufferLayout.NONE : blocks.apply(form.isDivided() ? members : 1);
    }

    private BufferLayout even(Composition.BufferSlice bufferSlice, int blocks) {
        ByteSpan span = span(bufferSlice);
        if (span.bytes() % blocks != 0) {
            throw refused(bufferSlice + " can't be divided into " + blocks + " blocks of equal length");
        }
        return new BufferLayout(span, new BlockLayout.Even(blocks, span.bytes() / blocks));
    }

    /// Refuses buffers of a group that don't belong together.
    ///
    /// @param me this member's number in the group
    private void check(CollectiveType type, int me, BufferLayout source, BufferLayout target) {
        checkWritable(type.label(), target.span());
        for (BufferLayout each : List.of(source, target)) {
            for (int block = 0; type.isReduction() && block < each.blocks().count(); block++) {
                if (each.blocks().bytes(block) % shape.width() != 0) {
                    throw refused("blocks of " + each.blocks().bytes(block) + " bytes of its " + type.label() + ", "
                            + each.span() + ", are not a multiple of the element size of " + shape.width() + " bytes");
                }
            }
        }
        if (source.blocks().count() > 0 && target.blocks().count() > 0) {
            long brought = own(source.blocks(), me);
            long got = own(target.blocks(), me);
            if (brought != got) {
                throw refused("source and target of its " + type.label() + " have blocks of different lengths, "
                        + brought + " bytes of " + source.span() + " and " + got + " bytes of " + target.span());
            }
        }
    }

    /// The length of the block that a member has for itself.
    private static long own(BlockLayout blocks, int me) {
        return blocks.bytes(blocks.count() == 1 ? 0 : me);
    }

    /// What a member brings stays as it is.
    private void checkWritable(String operation, ByteSpan target) {
        if (target.buffer() == PlanBuffer.SOURCE) {
            throw refused("its " + operation + " would write to " + target
                    + "; a target must be in TARGET or SCRATCH, even in place");
        }
    }

    private void checkApart(String operation, ByteSpan source, ByteSpan target) {
        if (common(source).overlaps(common(target))) {
            throw refused("source and target of its " + operation + " overlap, " + source + " and " + target
                    + (shape.inPlace() ? ", in place" : ""));
        }
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("composition of " + shape.type().label() + ": " + why);
    }

    /// Whether source and target are the same memory, as a [CollectiveShape] has it.
    private boolean isInPlace(CollectiveType type, int me, BufferLayout source, BufferLayout target) {
        if (source.blocks().count() == 0 || target.blocks().count() == 0) {
            return false;
        }
        ByteSpan from = common(source.span());
        ByteSpan to = common(target.span());
        boolean isSame = from.buffer() == to.buffer()
                && from.offset() + inSource(type, source.blocks(), me)
                        == to.offset() + inTarget(type, target.blocks(), me);
        if (!isSame) {
            checkApart(type.label(), source.span(), target.span());
        }
        return isSame;
    }

    /// Where bytes are, source and target being one memory where the whole is in place.
    private ByteSpan common(ByteSpan span) {
        if (!shape.inPlace() || span.buffer() == PlanBuffer.SCRATCH) {
            return span;
        }
        long before = span.buffer() == PlanBuffer.SOURCE
                ? inTarget(shape.type(), shape.target(), shape.me())
                : inSource(shape.type(), shape.source(), shape.me());
        return new ByteSpan(PlanBuffer.TARGET, before + span.offset(), span.bytes());
    }

    /// Where the source begins in the target if it is a block of it; what the root alone has, others have no blocks of.
    private static long inTarget(CollectiveType type, BlockLayout target, int me) {
        return switch (type) {
            case ALL_GATHER, ALL_GATHER_V, GATHER, GATHER_V -> target.count() == 0 ? 0 : target.offset(me);
            default -> 0;
        };
    }

    /// Where the target begins in the source if it is a block of it.
    private static long inSource(CollectiveType type, BlockLayout source, int me) {
        boolean isBlock = type == CollectiveType.SCATTER || type == CollectiveType.SCATTER_V;
        return isBlock && source.count() > 0 ? source.offset(me) : 0;
    }

    private ByteSpan span(Composition.BufferSlice bufferSlice) {
        return switch (bufferSlice.memory()) {
            case SOURCE -> span(bufferSlice, PlanBuffer.SOURCE, shape.source().end());
            case TARGET -> span(bufferSlice, PlanBuffer.TARGET, shape.target().end());
            case SCRATCH -> span(bufferSlice, PlanBuffer.SCRATCH, lent);
        };
    }

    private ByteSpan span(Composition.BufferSlice bufferSlice, PlanBuffer buffer, long most) {
        if (bufferSlice.byteOffset() + bufferSlice.bytes() > most) {
            throw refused(bufferSlice + " exceeds the buffer's " + most + " bytes");
        }
        return new ByteSpan(buffer, bufferSlice.byteOffset(), bufferSlice.bytes());
    }

    /// Whether the group's order is the team's.
    private static boolean isAscending(List<Integer> members) {
        return IntStream.range(1, members.size()).allMatch(number -> members.get(number) >= members.get(number - 1));
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.plan.PlanBuffer;
import coterie.layer.Composition;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
    /// @throws IllegalArgumentException if it names who is no member, or bytes that are not there
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
            switch (stage) {
                case Composition.LocalCopy(var target, var source) -> copy(target, source);
                case Composition.GroupCollective groupCollective -> {
                    if (shape.ordered() && isReducing(groupCollective.type()) && !isAscending(groupCollective)) {
                        return Optional.empty();
                    }
                    add(groupCollective);
                }
            }
        }
        return assembler.build();
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

    private void add(Composition.GroupCollective groupCollective) {
        int[] members =
                groupCollective.members().stream().mapToInt(Integer::intValue).toArray();
        for (int member : members) {
            if (member >= shape.size()) {
                throw refused("member " + member + " is outside [0, " + shape.size() + ")");
            }
        }
        Subgroup group = new Subgroup(members, shape.me(), levels.apply(groupCollective.members()));
        if (!group.hasMe()) {
            return;
        }
        boolean isRoot = group.index() == groupCollective.root();
        CollectiveType type = groupCollective.type();
        boolean manyIn = type == CollectiveType.ALL_TO_ALL
                || type == CollectiveType.REDUCE_SCATTER
                || type == CollectiveType.SCATTER;
        boolean manyOut =
                type == CollectiveType.ALL_TO_ALL || type == CollectiveType.ALL_GATHER || type == CollectiveType.GATHER;
        boolean brings = isRoot || !(type == CollectiveType.BROADCAST || type == CollectiveType.SCATTER);
        boolean gets = isRoot || !(type == CollectiveType.REDUCE || type == CollectiveType.GATHER);
        boolean moves =
                type != CollectiveType.BARRIER && type != CollectiveType.FAN_IN && type != CollectiveType.FAN_OUT;
        BufferLayout source = moves && brings
                ? bufferLayout(groupCollective.source(), manyIn ? members.length : 1)
                : BufferLayout.NONE;
        BufferLayout target = moves && gets
                ? bufferLayout(groupCollective.target(), manyOut ? members.length : 1)
                : BufferLayout.NONE;
        check(type, source, target);
        assembler.then(
                type, group, groupCollective.root(), isInPlace(type, group.index(), source, target), source, target);
    }

    private BufferLayout bufferLayout(Composition.BufferSlice bufferSlice, int blocks) {
        ByteSpan span = span(bufferSlice);
        if (span.bytes() % blocks != 0) {
            throw refused(bufferSlice + " can't be divided into " + blocks + " blocks of equal length");
        }
        return new BufferLayout(span, new BlockLayout.Even(blocks, span.bytes() / blocks));
    }

    /// Refuses buffers of a group that don't belong together.
    private void check(CollectiveType type, BufferLayout source, BufferLayout target) {
        checkWritable(type.label(), target.span());
        for (BufferLayout each : List.of(source, target)) {
            if (isReducing(type) && each.blocks().count() > 0 && each.blocks().bytes(0) % shape.width() != 0) {
                throw refused("blocks of " + each.blocks().bytes(0) + " bytes of its " + type.label() + ", "
                        + each.span() + ", are not a multiple of the element size of " + shape.width() + " bytes");
            }
        }
        boolean hasBoth = source.blocks().count() > 0 && target.blocks().count() > 0;
        if (hasBoth && source.blocks().bytes(0) != target.blocks().bytes(0)) {
            throw refused("source and target of its " + type.label() + " have blocks of different lengths, "
                    + source.blocks().bytes(0) + " bytes of " + source.span() + " and "
                    + target.blocks().bytes(0) + " bytes of " + target.span());
        }
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
        ByteSpan from = common(source.span());
        ByteSpan to = common(target.span());
        if (source.blocks().count() == 0 || target.blocks().count() == 0) {
            return false;
        }
        boolean isSame = from.buffer() == to.buffer()
                && switch (type) {
                    case ALL_GATHER, GATHER ->
                        from.offset() == to.offset() + target.blocks().offset(me);
                    case SCATTER ->
                        to.offset() == from.offset() + source.blocks().offset(me);
                    default -> from.offset() == to.offset();
                };
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
        boolean isBlockOfTarget = switch (shape.type()) {
            case ALL_GATHER, ALL_GATHER_V, GATHER, GATHER_V -> true;
            default -> false;
        };
        boolean isBlockOfSource = shape.type() == CollectiveType.SCATTER || shape.type() == CollectiveType.SCATTER_V;
        long before = switch (span.buffer()) {
            case SOURCE -> isBlockOfTarget ? mine(shape.target()) : 0;
            default -> isBlockOfSource ? mine(shape.source()) : 0;
        };
        return new ByteSpan(PlanBuffer.TARGET, before + span.offset(), span.bytes());
    }

    /// Where my block begins; what the root alone has, others have no blocks of.
    private long mine(BlockLayout blocks) {
        return blocks.count() == 0 ? 0 : blocks.offset(shape.me());
    }

    private ByteSpan span(Composition.BufferSlice bufferSlice) {
        PlanBuffer buffer = switch (bufferSlice.memory()) {
            case SOURCE -> PlanBuffer.SOURCE;
            case TARGET -> PlanBuffer.TARGET;
            case SCRATCH -> PlanBuffer.SCRATCH;
        };
        long most = switch (bufferSlice.memory()) {
            case SOURCE -> end(shape.source());
            case TARGET -> end(shape.target());
            case SCRATCH -> lent;
        };
        if (bufferSlice.offset() + bufferSlice.bytes() > most) {
            throw refused(bufferSlice + " exceeds the buffer's " + most + " bytes");
        }
        return new ByteSpan(buffer, bufferSlice.offset(), bufferSlice.bytes());
    }

    private static long end(BlockLayout blocks) {
        long end = 0;
        for (int block = 0; block < blocks.count(); block++) {
            end = Math.max(end, blocks.offset(block) + blocks.bytes(block));
        }
        return end;
    }

    private static boolean isReducing(CollectiveType type) {
        return switch (type) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> true;
            default -> false;
        };
    }

    /// Whether the group's order is the team's.
    private static boolean isAscending(Composition.GroupCollective groupCollective) {
        for (int number = 1; number < groupCollective.members().size(); number++) {
            if (groupCollective.members().get(number)
                    < groupCollective.members().get(number - 1)) {
                return false;
            }
        }
        return true;
    }
}

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
        List<Composition.Stage> stages = composition.stages();
        for (int from = 0; from < stages.size(); ) {
            int to = from + 1;
            while (to < stages.size() && stages.get(to).start() == Composition.Start.TOGETHER) {
                to++;
            }
            if (!add(stages.subList(from, to))) {
                return Optional.empty();
            }
            from = to;
        }
        return assembler.build();
    }

    /// Adds stages that begin together; returns false if the order of a reduction does not allow one of them.
    private boolean add(List<Composition.Stage> stages) {
        PlanAssembler.Block block = assembler.new Block();
        for (Composition.Stage stage : stages) {
            switch (stage) {
                case Composition.LocalCopy(var target, var source) -> copy(target, source);
                case Composition.OwnTask own -> block.add(own.task());
                case Composition.GroupCollective its -> {
                    if (breaksOrder(its.type(), its.members())) {
                        return false;
                    }
                    add(block, its.type(), its.members(), its.root(), blocks(its));
                }
                case Composition.VariableCollective its -> {
                    if (breaksOrder(its.type(), its.members())) {
                        return false;
                    }
                    add(block, its.type(), its.members(), its.root(), blocks(its));
                }
            }
        }
        block.end();
        return true;
    }

    private boolean breaksOrder(CollectiveType type, List<Integer> members) {
        return shape.ordered() && type.isReduction() && !isAscending(members);
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

    /// The buffers of a collective of a group, if this member has them.
    private interface Blocks {
        /// @param members of the group
        BufferLayout source(int members);

        /// @param members of the group
        BufferLayout target(int members);
    }

    private Blocks blocks(Composition.GroupCollective its) {
        CollectiveType type = its.type();
        boolean manyIn = type == CollectiveType.ALL_TO_ALL
                || type == CollectiveType.REDUCE_SCATTER
                || type == CollectiveType.SCATTER;
        boolean manyOut =
                type == CollectiveType.ALL_TO_ALL || type == CollectiveType.ALL_GATHER || type == CollectiveType.GATHER;
        return new Blocks() {
            @Override
            public BufferLayout source(int members) {
                return bufferLayout(its.source(), manyIn ? members : 1);
            }

            @Override
            public BufferLayout target(int members) {
                return bufferLayout(its.target(), manyOut ? members : 1);
            }
        };
    }

    private Blocks blocks(Composition.VariableCollective its) {
        CollectiveType type = its.type();
        boolean manyIn = type == CollectiveType.ALL_TO_ALL_V
                || type == CollectiveType.REDUCE_SCATTER_V
                || type == CollectiveType.SCATTER_V;
        boolean manyOut = type == CollectiveType.ALL_TO_ALL_V
                || type == CollectiveType.ALL_GATHER_V
                || type == CollectiveType.GATHER_V;
        return new Blocks() {
            @Override
            public BufferLayout source(int members) {
                return listed(type, its.sources(), manyIn ? members : 1);
            }

            @Override
            public BufferLayout target(int members) {
                return listed(type, its.targets(), manyOut ? members : 1);
            }
        };
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

    private void add(PlanAssembler.Block block, CollectiveType type, List<Integer> numbers, int root, Blocks blocks) {
        int[] members = numbers.stream().mapToInt(Integer::intValue).toArray();
        for (int member : members) {
            if (member >= shape.size()) {
                throw refused("member " + member + " is outside [0, " + shape.size() + ")");
            }
        }
        Subgroup group = new Subgroup(members, shape.me(), levels.apply(numbers));
        if (!group.hasMe()) {
            return;
        }
        boolean isRoot = group.index() == root;
        boolean brings = isRoot
                || !(type == CollectiveType.BROADCAST
                        || type == CollectiveType.SCATTER
                        || type == CollectiveType.SCATTER_V);
        boolean gets = isRoot
                || !(type == CollectiveType.REDUCE || type == CollectiveType.GATHER || type == CollectiveType.GATHER_V);
        boolean moves =
                type != CollectiveType.BARRIER && type != CollectiveType.FAN_IN && type != CollectiveType.FAN_OUT;
        BufferLayout source = moves && brings ? blocks.source(members.length) : BufferLayout.NONE;
        BufferLayout target = moves && gets ? blocks.target(members.length) : BufferLayout.NONE;
        check(type, group.index(), source, target);
        block.add(type, group, root, isInPlace(type, group.index(), source, target), source, target);
    }

    private BufferLayout bufferLayout(Composition.BufferSlice bufferSlice, int blocks) {
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
        ByteSpan from = common(source.span());
        ByteSpan to = common(target.span());
        if (source.blocks().count() == 0 || target.blocks().count() == 0) {
            return false;
        }
        boolean isSame = from.buffer() == to.buffer()
                && switch (type) {
                    case ALL_GATHER, ALL_GATHER_V, GATHER, GATHER_V ->
                        from.offset() == to.offset() + target.blocks().offset(me);
                    case SCATTER, SCATTER_V ->
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

    /// Whether the group's order is the team's.
    private static boolean isAscending(List<Integer> members) {
        for (int number = 1; number < members.size(); number++) {
            if (members.get(number) < members.get(number - 1)) {
                return false;
            }
        }
        return true;
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.ElementType;
import coterie.ElementView;
import coterie.ExtendedReduction;
import coterie.ReductionOperator;
import coterie.ScaledSum;
import coterie.collective.Collective;
import coterie.collective.Collective.Buffer;
import coterie.collective.CollectiveType;
import coterie.internal.collective.ArgumentChecks;
import coterie.internal.component.AskedCollective;
import coterie.internal.component.ComponentRegistry;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.BufferForm;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.Membership;
import coterie.internal.wait.OperationKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what a request is described with, and checks it as [ArgumentChecks] does: counts, places, and how source and
/// target fit each other. Unlike those of calls, its blocks may have any lengths and any order.
final class RequestReader {
    private static final int LEAST_RADIX = 2;

    private final Collective described;
    private final CollectiveType type;
    private final Membership membership;
    private final ArgumentChecks argumentChecks;
    private final OperationKind kind;
    private final int size;
    private final int me;
    private final boolean isRoot;
    private final List<PeMemory> memory = new ArrayList<>();

    /// The latest that was read.
    private @Nullable ElementView view;

    RequestReader(Collective described, Membership membership, ArgumentChecks argumentChecks) {
        this.described = described;
        this.type = described.type();
        this.membership = membership;
        this.argumentChecks = argumentChecks;
        this.kind = OperationKind.valueOf(type.name());
        this.size = membership.size();
        this.me = membership.me();
        argumentChecks.checkRoot(kind, described.root());
        this.isRoot = described.root() == me;
    }

    /// A buffer as a member has it.
    ///
    /// @param at where it begins
    private record LocatedBlocks(long at, BlockLayout blocks) {
        static final LocatedBlocks NONE = new LocatedBlocks(0, BlockLayout.Even.NONE);

        long place(int block) {
            return at + blocks.offset(block);
        }

        long bytes(int block) {
            return blocks.bytes(block);
        }
    }

    /// Bytes of each PE's heap that a block takes.
    ///
    /// @param role "source" or "target"
    private record BlockExtent(String role, int block, long at, long bytes) {
        long end() {
            return at + bytes;
        }

        boolean isTarget() {
            return role.equals("target");
        }

        /// For people: "block 3 of the target, 16 bytes from 4096".
        @Override
        public String toString() {
            return "block " + block + " of the " + role + ", " + bytes + " bytes from " + at;
        }
    }

    /// Returns what is asked for.
    ///
    /// @throws IllegalArgumentException or others, as [ArgumentChecks] has them
    AskedCollective read(ComponentRegistry registry) {
        described.timeout().ifPresent(this::checkPositive);
        Buffer given = described.source().orElse(null);
        Buffer wanted = described.target().orElse(null);
        boolean isAlone = type == CollectiveType.BROADCAST && isRoot && wanted == null;
        LocatedBlocks source = located("source", BufferForm.source(type, isRoot), given);
        LocatedBlocks target = isAlone ? source : located("target", BufferForm.target(type, isRoot), wanted);
        ElementType of = view == null ? ElementType.BYTE : view.type();
        ReductionOperator<?> operator = described.operator().orElse(null);
        int width = operator == null ? of.byteSize() : width(operator, of);
        checkWhole(source, width, of);
        checkWhole(target, width, of);
        checkFit(source, target, of);
        boolean isInPlace = isInPlace(source, target);
        checkApart(isInPlace ? LocatedBlocks.NONE : source, target);
        CollectiveShape shape = new CollectiveShape(
                type,
                size,
                me,
                described.root(),
                width,
                AskedCollective.order(operator, of),
                isInPlace,
                source.blocks,
                target.blocks,
                LEAST_RADIX);
        int radix = registry.radix(shape.bytes(), size);
        return new AskedCollective(kind, shape.with(radix), of, operator, source.at, target.at, List.copyOf(memory));
    }

    private void checkPositive(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw illegal("timeout " + timeout + " is not positive");
        }
    }

    private int width(ReductionOperator<?> operator, ElementType of) {
        boolean isScan = type == CollectiveType.INCLUSIVE_SCAN || type == CollectiveType.EXCLUSIVE_SCAN;
        if (isScan && (operator == ExtendedReduction.AVERAGE || operator instanceof ScaledSum)) {
            throw illegal(operator + " is not defined for scans");
        }
        if (type == CollectiveType.EXCLUSIVE_SCAN && !ReductionOperators.hasIdentity(operator)) {
            throw illegal(operator + " has no identity element, which an exclusive scan gives to member 0");
        }
        try {
            return operator.width(of);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(membership.messagePrefix(kind.label()) + e.getMessage(), e);
        }
    }

    private LocatedBlocks located(String role, BufferForm form, @Nullable Buffer side) {
        return switch (form) {
            case NONE -> LocatedBlocks.NONE;
            case VECTOR -> even(role, side, 1);
            case BLOCKS -> even(role, side, size);
            case LISTED -> listed(role, side);
        };
    }

    private LocatedBlocks even(String role, @Nullable Buffer side, int blocks) {
        Buffer given = given(role, side, 1);
        if (given.count(0) % blocks != 0) {
            throw illegal("the " + role + "'s " + given.count(0) + " elements can't be divided evenly among " + blocks
                    + " members");
        }
        return new LocatedBlocks(place(role, given, 0), new BlockLayout.Even(blocks, bytes(given, 0) / blocks));
    }

    private LocatedBlocks listed(String role, @Nullable Buffer side) {
        Buffer given = given(role, side, size);
        long least = Long.MAX_VALUE;
        for (int block = 0; block < size; block++) {
            place(role, given, block);
            least = Math.min(least, given.index(block));
        }
        int width = given.elements().type().byteSize();
        long[] offsets = new long[size];
        long[] lengths = new long[size];
        for (int block = 0; block < size; block++) {
            offsets[block] = (given.index(block) - least) * width;
            lengths[block] = bytes(given, block);
        }
        long at = argumentChecks.place(kind, role, given.elements(), least, 0);
        return new LocatedBlocks(at, new BlockLayout.Listed(offsets, lengths));
    }

    private Buffer given(String role, @Nullable Buffer side, int blocks) {
        if (side == null) {
            throw illegal("no " + role + " is given; this member needs one");
        }
        if (side.blocks() != blocks) {
            throw illegal("the " + role + " has " + side.blocks() + " blocks; required: " + blocks
                    + (blocks == 1 ? "" : ", one for each member"));
        }
        if (view != null) {
            argumentChecks.type(kind, side.elements(), view);
        }
        view = side.elements();
        PeMemory block = HeapOffsets.blockOf(view).block();
        if (!memory.contains(block)) {
            memory.add(block);
        }
        return side;
    }

    private long place(String role, Buffer side, int block) {
        argumentChecks.checkCount(kind, side.elements().type(), side.count(block), 1);
        return argumentChecks.place(kind, role, side.elements(), side.index(block), side.count(block));
    }

    private static long bytes(Buffer side, int block) {
        return side.count(block) * side.elements().type().byteSize();
    }

    /// Refuses counts that cut elements of the operator's.
    private void checkWhole(LocatedBlocks side, int width, ElementType of) {
        for (int block = 0; block < side.blocks.count(); block++) {
            if (side.bytes(block) % width != 0) {
                throw illegal(side.bytes(block) / of.byteSize() + " elements of " + of
                        + " are not a multiple of the reduction's element size of " + width + " bytes");
            }
        }
    }

    /// Refuses source and target that don't fit each other.
    private void checkFit(LocatedBlocks source, LocatedBlocks target, ElementType of) {
        int brings = source.blocks.count();
        int gets = target.blocks.count();
        if (brings == 0 || gets == 0) {
            return;
        }
        long mine = ownBytes(source);
        long its = ownBytes(target);
        if (mine != its) {
            int width = of.byteSize();
            throw illegal("the source has " + mine / width + " elements for a target block of "
                    + its / width + "; in total the source has " + source.blocks.total() / width + ", the target "
                    + target.blocks.total() / width);
        }
    }

    /// Bytes of the block that both have, where both have one.
    private long ownBytes(LocatedBlocks side) {
        return side.bytes(side.blocks.count() == 1 ? 0 : me);
    }

    /// Where a member has no bytes of both, they are apart, wherever they begin.
    private boolean isInPlace(LocatedBlocks source, LocatedBlocks target) {
        if (source.blocks.count() == 0 || target.blocks.count() == 0 || ownBytes(source) == 0) {
            return false;
        }
        return switch (type) {
            case ALL_GATHER, ALL_GATHER_V, GATHER, GATHER_V -> source.at == target.place(me);
            case SCATTER, SCATTER_V -> target.at == source.place(me);
            case ALL_TO_ALL_V -> false;
            default -> source.at == target.at;
        };
    }

    /// Refuses blocks of a target that overlap with each other, or with a source.
    ///
    /// @param source with no blocks where it may overlap
    private void checkApart(LocatedBlocks source, LocatedBlocks target) {
        List<BlockExtent> extents = new ArrayList<>();
        addTo(extents, source, "source");
        addTo(extents, target, "target");
        extents.sort(Comparator.comparingLong(BlockExtent::at));
        BlockExtent before = null;
        BlockExtent targetBefore = null;
        for (BlockExtent extent : extents) {
            BlockExtent other = extent.isTarget() ? before : targetBefore;
            if (other != null && other.end() > extent.at()) {
                throw illegal(extent + " overlaps with " + other
                        + " in the heap; source and target must be disjoint, or in place as Collective defines it");
            }
            before = last(before, extent);
            targetBefore = extent.isTarget() ? last(targetBefore, extent) : targetBefore;
        }
    }

    private static BlockExtent last(@Nullable BlockExtent before, BlockExtent extent) {
        return before == null || extent.end() > before.end() ? extent : before;
    }

    private void addTo(List<BlockExtent> extents, LocatedBlocks side, String role) {
        for (int block = 0; block < side.blocks.count(); block++) {
            if (side.bytes(block) > 0) {
                extents.add(new BlockExtent(role, block, side.place(block), side.bytes(block)));
            }
        }
    }

    private IllegalArgumentException illegal(String what) {
        return new IllegalArgumentException(membership.messagePrefix(kind.label()) + what);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.Blocks;
import coterie.internal.plan.Buffer;
import coterie.internal.plan.Plan;
import coterie.internal.plan.Shape;
import coterie.internal.plan.Span;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Alltoall(v), `node_split`: what stays on the node all members exchange at once, and at the same time begin what
/// goes to other nodes, in steps in which each sends one block and receives one, so that nobody is overrun.
///
/// In place, all of the source is copied to scratch memory first.
///
/// Between nodes goes each block that must, straight.
final class NodeSplit {

    static Optional<Plan> alltoall(Assembly plan) {
        Shape shape = plan.shape();
        Group node = plan.group(Groups.Kind.NODE);
        Group full = plan.group(Groups.Kind.FULL);
        Place source = shape.inPlace() ? kept(plan) : whole(Buffer.SOURCE, shape.source());
        Place target = whole(Buffer.TARGET, shape.target());
        IntPredicate far = member -> node.indexOf(member) == Group.NOBODY;
        plan.then(CollectiveType.ALLTOALLV, "pairwise", full, node, only(source, far), only(target, far));
        plan.beside(CollectiveType.ALLTOALLV, "linear", node, of(source, node), of(target, node));
        return plan.build();
    }

    private static Place whole(Buffer buffer, Blocks blocks) {
        long end = IntStream.range(0, blocks.count())
                .mapToLong(block -> blocks.offset(block) + blocks.bytes(block))
                .max()
                .orElse(0);
        return new Place(new Span(buffer, 0, end), blocks);
    }

    private static Place kept(Assembly plan) {
        Shape shape = plan.shape();
        Blocks packed = Blocks.Listed.dense(IntStream.range(0, shape.size())
                .mapToLong(shape.source()::bytes)
                .toArray());
        Span kept = plan.scratch(packed.total());
        for (int block = 0; block < shape.size(); block++) {
            plan.copy(kept.part(packed.offset(block), packed.bytes(block)), shape.source(block));
        }
        return new Place(kept, packed);
    }

    /// The same with nothing in the other blocks.
    private static Place only(Place place, IntPredicate blocks) {
        int count = place.blocks().count();
        return new Place(
                place.span(),
                new Blocks.Listed(
                        IntStream.range(0, count)
                                .mapToLong(block ->
                                        blocks.test(block) ? place.blocks().offset(block) : 0)
                                .toArray(),
                        IntStream.range(0, count)
                                .mapToLong(block ->
                                        blocks.test(block) ? place.blocks().bytes(block) : 0)
                                .toArray()));
    }

    /// The blocks of a group's members.
    private static Place of(Place place, Group group) {
        int[] members = group.members();
        return new Place(
                place.span(),
                new Blocks.Listed(
                        IntStream.of(members).mapToLong(place.blocks()::offset).toArray(),
                        IntStream.of(members).mapToLong(place.blocks()::bytes).toArray()));
    }

    private NodeSplit() {}
}

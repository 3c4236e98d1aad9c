// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.Blocks;
import coterie.internal.plan.Buffer;
import coterie.internal.plan.Plan;
import coterie.internal.plan.Shape;
import coterie.internal.plan.Span;
import java.util.Arrays;
import java.util.Optional;

/// Allgather(v), `gab`: each node gathers its blocks at its leader, the leaders allgather what they have, each
/// leader broadcasts all on its node.
///
/// The blocks travel node by node. If that is how they lie in the target, all is done there; else in scratch memory
/// as long as all blocks, from which they are copied in the end.
///
/// Between nodes goes the leaders' allgather alone.
final class NodeAllgather {

    static Optional<Plan> allgather(Assembly plan) {
        Shape shape = plan.shape();
        Groups groups = plan.groups();
        Group node = plan.group(Groups.Kind.NODE);
        Group leaders = plan.group(Groups.Kind.NODE_LEADERS);
        Blocks[] mates = new Blocks[groups.nodes()];
        Arrays.setAll(mates, place -> blocksOf(shape, groups.node(place, shape.me())));
        Blocks nodes = Blocks.Listed.dense(
                Arrays.stream(mates).mapToLong(Blocks::total).toArray());
        boolean direct = groups.keepsOrder() && shape.target().isDense();
        Span all = direct ? new Span(Buffer.TARGET, 0, nodes.total()) : plan.scratch(nodes.total());
        int place = groups.place(shape.me());
        Span ours = all.part(nodes.offset(place), nodes.bytes(place));
        plan.then(
                shape.type() == CollectiveType.ALLGATHER ? CollectiveType.GATHER : CollectiveType.GATHERV,
                node,
                0,
                direct && shape.inPlace(),
                Place.vector(shape.source(0)),
                leaders.hasMe() ? new Place(ours, mates[place]) : Place.NONE);
        plan.then(CollectiveType.ALLGATHERV, leaders, 0, true, Place.vector(ours), new Place(all, nodes));
        plan.broadcast(node, 0, all);
        if (!direct) {
            unpack(plan, all, nodes, mates);
        }
        return plan.build();
    }

    private static void unpack(Assembly plan, Span all, Blocks nodes, Blocks[] mates) {
        Shape shape = plan.shape();
        for (int place = 0; place < mates.length; place++) {
            Group node = plan.groups().node(place, shape.me());
            for (int number = 0; number < node.size(); number++) {
                int member = node.member(number);
                if (member != shape.me() || !shape.inPlace()) {
                    long offset = nodes.offset(place) + mates[place].offset(number);
                    plan.copy(shape.target(member), all.part(offset, mates[place].bytes(number)));
                }
            }
        }
    }

    /// The blocks of a node, one behind the other.
    private static Blocks blocksOf(Shape shape, Group node) {
        if (shape.type() == CollectiveType.ALLGATHER) {
            return new Blocks.Even(node.size(), shape.target().bytes(0));
        }
        return Blocks.Listed.dense(
                Arrays.stream(node.members()).mapToLong(shape.target()::bytes).toArray());
    }

    private NodeAllgather() {}
}

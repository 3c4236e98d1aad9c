// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Allgather by neighbour exchange (Chen and others, 2005): a member exchanges with the members before and after
/// it in turn, first its own block, and then always the two blocks that it received last.
///
/// ```
///  6 members:  0 ⇄ 1   2 ⇄ 3   4 ⇄ 5     a pair of blocks each
///              1 ⇄ 2   3 ⇄ 4   5 ⇄ 0     two pairs
///              0 ⇄ 1   2 ⇄ 3   4 ⇄ 5     all
/// ```
///
/// n / 2 steps; each member sends n - 1 blocks. A ring sends as many bytes in twice the steps. Declines odd team
/// sizes, whose members can't be paired.
final class NeighbourAllgather {

    static void allgather(Plan.Builder plan, CollectiveShape shape) {
        int size = shape.size();
        int me = shape.me();
        int towards = me % 2 == 0 ? 1 : -1;
        int partner = shape.neighbour(towards);
        plan.send(partner, shape.source(0)).receive(partner, shape.target(partner));
        plan.copyOwn(shape);
        ByteSpan have = pair(shape, me / 2);
        for (int step = 1; step < size / 2; step++) {
            int side = step % 2 == 0 ? towards : -towards;
            ByteSpan get = pair(shape, Math.floorMod(me / 2 + side * ((step + 1) / 2), size / 2));
            partner = shape.neighbour(side);
            plan.next().send(partner, have).receive(partner, get);
            have = get;
        }
    }

    private static ByteSpan pair(CollectiveShape shape, int pair) {
        return shape.target().of(PlanBuffer.TARGET, 2 * pair, 2);
    }

    private NeighbourAllgather() {}
}

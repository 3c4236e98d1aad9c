// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static coterie.internal.launch.FaultedCalls.COUNT;
import static coterie.internal.launch.FaultedCalls.check;
import static coterie.internal.launch.FaultedCalls.element;
import static coterie.internal.launch.FaultedCalls.sumTo;

import coterie.IntegerView;
import coterie.Reduction;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.util.Arrays;
import java.util.stream.IntStream;

/// The requests of a team, one of each kind, with checked results; see [FaultedCalls].
final class FaultedRequests {
    private final Team team;
    private final IntegerView target;
    private final IntegerView source;
    private final int me;
    private final int size;
    private final int root;

    FaultedRequests(Team team, IntegerView target, IntegerView source) {
        this.team = team;
        this.target = target;
        this.source = source;
        this.me = team.member();
        this.size = team.size();
        this.root = size - 1;
    }

    void run() {
        perform(Collective.barrier());
        perform(Collective.fanIn(root));
        perform(Collective.fanOut(root));
        oneForAll();
        blocks();
        blocksOfAnyLength();
    }

    private void perform(Collective collective) {
        try (Request request = team.prepare(collective)) {
            request.post();
            request.await();
        }
    }

    private void oneForAll() {
        int last = COUNT - 1;
        perform(Collective.broadcast(root).source(source, 0, COUNT).target(target, 0, COUNT));
        check(target.get(last), element(root, last));
        perform(Collective.allReduce(Reduction.SUM).source(source, 0, COUNT).target(target, 0, COUNT));
        check(target.get(last), sumTo(size - 1, last));
        perform(Collective.reduce(Reduction.SUM, root).source(source, 0, COUNT).target(target, 0, COUNT));
        check(me == root ? target.get(last) : 0, me == root ? sumTo(size - 1, last) : 0);
        perform(Collective.inclusiveScan(Reduction.SUM).source(source, 0, COUNT).target(target, 0, COUNT));
        check(target.get(last), sumTo(me, last));
        perform(Collective.exclusiveScan(Reduction.SUM).source(source, 0, COUNT).target(target, 0, COUNT));
        check(target.get(last), sumTo(me - 1, last));
    }

    private void blocks() {
        int last = COUNT - 1;
        long all = (long) size * COUNT;
        perform(Collective.reduceScatter(Reduction.SUM).source(source, 0, all).target(target, 0, COUNT));
        check(target.get(last), sumTo(size - 1, (long) me * COUNT + last));
        perform(Collective.allGather().source(source, 0, COUNT).target(target, 0, all));
        checkGathered(last);
        perform(Collective.gather(root).source(source, 0, COUNT).target(target, 0, all));
        if (me == root) {
            checkGathered(last);
        }
        perform(Collective.scatter(root).source(source, 0, all).target(target, 0, COUNT));
        check(target.get(last), element(root, (long) me * COUNT + last));
        perform(Collective.allToAll().source(source, 0, all).target(target, 0, all));
        for (int member = 0; member < size; member++) {
            check(target.get((long) member * COUNT + last), element(member, (long) me * COUNT + last));
        }
    }

    private void checkGathered(int index) {
        for (int member = 0; member < size; member++) {
            check(target.get((long) member * COUNT + index), element(member, index));
        }
    }

    /// Member `m` has `m + 1` elements, and members `i` and `j` exchange `i + j + 1`.
    private void blocksOfAnyLength() {
        long[] indices =
                IntStream.range(0, size).mapToLong(i -> (long) i * COUNT).toArray();
        long[] counts = IntStream.range(0, size).mapToLong(i -> i + 1).toArray();
        long[] exchanged = Arrays.stream(counts).map(count -> count + me).toArray();
        int own = me + 1;
        perform(Collective.reduceScatterV(Reduction.SUM)
                .source(source, counts, indices)
                .target(target, 0, own));
        check(target.get(me), sumTo(size - 1, (long) me * COUNT + me));
        perform(Collective.allGatherV().source(source, 0, own).target(target, counts, indices));
        checkGathered(0);
        perform(Collective.gatherV(root).source(source, 0, own).target(target, counts, indices));
        if (me == root) {
            checkGathered(0);
        }
        perform(Collective.scatterV(root).source(source, counts, indices).target(target, 0, own));
        check(target.get(me), element(root, (long) me * COUNT + me));
        perform(Collective.allToAllV().source(source, exchanged, indices).target(target, exchanged, indices));
        for (int member = 0; member < size; member++) {
            check(target.get((long) member * COUNT + me + member), element(member, (long) me * COUNT + me + member));
        }
    }
}

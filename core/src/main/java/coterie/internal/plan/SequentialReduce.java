// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import coterie.collective.CollectiveType;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Reductions whose operands must meet one by one, in the order of the members: one member gets a share of all
/// members' elements, as they are, reduces them at once, and passes on what comes out. So sums of 16-bit numbers are
/// rounded once.
///
/// ```
///  step 1    each member sends share k of its source to member k, which reduces the shares that it has
///  step 2    allreduce         the results go to all
///            reduce            the results go to the root
///            scans             the result of the members up to the j-th goes to member j
///            reduce_scatter(v) a share is the member's block: there is no second step
/// ```
///
/// A member sends at most two vectors, the fewest that an allreduce needs, in 2·(n − 1) messages.
final class SequentialReduce {
    private final Plan.Builder plan;
    private final CollectiveShape shape;

    private SequentialReduce(Plan.Builder plan, CollectiveShape shape) {
        this.plan = plan;
        this.shape = shape;
    }

    static void allreduce(Plan.Builder plan, CollectiveShape shape) {
        SequentialReduce reduce = new SequentialReduce(plan, shape);
        ByteSpan result = reduce.share(shape.target(0), shape.me());
        plan.foldAll(result, reduce.gathered());
        plan.phase();
        shape.others().forEach(member -> plan.send(member, result));
        reduce.receiveShares();
    }

    static void reduce(Plan.Builder plan, CollectiveShape shape) {
        SequentialReduce reduce = new SequentialReduce(plan, shape);
        List<ByteSpan> operands = reduce.gathered();
        ByteSpan result = shape.isRoot()
                ? reduce.share(shape.target(0), shape.me())
                : plan.scratch(operands.getFirst().bytes());
        plan.foldAll(result, operands);
        plan.next();
        if (shape.isRoot()) {
            reduce.receiveShares();
        } else {
            plan.send(shape.root(), result).next();
        }
    }

    static void reduceScatter(Plan.Builder plan, CollectiveShape shape) {
        SequentialReduce reduce = new SequentialReduce(plan, shape);
        ByteSpan target = shape.target(0);
        List<ByteSpan> operands = new ArrayList<>(reduce.gathered());
        ByteSpan own = operands.get(shape.me());
        if (shape.inPlace() && own.offset() != target.offset()) { // they may overlap
            ByteSpan kept = plan.scratch(own.bytes());
            plan.copy(kept, own);
            operands.set(shape.me(), kept);
        }
        plan.foldAll(target, operands);
    }

    static void inclusiveScan(Plan.Builder plan, CollectiveShape shape) {
        new SequentialReduce(plan, shape).scan(0);
    }

    static void exclusiveScan(Plan.Builder plan, CollectiveShape shape) {
        new SequentialReduce(plan, shape).scan(1);
    }

    /// @param behind how many of the last operands a member does not get
    private void scan(int behind) {
        List<ByteSpan> operands = gathered();
        long bytes = operands.getFirst().bytes();
        List<ByteSpan> results = new ArrayList<>();
        for (int member = 0; member < shape.size(); member++) {
            ByteSpan result = plan.scratch(bytes);
            results.add(result);
            if (member >= behind) {
                plan.foldAll(result, operands.subList(0, member + 1 - behind));
            } else {
                plan.clear(result);
            }
        }
        plan.next();
        plan.copy(share(shape.target(0), shape.me()), results.get(shape.me()));
        shape.others().forEach(member -> plan.send(member, results.get(member)));
        receiveShares();
    }

    /// Sends the others their shares, and returns those that are mine to reduce, by member.
    private List<ByteSpan> gathered() {
        shape.others().forEach(member -> plan.send(member, sent(member)));
        return IntStream.range(0, shape.size())
                .mapToObj(member -> {
                    ByteSpan own = sent(shape.me());
                    if (member == shape.me()) {
                        return own;
                    }
                    ByteSpan inbox = plan.scratch(own.bytes());
                    plan.receive(member, inbox);
                    return inbox;
                })
                .toList();
    }

    /// What a member reduces, of my source.
    private ByteSpan sent(int member) {
        boolean isDivided =
                shape.type() == CollectiveType.REDUCE_SCATTER || shape.type() == CollectiveType.REDUCE_SCATTER_V;
        return isDivided ? shape.source(member) : share(shape.source(0), member);
    }

    private void receiveShares() {
        shape.others().forEach(member -> plan.receive(member, share(shape.target(0), member)));
        plan.next();
    }

    private ByteSpan share(ByteSpan vector, int member) {
        BlockLayout shares = new BlockLayout.Partition(shape.size(), vector.bytes(), shape.width());
        return BlockRange.of(vector, shares).of(member, 1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.random.RandomGenerator;

/// Runs the plans of all members in memory, in an order of events by chance, and checks them on the way.
///
/// A message travels at any time after both members have come to its step; members go on when all messages of
/// their step have arrived. The target of a message is noise until then.
final class PlanRunner {

    /// A message whose step one of the two members has entered.
    private record Posted(int member, ByteSpan data, long since) {}

    private record Pair(int from, int to) {}

    private static final class Member {
        final List<Step> steps;
        final PlanMemory planMemory;
        int step = -1;
        int open;
        long clock;
        long sent;

        Member(Plan plan, PlanMemory planMemory) {
            this.steps = plan.steps();
            this.planMemory = planMemory;
        }

        boolean isDone() {
            return step == steps.size();
        }
    }

    private final PlanOperation operation;
    private final RandomGenerator random;
    private final List<Member> members = new ArrayList<>();
    private final Map<Pair, Queue<Posted>> sends = new HashMap<>();
    private final Map<Pair, Queue<Posted>> receives = new HashMap<>();
    private final List<Pair> ready = new ArrayList<>();

    PlanRunner(List<Plan> plans, List<PlanMemory> planMemories, PlanOperation operation, RandomGenerator random) {
        this.operation = operation;
        this.random = random;
        for (int member = 0; member < plans.size(); member++) {
            members.add(new Member(plans.get(member), planMemories.get(member)));
        }
    }

    /// What it has cost.
    ///
    /// @param steps messages one after the other on the longest path
    /// @param sent bytes by member
    record Cost(long steps, List<Long> sent) {
        long mostSent() {
            return sent.stream().mapToLong(Long::longValue).max().orElseThrow();
        }
    }

    Cost run() {
        List<Integer> idle = new ArrayList<>();
        for (int member = 0; member < members.size(); member++) {
            idle.add(member);
        }
        while (!idle.isEmpty() || !ready.isEmpty()) {
            int event = random.nextInt(idle.size() + ready.size());
            if (event < idle.size()) {
                int member = take(idle, event);
                if (advance(member)) {
                    idle.add(member);
                }
            } else {
                Pair pair = take(ready, event - idle.size());
                for (int each : deliver(pair)) {
                    idle.add(each);
                }
            }
        }
        for (int member = 0; member < members.size(); member++) {
            if (!members.get(member).isDone()) {
                throw new AssertionError("member " + member + " of " + members.size() + " waits for ever in step "
                        + members.get(member).step + "; sends " + sends + ", receives " + receives);
            }
        }
        check(sends.values().stream().allMatch(Queue::isEmpty), sends, "sends without a receive");
        check(receives.values().stream().allMatch(Queue::isEmpty), receives, "receives without a send");
        return new Cost(
                members.stream().mapToLong(each -> each.clock).max().orElseThrow(),
                members.stream().map(each -> each.sent).toList());
    }

    private static <T> T take(List<T> list, int index) {
        T last = list.removeLast();
        return index == list.size() ? last : list.set(index, last);
    }

    /// Ends a member's step and begins the next.
    ///
    /// @return whether that is without messages
    private boolean advance(int number) {
        Member member = members.get(number);
        if (member.step >= 0) {
            member.steps.get(member.step).work().forEach(work -> work(number, work));
        }
        member.step++;
        if (member.isDone()) {
            return false;
        }
        List<Action.Message> messages = member.steps.get(member.step).messages();
        checkApart(member.planMemory, messages);
        member.open = messages.size();
        long since = member.clock;
        for (Action.Message message : messages) {
            check(
                    message.member() >= 0 && message.member() < members.size() && message.member() != number,
                    message,
                    "is to no other member");
            Posted posted = new Posted(number, message.data(), since);
            int at = member.planMemory.at(message.data());
            if (message instanceof Action.Send || message instanceof Action.Publish) {
                member.sent += message.data().bytes();
                post(new Pair(number, message.member()), sends, receives, posted);
            } else {
                check(message.data().buffer() != PlanBuffer.SOURCE, message, "writes to the source");
                Arrays.fill(
                        member.planMemory.memory(),
                        at,
                        at + (int) message.data().bytes(),
                        (byte) random.nextInt());
                post(new Pair(message.member(), number), receives, sends, posted);
            }
        }
        return messages.isEmpty();
    }

    private void post(Pair pair, Map<Pair, Queue<Posted>> mine, Map<Pair, Queue<Posted>> others, Posted posted) {
        Queue<Posted> queue = mine.computeIfAbsent(pair, absent -> new ArrayDeque<>());
        queue.add(posted);
        Queue<Posted> other = others.get(pair);
        if (other != null && other.size() >= queue.size()) {
            ready.add(pair);
        }
    }

    /// @return members that can go on
    private List<Integer> deliver(Pair pair) {
        Posted send = sends.get(pair).remove();
        Posted receive = receives.get(pair).remove();
        if (receive.data.bytes() != send.data.bytes()) {
            throw new AssertionError(pair + ": " + send.data + " and " + receive.data + " differ in length");
        }
        PlanMemory from = members.get(pair.from).planMemory;
        PlanMemory to = members.get(pair.to).planMemory;
        System.arraycopy(from.memory(), from.at(send.data), to.memory(), to.at(receive.data), (int) send.data.bytes());
        long through = Math.max(send.since, receive.since) + 1;
        List<Integer> free = new ArrayList<>();
        for (int each : List.of(pair.from, pair.to)) {
            Member member = members.get(each);
            member.clock = Math.max(member.clock, through);
            if (--member.open == 0) {
                free.add(each);
            }
        }
        return free;
    }

    private static void checkApart(PlanMemory planMemory, List<Action.Message> messages) {
        for (int index = 0; index < messages.size(); index++) {
            for (Action.Message other : messages.subList(index + 1, messages.size())) {
                Action.Message one = messages.get(index);
                boolean bothRead = one instanceof Action.Send && other instanceof Action.Send;
                if (!bothRead && planMemory.overlap(one.data(), other.data())) {
                    throw new AssertionError(one + " and " + other + " of one step overlap");
                }
            }
        }
    }

    private void work(int me, Action.Work work) {
        switch (work) {
            case Action.Copy(ByteSpan target, ByteSpan source) -> {
                check(isSameOrApart(me, target, source), work, "overlaps in part");
                System.arraycopy(
                        memory(me, source), at(me, source), memory(me, target), at(me, target), (int) source.bytes());
            }
            case Action.Fold(ByteSpan target, ByteSpan left, ByteSpan right) -> {
                check(target.bytes() % operation.width() == 0, work, "cuts elements");
                check(operation != PlanOperation.AT_ONCE, work, "folds operands of some members alone");
                check(isSameOrApart(me, target, left), work, "overlaps the left in part");
                check(isSameOrApart(me, target, right), work, "overlaps the right in part");
                fold(me, target, left, right);
            }
            case Action.FoldAll(ByteSpan target, List<ByteSpan> operands) -> {
                check(target.bytes() % operation.width() == 0, work, "cuts elements");
                operands.forEach(each -> check(isSameOrApart(me, target, each), work, "overlaps an operand in part"));
                foldAll(me, target, operands);
            }
            case Action.Clear(ByteSpan target) ->
                operation.clear(memory(me, target), at(me, target), (int) target.bytes());
            case Action.Finish finish -> check(false, finish, "is nothing that an algorithm does");
        }
        ByteSpan target = switch (work) {
            case Action.Copy copy -> copy.target();
            case Action.Fold fold -> fold.target();
            case Action.FoldAll fold -> fold.target();
            case Action.Clear clear -> clear.target();
            case Action.Finish finish -> finish.target();
        };
        check(target.buffer() != PlanBuffer.SOURCE, work, "writes to the source");
    }

    private void foldAll(int me, ByteSpan target, List<ByteSpan> operands) {
        int bytes = (int) target.bytes();
        byte[] all = new byte[2 * bytes];
        ByteSpan first = operands.getFirst();
        System.arraycopy(memory(me, first), at(me, first), all, 0, bytes);
        for (ByteSpan each : operands.subList(1, operands.size())) {
            System.arraycopy(memory(me, each), at(me, each), all, bytes, bytes);
            operation.fold(all, 0, 0, bytes, bytes);
        }
        System.arraycopy(all, 0, memory(me, target), at(me, target), bytes);
    }

    /// Brings the operands of several members together, and the result back.
    private void fold(int me, ByteSpan target, ByteSpan left, ByteSpan right) {
        int bytes = (int) target.bytes();
        byte[] all = new byte[3 * bytes];
        System.arraycopy(memory(me, left), at(me, left), all, bytes, bytes);
        System.arraycopy(memory(me, right), at(me, right), all, 2 * bytes, bytes);
        operation.fold(all, 0, bytes, 2 * bytes, bytes);
        System.arraycopy(all, 0, memory(me, target), at(me, target), bytes);
    }

    private byte[] memory(int me, ByteSpan span) {
        return ownerOf(me, span).planMemory.memory();
    }

    private int at(int me, ByteSpan span) {
        return ownerOf(me, span).planMemory.at(span);
    }

    /// Whose bytes they are: another member's only while that one is in the collective.
    private Member ownerOf(int me, ByteSpan span) {
        if (span.isOwn()) {
            return members.get(me);
        }
        Member owner = members.get(span.owner());
        check(owner.step >= 0, span, "is used before its owner has begun");
        check(!owner.isDone(), span, "is used after its owner has ended");
        return owner;
    }

    private boolean isSameOrApart(int me, ByteSpan one, ByteSpan other) {
        Member owner = ownerOf(me, one);
        return !owner.equals(ownerOf(me, other))
                || owner.planMemory.at(one) == owner.planMemory.at(other)
                || !owner.planMemory.overlap(one, other);
    }

    private static void check(boolean right, Object what, String wrong) {
        if (!right) {
            throw new AssertionError(what + ": " + wrong);
        }
    }
}

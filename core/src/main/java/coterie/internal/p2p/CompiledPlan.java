// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.plan.Action;
import coterie.internal.plan.Plan;
import coterie.internal.plan.Step;
import java.util.List;
import java.util.stream.IntStream;

/// A plan as a task follows it: its messages, which know how far they are in the run, and the work of each step.
final class CompiledPlan {
    final Plan plan;
    final PendingMessage[][] messages;
    final Action.Work[][] work;

    /// The numbers of the tasks of layers that begin with each step.
    final int[][] tasks;

    /// Whether each step waits for the tasks of layers that have begun.
    final boolean[] awaits;

    /// Messages of the step that has most.
    final int most;

    /// Whether members work on each other's memory.
    final boolean isDirect;

    CompiledPlan(Plan plan, MemberAddresses memberAddresses) {
        this.plan = plan;
        List<Step> steps = plan.steps();
        this.messages = new PendingMessage[steps.size()][];
        this.work = new Action.Work[steps.size()][];
        this.tasks = new int[steps.size()][];
        this.awaits = new boolean[steps.size()];
        int longest = 0;
        for (int each = 0; each < messages.length; each++) {
            Step one = steps.get(each);
            messages[each] = one.messages().stream()
                    .map(message -> message(message, memberAddresses))
                    .toArray(PendingMessage[]::new);
            tasks[each] = one.tasks().stream().flatMapToInt(CompiledPlan::begun).toArray();
            awaits[each] = one.tasks().stream().anyMatch(action -> !(action instanceof Action.Begin));
            work[each] = one.work().toArray(Action.Work[]::new);
            longest = Math.max(longest, messages[each].length);
        }
        this.most = longest;
        this.isDirect = steps.stream()
                .flatMap(each -> each.messages().stream())
                .anyMatch(each -> each instanceof Action.Publish || each instanceof Action.Learn);
    }

    private static IntStream begun(Action.LayerAction action) {
        return switch (action) {
            case Action.Run run -> IntStream.of(run.number());
            case Action.Begin begin -> IntStream.of(begin.number());
            case Action.Join _ -> IntStream.empty();
        };
    }

    private static PendingMessage message(Action.Message message, MemberAddresses memberAddresses) {
        int member = message.member();
        int size = memberAddresses.size();
        if (member < 0 || member >= size || member == memberAddresses.me()) {
            throw new IllegalArgumentException("plan of member " + memberAddresses.me() + ": " + message
                    + " addresses no other member; allowed: members in [0, " + size + ") except this one");
        }
        return new PendingMessage(message);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.Plan;
import coterie.internal.plan.PlanBuffer;
import coterie.internal.plan.Step;
import java.util.ArrayList;
import java.util.List;

/// Simple plans: source and target are vectors of so many bytes.
final class Plans {
    private Plans() {}

    /// The root sends to each.
    static Plan broadcast(int size, int me, int root, long bytes) {
        Plan.Builder plan = Plan.builder();
        for (int member = 0; member < size; member++) {
            if (me == root && member != root) {
                plan.send(member, source(bytes));
            }
        }
        return me == root ? plan.build() : plan.receive(root, target(bytes)).build();
    }

    /// The root receives from one after another.
    static Plan reduce(int size, int me, int root, long bytes) {
        Plan.Builder plan = Plan.builder();
        if (me != root) {
            return plan.send(root, source(bytes)).build();
        }
        ByteSpan room = plan.scratch(bytes);
        plan.copy(target(bytes), source(bytes)).next();
        for (int member = 0; member < size; member++) {
            if (member != root) {
                plan.receive(member, room)
                        .fold(target(bytes), target(bytes), room)
                        .next();
            }
        }
        return plan.build();
    }

    /// All reduce along a ring of ever larger steps; the result depends on the member.
    static Plan exchange(int size, int me, long bytes) {
        Plan.Builder plan = Plan.builder();
        ByteSpan room = plan.scratch(bytes);
        plan.copy(target(bytes), source(bytes)).next();
        for (int distance = 1; distance < size; distance *= 2) {
            plan.send((me + distance) % size, target(bytes))
                    .receive((me + size - distance) % size, room)
                    .fold(target(bytes), target(bytes), room)
                    .next();
        }
        return plan.build();
    }

    /// Every member receives from every other.
    static Plan barrier(int size, int me) {
        Plan.Builder plan = Plan.builder();
        for (int distance = 1; distance < size; distance++) {
            plan.send((me + distance) % size, target(0)).receive((me + size - distance) % size, target(0));
        }
        return plan.build();
    }

    /// The part of a plan that a member has executed when it fails after the start of so many messages.
    static Plan begun(Plan plan, int messages) {
        List<Step> steps = new ArrayList<>();
        int left = messages;
        for (Step step : plan.steps()) {
            if (step.messages().size() > left) {
                steps.add(new Step(step.messages().subList(0, left), List.of()));
                break;
            }
            left -= step.messages().size();
            steps.add(step);
        }
        return new Plan(steps, plan.scratchBytes());
    }

    static int messages(Plan plan) {
        return plan.steps().stream().mapToInt(step -> step.messages().size()).sum();
    }

    static ByteSpan source(long bytes) {
        return new ByteSpan(PlanBuffer.SOURCE, 0, bytes);
    }

    static ByteSpan target(long bytes) {
        return new ByteSpan(PlanBuffer.TARGET, 0, bytes);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// All actions of one member in a collective, as data. The code that runs a plan knows the transport but no
/// algorithms; an algorithm knows no transport.
///
/// The members' plans of one collective fit together: each message has one sender and one receiver.
///
/// @param steps one after the other
/// @param scratchBytes size of the additional memory that the plan needs
/// @param phaseStarts the number of steps before each phase but the first, in ascending order. All members have
///     the same number of phases, and no message goes from one phase to another. A pipeline of fragments advances
///     phase by phase
public record Plan(List<Step> steps, long scratchBytes, List<Integer> phaseStarts) {
    /// A plan without actions.
    public static final Plan EMPTY = new Plan(List.of(), 0);

    public Plan {
        steps = List.copyOf(steps);
        phaseStarts = List.copyOf(phaseStarts);
    }

    /// Makes a plan of one phase.
    public Plan(List<Step> steps, long scratchBytes) {
        this(steps, scratchBytes, List.of());
    }

    /// Returns the phases, each as a plan; they share the scratch memory.
    public List<Plan> phases() {
        List<Plan> parts = new ArrayList<>();
        int begin = 0;
        for (int cut : phaseStarts) {
            parts.add(new Plan(steps.subList(begin, cut), scratchBytes));
            begin = cut;
        }
        parts.add(new Plan(steps.subList(begin, steps.size()), scratchBytes));
        return parts;
    }

    /// Returns this plan without the messages to and from some members, whose plans omit theirs with this member.
    /// The local work stays.
    public Plan without(IntPredicate members) {
        List<Step> left = new ArrayList<>();
        for (Step step : steps) {
            List<Action.Message> messages = step.messages().stream()
                    .filter(message -> !members.test(message.member()))
                    .toList();
            if (!messages.isEmpty() || !step.tasks().isEmpty() || !step.work().isEmpty()) {
                left.add(new Step(messages, step.tasks(), step.work()));
            }
        }
        return new Plan(left, scratchBytes);
    }

    /// Returns this plan with work after its last step.
    public Plan then(Action.Work last) {
        List<Step> more = new ArrayList<>(steps);
        more.add(new Step(List.of(), List.of(last)));
        return new Plan(more, scratchBytes, phaseStarts);
    }

    /// Makes a plan of a task of a layer.
    public static Plan of(Action.Run task) {
        return new Plan(List.of(new Step(List.of(), List.of(task), List.of())), 0);
    }

    /// Returns the task of a layer that is all that the plan does, or null if it does anything else.
    public Action.@Nullable Run onlyTask() {
        return steps.size() == 1
                        && steps.getFirst().messages().isEmpty()
                        && steps.getFirst().work().isEmpty()
                        && steps.getFirst().tasks().size() == 1
                        && steps.getFirst().tasks().getFirst() instanceof Action.Run run
                ? run
                : null;
    }

    public static Builder builder() {
        return new Builder();
    }

    /// Collects the actions, step by step. It omits work on no bytes; messages without bytes stay.
    public static final class Builder {
        private final List<Step> steps = new ArrayList<>();
        private final List<Action.Message> messages = new ArrayList<>();
        private final List<Action.LayerAction> tasks = new ArrayList<>();
        private final List<Action.Work> work = new ArrayList<>();
        private final List<Integer> phaseStarts = new ArrayList<>();
        private long scratchBytes;

        private Builder() {}

        /// Allocates bytes of the scratch buffer, at a multiple of 64.
        public ByteSpan scratch(long bytes) {
            ByteSpan span = new ByteSpan(PlanBuffer.SCRATCH, scratchBytes, bytes);
            scratchBytes = Math.addExact(scratchBytes, bytes + 63 & -64);
            return span;
        }

        /// Sends in the current step.
        public Builder send(int member, ByteSpan data) {
            return message(new Action.Send(member, data));
        }

        /// Receives in the current step.
        public Builder receive(int member, ByteSpan data) {
            return message(new Action.Receive(member, data));
        }

        /// Begins a step with all actions of another one.
        Builder step(Step step) {
            next();
            messages.addAll(step.messages());
            tasks.addAll(step.tasks());
            work.addAll(step.work());
            return this;
        }

        /// Tells a member in the current step where this member's buffers are.
        Builder publish(int member) {
            return message(new Action.Publish(member));
        }

        /// Learns in the current step where a member's buffers are.
        Builder learn(int member) {
            return message(new Action.Learn(member));
        }

        /// Begins or ends tasks of layers in the current step.
        Builder task(Action.LayerAction task) {
            tasks.add(task);
            return this;
        }

        Builder message(Action.Message message) {
            messages.add(message);
            return this;
        }

        /// Copies after the messages of the current step.
        public Builder copy(ByteSpan target, ByteSpan source) {
            return work(new Action.Copy(target, source), target);
        }

        /// Copies what the member has for itself after the messages of the current step, unless it is in place, or
        /// has not both buffers.
        Builder copyOwn(CollectiveShape shape) {
            boolean isAway = !shape.inPlace()
                    && shape.source().count() > 0
                    && shape.target().count() > 0;
            return isAway ? copy(shape.targetOf(shape.me()), shape.sourceFor(shape.me())) : this;
        }

        /// Copies to the target after the messages of the current step, in two steps if the bytes may overlap: in
        /// place, both are bytes of one buffer.
        Builder move(CollectiveShape shape, ByteSpan target, ByteSpan source) {
            if (!shape.inPlace() || source.buffer() == PlanBuffer.SCRATCH) {
                return copy(target, source);
            }
            if (target.offset() == source.offset()) {
                return this;
            }
            ByteSpan kept = scratch(source.bytes());
            return copy(kept, source).copy(target, kept);
        }

        /// Reduces after the messages of the current step.
        public Builder fold(ByteSpan target, ByteSpan left, ByteSpan right) {
            return work(new Action.Fold(target, left, right), target);
        }

        /// Reduces operands at once after the messages of the current step.
        Builder foldAll(ByteSpan target, List<ByteSpan> operands) {
            return work(new Action.FoldAll(target, operands), target);
        }

        /// Fills bytes with the identity after the messages of the current step.
        public Builder clear(ByteSpan target) {
            return work(new Action.Clear(target), target);
        }

        private Builder work(Action.Work action, ByteSpan target) {
            if (target.bytes() > 0) {
                work.add(action);
            }
            return this;
        }

        /// Ends the current step, unless it is empty.
        public Builder next() {
            if (!messages.isEmpty() || !tasks.isEmpty() || !work.isEmpty()) {
                steps.add(new Step(messages, tasks, work));
                messages.clear();
                tasks.clear();
                work.clear();
            }
            return this;
        }

        /// Ends the current step and the current phase.
        public Builder phase() {
            next();
            phaseStarts.add(steps.size());
            return this;
        }

        /// Ends the current step and the plan.
        public Plan build() {
            next();
            return new Plan(steps, scratchBytes, phaseStarts);
        }
    }
}

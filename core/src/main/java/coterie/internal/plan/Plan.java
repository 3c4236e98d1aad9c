// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/// All that one member does in a collective, as data: what runs it knows about transport and nothing about
/// algorithms, and an algorithm the other way round.
///
/// The members' plans of one collective fit together: each message has one sender and one receiver.
///
/// @param steps one after the other
/// @param scratchBytes of memory that it needs besides
/// @param cuts how many steps come before each of its parts but the first, in ascending order: as many on all
///     members, and no message goes from one part to another. Where fragments of data follow each other, they do
///     so part by part
public record Plan(List<Step> steps, long scratchBytes, List<Integer> cuts) {
    /// Nothing to do.
    public static final Plan EMPTY = new Plan(List.of(), 0);

    public Plan {
        steps = List.copyOf(steps);
        cuts = List.copyOf(cuts);
    }

    /// A plan of one part.
    public Plan(List<Step> steps, long scratchBytes) {
        this(steps, scratchBytes, List.of());
    }

    /// Its parts, each as a plan of its own; they have the scratch memory in common.
    public List<Plan> parts() {
        List<Plan> parts = new ArrayList<>();
        int begin = 0;
        for (int cut : cuts) {
            parts.add(new Plan(steps.subList(begin, cut), scratchBytes));
            begin = cut;
        }
        parts.add(new Plan(steps.subList(begin, steps.size()), scratchBytes));
        return parts;
    }

    /// Returns the plan without the messages to and from some members, which leave out theirs with this member. The
    /// work of the steps stays.
    public Plan without(IntPredicate members) {
        List<Step> left = new ArrayList<>();
        for (Step step : steps) {
            List<Action.Message> messages = step.messages().stream()
                    .filter(message -> !members.test(message.member()))
                    .toList();
            if (!messages.isEmpty() || !step.work().isEmpty()) {
                left.add(new Step(messages, step.work()));
            }
        }
        return new Plan(left, scratchBytes);
    }

    /// The same, and work behind it.
    public Plan then(Action.Work last) {
        List<Step> more = new ArrayList<>(steps);
        more.add(new Step(List.of(), List.of(last)));
        return new Plan(more, scratchBytes, cuts);
    }

    public static Builder builder() {
        return new Builder();
    }

    /// Collects what is done, step by step. What is of no bytes is left out, but for messages.
    public static final class Builder {
        private final List<Step> steps = new ArrayList<>();
        private final List<Action.Message> messages = new ArrayList<>();
        private final List<Action.Work> work = new ArrayList<>();
        private final List<Integer> cuts = new ArrayList<>();
        private long scratchBytes;

        private Builder() {}

        /// Reserves bytes of the scratch buffer for the caller alone, at a multiple of 64.
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

        /// Begins a step with all of another one in it.
        Builder step(Step step) {
            next();
            messages.addAll(step.messages());
            work.addAll(step.work());
            return this;
        }

        Builder message(Action.Message message) {
            messages.add(message);
            return this;
        }

        /// Copies when the messages of the current step are through.
        public Builder copy(ByteSpan target, ByteSpan source) {
            return work(new Action.Copy(target, source), target);
        }

        /// Reduces when the messages of the current step are through.
        public Builder fold(ByteSpan target, ByteSpan left, ByteSpan right) {
            return work(new Action.Fold(target, left, right), target);
        }

        /// Fills with the identity when the messages of the current step are through.
        public Builder clear(ByteSpan target) {
            return work(new Action.Clear(target), target);
        }

        private Builder work(Action.Work action, ByteSpan target) {
            if (target.bytes() > 0) {
                work.add(action);
            }
            return this;
        }

        /// Ends the current step, if there is anything in it.
        public Builder next() {
            if (!messages.isEmpty() || !work.isEmpty()) {
                steps.add(new Step(messages, work));
                messages.clear();
                work.clear();
            }
            return this;
        }

        /// Ends the current step and the current part.
        public Builder phase() {
            next();
            cuts.add(steps.size());
            return this;
        }

        /// Ends the current step and the plan.
        public Plan build() {
            next();
            return new Plan(steps, scratchBytes, cuts);
        }
    }
}

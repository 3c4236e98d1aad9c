// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/// Makes one plan of several. A part is a plan for some of the members, numbered from 0 in it, and for buffers of its
/// own. The composition maps its members to those of the team and its buffers to parts of the team's buffers; its
/// scratch memory becomes a part of the whole plan's.
///
/// Parts come one after the other, or **beside** each other: a step of the one with the step of the other that
/// comes as long after its begin. What is so joined waits for both. That may be done
///
/// - on a single member, if it is the only one that has both parts: each of them waits on it for no more than the
///   steps that it is in, as if it were alone;
/// - on all members, if one of the parts has one step on each, so that all of its messages are under way from the
///   begin, and no two members have messages for each other in both.
public final class PlanComposition {
    private final Plan.Builder plan = Plan.builder();

    /// Of the latest part and those beside it; none of it is in the plan yet.
    private final List<Step> latest = new ArrayList<>();

    /// Bytes of the scratch buffer that no part has.
    public ByteSpan scratch(long bytes) {
        return plan.scratch(bytes);
    }

    /// Copies when all before is done.
    public PlanComposition copy(ByteSpan target, ByteSpan source) {
        joinCopies();
        plan.copy(target, source);
        return this;
    }

    /// Does a part when all before is done.
    ///
    /// @param members what the part's members are here
    /// @param source bytes that are the part's source buffer
    /// @param target bytes that are the part's target buffer
    /// @throws IndexOutOfBoundsException if the part needs more of a buffer than these bytes
    public PlanComposition then(Plan part, IntUnaryOperator members, ByteSpan source, ByteSpan target) {
        joinCopies();
        return beside(part, members, source, target);
    }

    /// Adds a part that runs beside the part added last, and after all earlier ones.
    ///
    /// @param members what the part's members are here
    /// @param source bytes that are the part's source buffer
    /// @param target bytes that are the part's target buffer
    /// @throws IndexOutOfBoundsException if the part needs more of a buffer than these bytes
    public PlanComposition beside(Plan part, IntUnaryOperator members, ByteSpan source, ByteSpan target) {
        Placement placement = new Placement(members, source, target, plan.scratch(part.scratchBytes()));
        for (int index = 0; index < part.steps().size(); index++) {
            Step step = placement.of(part.steps().get(index));
            if (index < latest.size()) {
                latest.set(index, join(latest.get(index), step));
            } else {
                latest.add(step);
            }
        }
        return this;
    }

    /// Ends the current part of the whole plan; see [Plan#cuts].
    public PlanComposition phase() {
        joinCopies();
        plan.phase();
        return this;
    }

    public Plan build() {
        joinCopies();
        return plan.build();
    }

    private void joinCopies() {
        latest.forEach(plan::step);
        latest.clear();
    }

    private static Step join(Step one, Step other) {
        List<Action.Message> messages = new ArrayList<>(one.messages());
        messages.addAll(other.messages());
        List<Action.Work> work = new ArrayList<>(one.work());
        work.addAll(other.work());
        return new Step(messages, work);
    }

    /// What a part's members and buffers are.
    private record Placement(IntUnaryOperator members, ByteSpan source, ByteSpan target, ByteSpan scratch) {
        Step of(Step step) {
            return new Step(
                    step.messages().stream().map(this::of).toList(),
                    step.work().stream().map(this::of).toList());
        }

        private Action.Message of(Action.Message message) {
            int member = members.applyAsInt(message.member());
            ByteSpan data = of(message.data());
            return switch (message) {
                case Action.Send send -> new Action.Send(member, data);
                case Action.Receive receive -> new Action.Receive(member, data);
            };
        }

        private Action.Work of(Action.Work work) {
            return switch (work) {
                case Action.Copy(ByteSpan to, ByteSpan from) -> new Action.Copy(of(to), of(from));
                case Action.Fold(ByteSpan to, ByteSpan left, ByteSpan right) ->
                    new Action.Fold(of(to), of(left), of(right));
                case Action.Clear(ByteSpan to) -> new Action.Clear(of(to));
                case Action.Finish(ByteSpan at) -> new Action.Finish(of(at));
            };
        }

        private ByteSpan of(ByteSpan span) {
            ByteSpan whole = switch (span.buffer()) {
                case SOURCE -> source;
                case TARGET -> target;
                case SCRATCH -> scratch;
            };
            return whole.part(span.offset(), span.bytes());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/// Makes one plan of several parts. A part is a plan for some of the members, which it numbers from 0, and for
/// buffers of its own. The composition maps these to members and buffers of the whole plan, and the part's scratch
/// memory to a piece of the whole plan's.
///
/// Parts are done one after the other, or **beside** each other: then the k-th steps of both parts become one
/// step, which waits for both. This is allowed
///
/// - on a single member, if no other member has both parts: then the members of a part wait on this member only
///   for the steps that they are in, as if the part were alone;
/// - on all members, if one of the parts has one step on each member, so that all of its messages start at the
///   begin, and no two members have messages for each other in both parts.
public final class PlanComposition {
    private final Plan.Builder plan = Plan.builder();

    /// The steps of the latest part and of those beside it; they are not in the plan yet.
    private final List<Step> latest = new ArrayList<>();

    /// Allocates bytes of the scratch buffer that no part uses.
    public ByteSpan scratch(long bytes) {
        return plan.scratch(bytes);
    }

    /// Copies after all parts so far.
    public PlanComposition copy(ByteSpan target, ByteSpan source) {
        joinCopies();
        plan.copy(target, source);
        return this;
    }

    /// Does a part after all parts so far.
    ///
    /// @param members maps the part's members to those of the whole plan
    /// @param source bytes that are the part's source buffer
    /// @param target bytes that are the part's target buffer
    /// @throws IndexOutOfBoundsException if the part needs more of a buffer than these bytes
    public PlanComposition then(Plan part, IntUnaryOperator members, ByteSpan source, ByteSpan target) {
        joinCopies();
        return beside(part, members, source, target);
    }

    /// Does a part beside the latest one, after all parts before that.
    ///
    /// @param members maps the part's members to those of the whole plan
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

    /// Begins tasks of layers after all parts so far; they go on beside the next parts, until [#join].
    public void begin(List<Action.Run> tasks) {
        joinCopies();
        plan.next();
        tasks.forEach(task -> plan.task(new Action.Begin(task.number())));
        plan.next();
    }

    /// Waits for the tasks of layers that have begun.
    public void join() {
        joinCopies();
        plan.next().task(new Action.Join()).next();
    }

    /// Ends the current phase of the whole plan; see [Plan#phaseStarts].
    public void phase() {
        joinCopies();
        plan.phase();
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
        List<Action.LayerAction> tasks = new ArrayList<>(one.tasks());
        tasks.addAll(other.tasks());
        List<Action.Work> work = new ArrayList<>(one.work());
        work.addAll(other.work());
        return new Step(messages, tasks, work);
    }

    /// Maps the members and buffers of a part to those of the whole plan.
    private record Placement(IntUnaryOperator members, ByteSpan source, ByteSpan target, ByteSpan scratch) {
        Step of(Step step) {
            return new Step(
                    step.messages().stream().map(this::of).toList(),
                    step.tasks(),
                    step.work().stream().map(this::of).toList());
        }

        private Action.Message of(Action.Message message) {
            int member = members.applyAsInt(message.member());
            ByteSpan data = of(message.data());
            return switch (message) {
                case Action.Send send -> new Action.Send(member, data);
                case Action.Receive receive -> new Action.Receive(member, data);
                case Action.Publish _, Action.Learn _ ->
                    throw new IllegalArgumentException(
                            message + ": a part's buffers are not where another member takes them to be");
            };
        }

        private Action.Work of(Action.Work work) {
            return switch (work) {
                case Action.Copy(ByteSpan to, ByteSpan from) -> new Action.Copy(of(to), of(from));
                case Action.Fold(ByteSpan to, ByteSpan left, ByteSpan right) ->
                    new Action.Fold(of(to), of(left), of(right));
                case Action.FoldAll(ByteSpan to, List<ByteSpan> operands) ->
                    new Action.FoldAll(of(to), operands.stream().map(this::of).toList());
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

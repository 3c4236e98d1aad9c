// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;

/// An action of a member in a step of a plan.
public sealed interface Action {

    /// One side of a message. The k-th message that a member sends to another in a plan is the k-th that the other
    /// receives from it, and both have the same length.
    sealed interface Message extends Action {
        /// The other member.
        int member();

        /// This member's bytes; none if the message tells where buffers are.
        default ByteSpan data() {
            return ByteSpan.NOTHING;
        }
    }

    /// Sends bytes to a member. A message without bytes notifies the member that this step has begun.
    record Send(int member, ByteSpan data) implements Message {}

    /// Receives bytes from a member.
    record Receive(int member, ByteSpan data) implements Message {}

    /// Tells a member where this member's source and target are, and that the member may work on them until it sends
    /// the next message.
    record Publish(int member) implements Message {}

    /// Learns from a member where its source and target are: the other side of [Publish]. From the next work on,
    /// this member may work on bytes of that member's.
    record Learn(int member) implements Message {}

    /// What a step does with tasks of layers, which move bytes in their own ways; the code that runs the plan has
    /// them.
    sealed interface LayerAction extends Action {}

    /// Begins a task of a layer; the step is over when the task is complete.
    ///
    /// @param number of the task among those of the plan, from 0
    record Run(int number) implements LayerAction {}

    /// Begins a task of a layer, which goes on during the next steps.
    ///
    /// @param number of the task among those of the plan, from 0
    record Begin(int number) implements LayerAction {}

    /// Waits for all tasks of layers that have begun.
    record Join() implements LayerAction {}

    /// Work of a member: on its own bytes, and on those of members from which it has [learnt][Learn] where they are.
    sealed interface Work extends Action {}

    /// Copies bytes.
    ///
    /// @param target as long as the source; either the same bytes, or without overlap
    record Copy(ByteSpan target, ByteSpan source) implements Work {
        /// @throws IllegalArgumentException if the lengths differ
        public Copy {
            if (target.bytes() != source.bytes()) {
                throw new IllegalArgumentException("copy of " + source + " to " + target + ": lengths differ");
            }
        }
    }

    /// Reduces elements: each target element becomes the left one reduced with the right one, in this order.
    ///
    /// @param target as long as the operands; either begins at the same byte as one of them, or overlaps neither
    record Fold(ByteSpan target, ByteSpan left, ByteSpan right) implements Work {
        /// @throws IllegalArgumentException if the lengths differ
        public Fold {
            if (target.bytes() != left.bytes() || target.bytes() != right.bytes()) {
                throw new IllegalArgumentException(
                        "fold of " + left + " and " + right + " to " + target + ": lengths differ");
            }
        }
    }

    /// Reduces the elements of several operands at once, in their order, with intermediate results as exact as the
    /// reduction's accumulators.
    ///
    /// @param target as long as each operand; either begins at the same byte as one of them, or overlaps none
    /// @param operands at least one
    record FoldAll(ByteSpan target, List<ByteSpan> operands) implements Work {
        /// @throws IllegalArgumentException if the lengths differ, or there is no operand
        public FoldAll {
            operands = List.copyOf(operands);
            if (operands.isEmpty() || operands.stream().anyMatch(each -> each.bytes() != target.bytes())) {
                throw new IllegalArgumentException(
                        "fold of " + operands + " to " + target + ": lengths differ, or there is none");
            }
        }
    }

    /// Fills elements with the reduction's identity.
    record Clear(ByteSpan target) implements Work {}

    /// Makes results of reduced elements, for reductions with a final operation, such as an average.
    record Finish(ByteSpan target) implements Work {}
}

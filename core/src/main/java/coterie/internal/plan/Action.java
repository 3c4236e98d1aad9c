// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Something that a member does in a step of a plan.
public sealed interface Action {

    /// What takes two: the k-th that one member sends another in a plan is the k-th that the other receives from
    /// it, and as long.
    sealed interface Message extends Action {
        /// The other member.
        int member();

        /// What travels, on my side.
        ByteSpan data();
    }

    /// Lets a member have bytes of mine. Of none at all, it tells that I have come so far.
    record Send(int member, ByteSpan data) implements Message {}

    /// Takes bytes of a member's.
    record Receive(int member, ByteSpan data) implements Message {}

    /// What a member does on its own.
    sealed interface Work extends Action {}

    /// Copies bytes of mine.
    ///
    /// @param target as long as the source, and the same bytes or apart from them
    record Copy(ByteSpan target, ByteSpan source) implements Work {
        /// @throws IllegalArgumentException if the lengths differ
        public Copy {
            if (target.bytes() != source.bytes()) {
                throw new IllegalArgumentException("copy of " + source + " to " + target + ": lengths differ");
            }
        }
    }

    /// Reduces elements: the target is the left ones reduced with the right ones, in this order.
    ///
    /// @param target as long as the others; begins where one of them does, or is apart from both
    record Fold(ByteSpan target, ByteSpan left, ByteSpan right) implements Work {
        /// @throws IllegalArgumentException if the lengths differ
        public Fold {
            if (target.bytes() != left.bytes() || target.bytes() != right.bytes()) {
                throw new IllegalArgumentException(
                        "fold of " + left + " and " + right + " to " + target + ": lengths differ");
            }
        }
    }

    /// Fills elements with the reduction's identity.
    record Clear(ByteSpan target) implements Work {}

    /// Makes results of what has been reduced, for reductions that end otherwise than they fold.
    record Finish(ByteSpan target) implements Work {}
}

// SPDX-License-Identifier: Apache-2.0
package coterie.sim.agreement;

/// One of the things that can happen next.
///
/// @param member that does it, or whose end it is
/// @param other the reader of a slot, or the member that sees an end
/// @param effects of a step that take place before the member dies; [#ALL] if it does not
record Move(Kind kind, int member, int other, int effects) {
    static final int ALL = Integer.MAX_VALUE;

    /// The kinds of moves.
    enum Kind {
        /// a member goes on, up to its next poll or observation
        STEP,
        /// a member goes on and dies during the step
        DIE,
        /// a store of a member arrives at another one
        ARRIVE,
        /// the stores of a dead member that are under way to another one are lost
        LOSE,
        /// the job numbers the end of a member
        NUMBER,
        /// a member sees the end of another one
        SEE
    }

    /// Returns whether it may as well not happen.
    boolean isOptional() {
        return kind == Kind.DIE;
    }

    @Override
    public String toString() {
        return switch (kind) {
            case STEP -> member + " polls";
            case DIE -> member + " dies after " + effects + " stores";
            case ARRIVE -> member + "→" + other;
            case LOSE -> member + "→" + other + " lost";
            case NUMBER -> "end of " + member + " has a number";
            case SEE -> other + " sees the end of " + member;
        };
    }
}

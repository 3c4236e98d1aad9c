// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// A member's place in a binary tree of all members in which those left of a member are before it and those right
/// of it behind it, so that a reduction up the tree keeps the members' order. What is cut in two is a range of
/// members, nearly in the middle, at one whose number is even, or odd, as the tree is: only members of the tree's
/// kind have others below them.
///
/// ```
///  6 members, even:     2               odd:        3
///                    0     4                     1     5
///                     1   3 5                   0 2   4
/// ```
///
/// At most ⌈log₂ n⌉ levels below the top.
///
/// @param parent [#NONE] at the top
/// @param left the child before it, or [#NONE]
/// @param right the child after it, or [#NONE]
/// @param depth levels above it
record InorderTree(int parent, int left, int right, int depth) {
    static final int NONE = -1;

    /// More levels than any tree has.
    static final int DEEPEST = Integer.SIZE;

    /// @param kind 0 for the even tree, 1 for the odd one
    static InorderTree around(int member, int size, int kind) {
        int from = 0;
        int to = size;
        int parent = NONE;
        int depth = 0;
        int top = top(from, to, kind);
        while (top != member) {
            parent = top;
            depth++;
            if (member < top) {
                to = top;
            } else {
                from = top + 1;
            }
            top = top(from, to, kind);
        }
        int left = from < member ? top(from, member, kind) : NONE;
        int right = member + 1 < to ? top(member + 1, to, kind) : NONE;
        return new InorderTree(parent, left, right, depth);
    }

    /// The member at the top of the tree.
    static int top(int size, int kind) {
        return top(0, size, kind);
    }

    private static int top(int from, int to, int kind) {
        int middle = from + (to - from) / 2;
        return to - from == 1 || middle % 2 == kind ? middle : middle - 1;
    }
}

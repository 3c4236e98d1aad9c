// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// A member's place in a binary tree of all members. The members of its left subtree have lower numbers and those
/// of its right subtree higher ones, so that a reduction up the tree keeps the members' order. The top of each
/// subtree divides a range of members near its middle. In the even tree it has an even number, in the odd tree an
/// odd one, so that only members of the tree's kind have children.
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
/// @param left the child with the lower number, or [#NONE]
/// @param right the child with the higher number, or [#NONE]
/// @param depth number of levels above it
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

    boolean isLeaf() {
        return left == NONE && right == NONE;
    }

    /// Returns the member at the top of the tree.
    static int top(int size, int kind) {
        return top(0, size, kind);
    }

    private static int top(int from, int to, int kind) {
        int middle = from + (to - from) / 2;
        return to - from == 1 || middle % 2 == kind ? middle : middle - 1;
    }
}

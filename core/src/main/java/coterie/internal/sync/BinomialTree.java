// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

/// A binomial tree over the members of a team, in which each subtree is a range of them. Member 0 is the root:
///
/// ```
///  0 ─┬─ 1
///     ├─ 2 ─── 3
///     └─ 4 ─┬─ 5
///           └─ 6 ─── 7
/// ```
///
/// The parent of a member is its number without the lowest bit; its children, 1, 2, 4, … behind it.
final class BinomialTree {
    private final int me;
    private final int size;
    private final int children;

    BinomialTree(int me, int size) {
        this.me = me;
        this.size = size;
        this.children = Math.min(Integer.numberOfTrailingZeros(me), mostChildren(size - me));
    }

    boolean isRoot() {
        return me == 0;
    }

    int parent() {
        return me & (me - 1);
    }

    /// Which of my parent's children I am.
    int myNumber() {
        return Integer.numberOfTrailingZeros(me);
    }

    /// How many children I have.
    int children() {
        return children;
    }

    /// The member that is a child of mine.
    ///
    /// @param number in `[0, children())`
    int child(int number) {
        return me + (1 << number);
    }

    /// How many members there are under a child, itself among them.
    int subtreeSize(int number) {
        return Math.min(1 << number, size - child(number));
    }

    /// How many members there are under me, I among them.
    int mySubtreeSize() {
        return isRoot() ? size : Math.min(1 << myNumber(), size - me);
    }

    /// The most children that a member of a team has: as many powers of two are less than its size.
    static int mostChildren(int size) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import org.jspecify.annotations.Nullable;

/// A node of a tree that grows: its number in the tree, the caller's rows in it, and the sums over the rows of all
/// PEs.
final class TreeNode {
    final int number;
    final int from; // first of the node's rows in the order of the tree
    final int to;
    final long gradient;
    final long hessian;

    /// Sums by slot, of gradients and hessians in turn; null at the last level, and after the node has been split.
    long @Nullable [] histogram;

    TreeNode(int number, int from, int to, long gradient, long hessian) {
        this.number = number;
        this.from = from;
        this.to = to;
        this.gradient = gradient;
        this.hessian = hessian;
    }
}

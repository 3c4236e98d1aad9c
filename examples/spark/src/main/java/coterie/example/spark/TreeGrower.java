// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import coterie.ElementType;
import coterie.Reduction;
import coterie.Team;
import coterie.example.spark.SplitSearch.Split;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/// Grows trees level by level from histograms:
///
/// ```
/// for each node with a split, count its lighter child ─► one reduction of these ─► the other child: parent − counted
/// ```
///
/// The lighter child has the smaller sum of hessians, which all PEs know without another message; at the first tree
/// that is the child with fewer rows. The memory is a histogram for each node of a level and half as much for the
/// reduction.
///
/// A PE has its rows in one order: those of a node follow each other, sorted.
final class TreeGrower {
    private final Team team;
    private final FeatureBins bins;
    private final byte[] codes;
    private final LogisticLoss loss;
    private final SplitSearch search;
    private final int depth;
    private final double learningRate;

    private final int features;
    private final int[] firstSlots; // of each feature, twice: where its sums begin
    private final int[] order;
    private final int[] spare;
    private final int histogramLength;
    private final Deque<long[]> free = new ArrayDeque<>(); // histograms
    private long[] counted = new long[0]; // histograms that are being reduced

    TreeGrower(Team team, FeatureBins bins, double[] rows, LogisticLoss loss, GradientBoosting settings) {
        this.team = team;
        this.bins = bins;
        this.loss = loss;
        codes = bins.codes(rows);
        search = new SplitSearch(bins, loss.unit(), settings.lambda(), settings.minChildWeight());
        depth = settings.depth();
        learningRate = settings.learningRate();
        features = bins.features();
        firstSlots = new int[features];
        Arrays.setAll(firstSlots, feature -> 2 * bins.firstSlot(feature));
        order = new int[rows.length / features];
        spare = new int[order.length];
        histogramLength = 2 * bins.slots();
    }

    /// Grows a tree for the present gradients, and adds its values to the margins. Collective.
    RegressionTree grow() {
        Arrays.setAll(order, i -> i);
        RegressionTree.Builder tree = new RegressionTree.Builder();
        List<TreeNode> level = List.of(root(tree));
        for (int levels = 0; !level.isEmpty(); levels++) {
            List<TreeNode> children = new ArrayList<>();
            List<long[]> histograms = new ArrayList<>(); // of the parent of each two children
            for (TreeNode node : level) {
                Split split = node.histogram == null ? null : search.best(node, node.histogram);
                if (split == null) {
                    end(node, tree);
                } else {
                    histograms.add(Objects.requireNonNull(node.histogram));
                    divide(node, split, tree, children);
                }
            }
            if (levels + 1 < depth) {
                count(children, histograms);
            } else {
                free.addAll(histograms);
            }
            level = children;
        }
        return tree.build();
    }

    private TreeNode root(RegressionTree.Builder tree) {
        reserve(1);
        count(0, order.length, 0);
        reduce(1);
        long gradient = 0;
        long hessian = 0;
        for (int i = 0; i < 2 * (bins.missing(0) + 1); i += 2) { // each row is in one slot of a feature
            gradient += counted[i];
            hessian += counted[i + 1];
        }
        TreeNode root = new TreeNode(tree.add(), 0, order.length, gradient, hessian);
        root.histogram = histogram();
        System.arraycopy(counted, 0, root.histogram, 0, histogramLength);
        return root;
    }

    /// Makes a node a leaf.
    private void end(TreeNode node, RegressionTree.Builder tree) {
        double value = learningRate * search.weight(node);
        tree.setLeaf(node.number, value);
        double[] margins = loss.margins();
        for (int i = node.from; i < node.to; i++) {
            margins[order[i]] += value;
        }
        if (node.histogram != null) {
            free.add(node.histogram);
        }
    }

    /// Sorts a node's rows into those of two children.
    private void divide(TreeNode node, Split split, RegressionTree.Builder tree, List<TreeNode> children) {
        int missing = split.missingLeft() ? bins.missing(split.feature()) : -1;
        int left = node.from;
        int right = 0;
        for (int i = node.from; i < node.to; i++) {
            int row = order[i];
            int code = codes[row * features + split.feature()] & 0xff;
            if (code <= split.code() || code == missing) {
                order[left++] = row;
            } else {
                spare[right++] = row;
            }
        }
        System.arraycopy(spare, 0, order, left, right);

        int first = tree.add();
        int second = tree.add();
        double threshold = bins.threshold(split.feature(), split.code());
        tree.setSplit(node.number, split.feature(), threshold, split.missingLeft(), first);
        children.add(new TreeNode(first, node.from, left, split.gradient(), split.hessian()));
        children.add(
                new TreeNode(second, left, node.to, node.gradient - split.gradient(), node.hessian - split.hessian()));
    }

    /// Finds the histograms of new nodes. Those of the parents become those of the heavier children.
    private void count(List<TreeNode> children, List<long[]> parents) {
        reserve(parents.size());
        for (int i = 0; i < parents.size(); i++) {
            TreeNode lighter = lighter(children, i);
            count(lighter.from, lighter.to, i * histogramLength);
        }
        reduce(parents.size());
        for (int i = 0; i < parents.size(); i++) {
            TreeNode lighter = lighter(children, i);
            TreeNode heavier = children.get(2 * i) == lighter ? children.get(2 * i + 1) : children.get(2 * i);
            lighter.histogram = histogram();
            System.arraycopy(counted, i * histogramLength, lighter.histogram, 0, histogramLength);
            subtract(parents.get(i), lighter.histogram);
            heavier.histogram = parents.get(i);
        }
    }

    private static TreeNode lighter(List<TreeNode> children, int parent) {
        TreeNode left = children.get(2 * parent);
        TreeNode right = children.get(2 * parent + 1);
        return left.hessian <= right.hessian ? left : right;
    }

    private static void subtract(long[] values, long[] others) {
        for (int i = 0; i < values.length; i++) {
            values[i] -= others[i];
        }
    }

    private long[] histogram() {
        long[] used = free.poll();
        return used == null ? new long[histogramLength] : used;
    }

    private void reserve(int histograms) {
        int length = Math.multiplyExact(histograms, histogramLength);
        if (counted.length < length) {
            counted = new long[length];
        }
        Arrays.fill(counted, 0, length, 0);
    }

    private void reduce(int histograms) {
        long bytes = (long) histograms * histogramLength * Long.BYTES;
        team.allReduce(
                Reduction.SUM, ElementType.LONG, MemorySegment.ofArray(counted).asSlice(0, bytes));
    }

    /// Adds rows to the histogram at `counted[at]`: the slots of one row are far from each other, so that no
    /// addition waits for the one before.
    private void count(int from, int to, int at) {
        long[] gradients = loss.gradients();
        long[] hessians = loss.hessians();
        long[] sums = counted;
        for (int i = from; i < to; i++) {
            int row = order[i];
            long gradient = gradients[row];
            long hessian = hessians[row];
            int code = row * features;
            for (int feature = 0; feature < features; feature++) {
                int slot = at + firstSlots[feature] + 2 * (codes[code + feature] & 0xff);
                sums[slot] += gradient;
                sums[slot + 1] += hessian;
            }
        }
    }
}

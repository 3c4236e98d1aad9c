// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import java.io.Serializable;
import java.util.Arrays;

/// A tree of a [BoostingModel]. Node 0 is the root. The right child of a node is the one after the left child.
public final class RegressionTree implements Serializable {
    private static final long serialVersionUID = 1;
    private static final int LEAF = -1;

    private final int[] features; // by which a node divides, or LEAF
    private final double[] values; // what a leaf adds to the margin, or a threshold: x ≤ threshold goes left
    private final boolean[] missingLeft; // whether rows with NaN go left
    private final int[] left; // number of the left child

    private RegressionTree(Builder nodes) {
        features = Arrays.copyOf(nodes.features, nodes.size);
        values = Arrays.copyOf(nodes.values, nodes.size);
        missingLeft = Arrays.copyOf(nodes.missingLeft, nodes.size);
        left = Arrays.copyOf(nodes.left, nodes.size);
    }

    /// Returns what the tree adds to the margin of a row.
    public double value(double[] row) {
        int node = 0;
        while (features[node] != LEAF) {
            double x = row[features[node]];
            boolean isLeft = x <= values[node] || (missingLeft[node] && Double.isNaN(x));
            node = isLeft ? left[node] : left[node] + 1;
        }
        return values[node];
    }

    /// Returns the number of nodes, leaves included.
    public int size() {
        return features.length;
    }

    /// Returns what a leaf adds to the margin, or the threshold of another node.
    double valueOf(int node) {
        return values[node];
    }

    /// Collects the nodes of a tree.
    static final class Builder {
        private int size;
        private int[] features = new int[8];
        private double[] values = new double[8];
        private boolean[] missingLeft = new boolean[8];
        private int[] left = new int[8];

        /// Adds a node, and returns its number.
        int add() {
            if (size == features.length) {
                features = Arrays.copyOf(features, 2 * size);
                values = Arrays.copyOf(values, 2 * size);
                missingLeft = Arrays.copyOf(missingLeft, 2 * size);
                left = Arrays.copyOf(left, 2 * size);
            }
            return size++;
        }

        void setLeaf(int node, double value) {
            features[node] = LEAF;
            values[node] = value;
        }

        void setSplit(int node, int feature, double threshold, boolean isMissingLeft, int leftChild) {
            features[node] = feature;
            values[node] = threshold;
            missingLeft[node] = isMissingLeft;
            left[node] = leftChild;
        }

        RegressionTree build() {
            return new RegressionTree(this);
        }
    }
}

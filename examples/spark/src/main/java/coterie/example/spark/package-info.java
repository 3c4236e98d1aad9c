// SPDX-License-Identifier: Apache-2.0

/// Two algorithms of machine learning that run in a barrier stage of Spark, each task a PE: [KMeans] and
/// [GradientBoosting]. They know a [coterie.World] and arrays, and nothing of Spark, so that threads, processes and
/// tasks of a barrier stage call them alike.
///
/// | type | what it does |
/// | --- | --- |
/// | [KMeans], [KMeansModel] | clusters, by Lloyd's iterations from seeds of greedy k-means++ |
/// | [GradientBoosting], [BoostingModel] | probabilities of a binary label, by trees of gradient histograms |
///
/// Each PE passes its own rows, any number of them, also none. The rows are numbered through all PEs, in the order
/// of the PEs; all PEs return equal models.
@NullMarked
package coterie.example.spark;

import org.jspecify.annotations.NullMarked;

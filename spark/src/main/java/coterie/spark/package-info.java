// SPDX-License-Identifier: Apache-2.0

/// Worlds inside the barrier stages of Spark: [coterie.spark.CoterieBarrier].
///
/// ```
///  driver                                          executor, in the thread of a task
///  CoterieBarrier ── an RDD of a TaskFunction ──► TaskFunction ─► TaskWorld ─► the user's BarrierTask
///  DriverWorlds ◄─── WorldRequest, by SparkInternals ── TaskWorld
///  StageWorld ────── key and settings ───────────► TaskWorld ─► coterie.cluster.WorldJoin
///  its coordinator ◄─ a connection ─────────────── the PE
/// ```
///
/// The driver has one [coterie.cluster.JobCoordinator] for each attempt of a stage: decision 0088. What is used of
/// Spark beyond its public interface is in [coterie.spark.SparkInternals].
@NullMarked
package coterie.spark;

import org.jspecify.annotations.NullMarked;

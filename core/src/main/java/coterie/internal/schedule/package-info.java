// SPDX-License-Identifier: Apache-2.0

/// The skeleton of a collective's data path: tasks, schedules of tasks, and the engine that advances them.
///
/// | class | is |
/// |---|---|
/// | [Task][coterie.internal.schedule.Task] | a unit of work that advances step by step |
/// | [Schedule][coterie.internal.schedule.Schedule] | a task made of tasks that start in order |
/// | [Pipeline][coterie.internal.schedule.Pipeline] | a task that runs a schedule once for each fragment of the data |
/// | [ProgressEngine][coterie.internal.schedule.ProgressEngine] | advances the posted tasks |
///
/// ```
///  post ──► ProgressEngine ──► Schedule ──► Task        the arrows say: advances
///             ▲      ▲
///   test, await      a thread of its own, on request
/// ```
///
/// A task has one parent at most, and the thread that owns the topmost owns all below it. So threads
/// contend only for the engine's queue and for the ownership of a task, and a schedule needs no locks. The classes
/// of this package know neither teams nor how bytes move.
@NullMarked
package coterie.internal.schedule;

import org.jspecify.annotations.NullMarked;

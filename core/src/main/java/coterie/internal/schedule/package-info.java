// SPDX-License-Identifier: Apache-2.0

/// The skeleton of a collective's data path: tasks, schedules of tasks, and the engine that advances them.
///
/// | class | is |
/// |---|---|
/// | [Task][coterie.internal.schedule.Task] | something that is posted, advances step by step without waiting, and ends
/// |
/// | [Schedule][coterie.internal.schedule.Schedule] | a task made of tasks, some of which start after others |
/// | [Pipeline][coterie.internal.schedule.Pipeline] | a task that runs a schedule once for each fragment of the data |
/// | [ProgressEngine][coterie.internal.schedule.ProgressEngine] | what advances the tasks that are posted |
///
/// ```
///  post ──► ProgressEngine ──► Schedule ──► Task        who advances whom
///             ▲      ▲
///   test, await      a thread of its own, on request
/// ```
///
/// A task has one parent at most, and whoever advances the topmost has all below it to himself. So nothing in here
/// but the engine's table and the right to a task is ever contended, and a schedule needs no locks. Nothing in
/// here knows teams or how bytes move.
@NullMarked
package coterie.internal.schedule;

import org.jspecify.annotations.NullMarked;

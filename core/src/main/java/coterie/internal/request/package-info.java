// SPDX-License-Identifier: Apache-2.0

/// Collectives that go on while the program does something else: from what was asked for to a plan and a task that runs
/// it.
///
/// ```
///  Requests ── RequestReader       what was asked for, checked
///     │     ── RequestSelection    the first candidate of component's selector that serves it
///     ▼
///  PeRequest ── Execution          a PlanTask of p2p, or a pipeline of several
/// ```
@NullMarked
package coterie.internal.request;

import org.jspecify.annotations.NullMarked;

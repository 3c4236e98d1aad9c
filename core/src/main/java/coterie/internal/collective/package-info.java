// SPDX-License-Identifier: Apache-2.0

/// The calls of a team's collectives over symmetric memory: all members call, meet in rounds of
/// [coterie.internal.sync], and return when their part is done.
///
/// ```
///  Barriers    ScalarReductions    DataCollectives ── CheckedCalls: a Call, with checked arguments
///      │              │                   │ asks AlgorithmSelector of component for the best algorithm
///      └──────┬───────┘        ┌──────────┼─────────────┬──────────────────┐
///         a round           in a round    │         over memory        by plans
///                           Eager…     without      Get…, Put…,        PlannedCollectives
///                                      Oneway…      Partitioned…
/// ```
@NullMarked
package coterie.internal.collective;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// The diagnosis of deadlocks: from a [coterie.diagnosis.Snapshot] of what each lane of each PE waits for to a
/// [coterie.diagnosis.Diagnosis] that names the cause.
///
/// ```
///  Snapshot ──► Model ──► CertainCheck    which operations no schedule can complete
///                    └──► HazardCheck  which ones some legal order of a device can't complete
///                    └──► WaitGraph    what waits for what: the cycle, and what frees it
///  Diagnosis ──► text, JSON, DOT
/// ```
///
/// Nothing here reads memory of a job, starts a thread or waits.
@NullMarked
package coterie.diagnosis;

import org.jspecify.annotations.NullMarked;

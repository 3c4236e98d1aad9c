// SPDX-License-Identifier: Apache-2.0

/// The launcher's side of a job: starts PEs as processes or threads, carries their output and their signals,
/// records how they end, and ends the job.
@NullMarked
package coterie.internal.launch;

import org.jspecify.annotations.NullMarked;

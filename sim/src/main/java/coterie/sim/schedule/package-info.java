// SPDX-License-Identifier: Apache-2.0

/// The schedule of a simulated run: tasks, planned events, and virtual time.
@NullMarked
package coterie.sim.schedule;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// The race detector: finds accesses to symmetric memory that no synchronization orders.
@NullMarked
package coterie.sim.race;

import org.jspecify.annotations.NullMarked;

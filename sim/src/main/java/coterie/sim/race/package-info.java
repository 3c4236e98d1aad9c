// SPDX-License-Identifier: Apache-2.0

/// The race detector: which accesses to symmetric memory nothing orders.
@NullMarked
package coterie.sim.race;

import org.jspecify.annotations.NullMarked;

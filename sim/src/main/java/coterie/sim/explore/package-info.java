// SPDX-License-Identifier: Apache-2.0

/// Executes small programs in all orders that a program can distinguish.
@NullMarked
package coterie.sim.explore;

import org.jspecify.annotations.NullMarked;

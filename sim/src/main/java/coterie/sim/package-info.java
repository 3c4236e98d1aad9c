// SPDX-License-Identifier: Apache-2.0

/// The simulated network: its stage, its settings, and what it throws.
@NullMarked
package coterie.sim;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// All orders of small programs, each once as far as they can be told apart.
@NullMarked
package coterie.sim.explore;

import org.jspecify.annotations.NullMarked;

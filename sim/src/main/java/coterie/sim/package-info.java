// SPDX-License-Identifier: Apache-2.0

/// The network simulator, its settings, and the exceptions that it throws.
@NullMarked
package coterie.sim;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// Algorithms of collectives, and the plans that they make: who sends what to whom, and what each does between. Not
/// how it travels.
@NullMarked
package coterie.internal.plan;

import org.jspecify.annotations.NullMarked;

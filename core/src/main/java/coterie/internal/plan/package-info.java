// SPDX-License-Identifier: Apache-2.0

/// Algorithms of collectives, and the plans that they make: who sends what to whom, and what each does between.
/// Not how it travels. [coterie.internal.plan.Algorithms] is the table of them.
@NullMarked
package coterie.internal.plan;

import org.jspecify.annotations.NullMarked;

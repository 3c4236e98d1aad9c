// SPDX-License-Identifier: Apache-2.0

/// Algorithms of collectives, and the plans that they make: which member sends what to which, and what each member
/// computes between. Transport is not part of a plan. [coterie.internal.plan.Algorithms] is the table of them.
@NullMarked
package coterie.internal.plan;

import org.jspecify.annotations.NullMarked;

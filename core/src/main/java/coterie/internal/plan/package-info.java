// SPDX-License-Identifier: Apache-2.0

/// Algorithms of collectives, and the plans that they make: the messages between members, and each member's local
/// work. Plans do not contain the transport. [coterie.internal.plan.Algorithms] is the table of algorithms.
@NullMarked
package coterie.internal.plan;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// Collectives that know which node each member is on, and move as little as they can between nodes: plans made of
/// plans for groups of members. [coterie.internal.hier.Hierarchy] is the table of them.
@NullMarked
package coterie.internal.hier;

import org.jspecify.annotations.NullMarked;

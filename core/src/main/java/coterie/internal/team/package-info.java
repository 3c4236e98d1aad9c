// SPDX-License-Identifier: Apache-2.0

/// Making and destroying teams: splits, the predefined teams of every world, and teams formed by an id.
@NullMarked
package coterie.internal.team;

import org.jspecify.annotations.NullMarked;

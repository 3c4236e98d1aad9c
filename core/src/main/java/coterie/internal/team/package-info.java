// SPDX-License-Identifier: Apache-2.0

/// Where teams are made and destroyed: splits, the teams that every world has, teams formed by an id.
@NullMarked
package coterie.internal.team;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// Where PEs act together: the meeting that every collective is made of, the collectives, allocation as an
/// agreement.
@NullMarked
package coterie.internal.team;

import org.jspecify.annotations.NullMarked;

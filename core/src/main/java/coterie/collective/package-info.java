// SPDX-License-Identifier: Apache-2.0

/// Collectives: their kinds, and the kinds of memory that they work on.
@NullMarked
package coterie.collective;

import org.jspecify.annotations.NullMarked;

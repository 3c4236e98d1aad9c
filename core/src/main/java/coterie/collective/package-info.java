// SPDX-License-Identifier: Apache-2.0

/// Collectives: their types, the algorithms that serve them, and requests, which run while the program does
/// something else.
@NullMarked
package coterie.collective;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// Collectives: their kinds, who serves them, and those that go on while the program does something else.
@NullMarked
package coterie.collective;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// The one place where anything waits. Whoever waits says for what, so that a stall can be read from outside, a
/// dead PE ends the wait, and a simulator can take the place of the clock.
@NullMarked
package coterie.internal.wait;

import org.jspecify.annotations.NullMarked;

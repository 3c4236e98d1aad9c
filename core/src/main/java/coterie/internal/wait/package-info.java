// SPDX-License-Identifier: Apache-2.0

/// The one place where anything waits. Each wait names its condition, so that another process can read a stall,
/// the death of a PE ends the wait, and a simulator can replace the clock.
@NullMarked
package coterie.internal.wait;

import org.jspecify.annotations.NullMarked;

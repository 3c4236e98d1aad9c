// SPDX-License-Identifier: Apache-2.0

/// A PE's side of the job: who am I, join the world, wire its rooms together, close it.
@NullMarked
package coterie.internal.world;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// A PE's side of the job: its identity and settings, and opening, joining and closing its world.
@NullMarked
package coterie.internal.world;

import org.jspecify.annotations.NullMarked;

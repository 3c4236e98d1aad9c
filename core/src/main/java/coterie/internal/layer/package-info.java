// SPDX-License-Identifier: Apache-2.0

/// Layers that plug in: found, checked, and opened for a PE's world.
@NullMarked
package coterie.internal.layer;

import org.jspecify.annotations.NullMarked;

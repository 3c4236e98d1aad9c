// SPDX-License-Identifier: Apache-2.0

/// Measurements.
@NullMarked
package coterie.bench;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// SPMD tests.
@NullMarked
package coterie.junit;

import org.jspecify.annotations.NullMarked;

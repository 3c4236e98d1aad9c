// SPDX-License-Identifier: Apache-2.0

/// Kernels of reductions that use the JDK's Vector API.
@NullMarked
package coterie.vector;

import org.jspecify.annotations.NullMarked;

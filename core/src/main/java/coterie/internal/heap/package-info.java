// SPDX-License-Identifier: Apache-2.0

/// The symmetric heap: allocation, reallocation and release as agreements of all PEs.
@NullMarked
package coterie.internal.heap;

import org.jspecify.annotations.NullMarked;

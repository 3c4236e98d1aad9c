// SPDX-License-Identifier: Apache-2.0

/// Who has which part of the symmetric heap: allocation, reallocation and release as agreements of all PEs.
@NullMarked
package coterie.internal.heap;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// How bytes move within a node: mapped memory, loads, stores and copies by size class.
@NullMarked
package coterie.internal.mapped;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// The arithmetic of reductions: loops over memory that two members' elements lie in, without a thought of where
/// it comes from.
@NullMarked
package coterie.internal.kernel;

import org.jspecify.annotations.NullMarked;

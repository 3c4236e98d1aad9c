// SPDX-License-Identifier: Apache-2.0

/// One-sided operations: their checks, and their execution by loads and stores or over a conduit.
@NullMarked
package coterie.internal.rma;

import org.jspecify.annotations.NullMarked;

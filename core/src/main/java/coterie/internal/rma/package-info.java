// SPDX-License-Identifier: Apache-2.0

/// Where a put goes: one-sided operations with their checks, over loads and stores or over a conduit.
@NullMarked
package coterie.internal.rma;

import org.jspecify.annotations.NullMarked;

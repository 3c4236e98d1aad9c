// SPDX-License-Identifier: Apache-2.0

/// Order where a conduit has none: what comes after a fence is held back until what came before it is complete.
@NullMarked
package coterie.internal.order;

import org.jspecify.annotations.NullMarked;

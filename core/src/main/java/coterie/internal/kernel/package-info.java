// SPDX-License-Identifier: Apache-2.0

/// The runtime's own loops of reductions, and the choice between them and those of a provider.
@NullMarked
package coterie.internal.kernel;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// The public API.
@NullMarked
package coterie;

import org.jspecify.annotations.NullMarked;

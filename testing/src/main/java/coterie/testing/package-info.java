// SPDX-License-Identifier: Apache-2.0

/// What the tests of all modules share; no module needs it to run.
@NullMarked
package coterie.testing;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// What the tests of all modules share, and what the build says about them at its end: times of modules and classes,
/// and tests that did not run. Nothing here knows Coterie.
@NullMarked
package coterie.testing;

import org.jspecify.annotations.NullMarked;

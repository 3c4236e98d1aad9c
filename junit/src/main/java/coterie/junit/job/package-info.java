// SPDX-License-Identifier: Apache-2.0

/// Jobs that a test launches by itself, since they end otherwise than a test's own PEs may. For Coterie's own tests:
/// the package is not exported.
@NullMarked
package coterie.junit.job;

import org.jspecify.annotations.NullMarked;

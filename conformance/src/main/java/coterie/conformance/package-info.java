// SPDX-License-Identifier: Apache-2.0

/// The rules of the specifications, one test for each case under its id, run by PEs as processes and as threads.
@NullMarked
package coterie.conformance;

import org.jspecify.annotations.NullMarked;

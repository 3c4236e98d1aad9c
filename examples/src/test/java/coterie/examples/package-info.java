// SPDX-License-Identifier: Apache-2.0

/// The programs of this folder, started as a user starts them.
@NullMarked
package coterie.examples;

import org.jspecify.annotations.NullMarked;

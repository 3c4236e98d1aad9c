// SPDX-License-Identifier: Apache-2.0

/// The machine: memory at absolute addresses, and the few calls of the C library that the JDK has no Java for.
///
/// The only package that uses restricted methods.
@NullMarked
package coterie.internal.posix;

import org.jspecify.annotations.NullMarked;

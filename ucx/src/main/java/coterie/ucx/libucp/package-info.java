// SPDX-License-Identifier: Apache-2.0

/// libucp and a few functions of the C library, by foreign calls; all restricted methods of the module are
/// called here. One binding serves UCX 1.13 and later: structures have the newest size and are zeroed, and
/// masks say which of their fields count.
///
/// Pointers and handles are `long`s. A status is UCX's: 0 for success, 1 for an operation that goes on,
/// negative for an error.
@NullMarked
package coterie.ucx.libucp;

import org.jspecify.annotations.NullMarked;

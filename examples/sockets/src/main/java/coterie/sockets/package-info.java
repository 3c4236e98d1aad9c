// SPDX-License-Identifier: Apache-2.0

/// A transport layer over TCP sockets: small, complete, and slower than the runtime's own.
@NullMarked
package coterie.sockets;

import org.jspecify.annotations.NullMarked;

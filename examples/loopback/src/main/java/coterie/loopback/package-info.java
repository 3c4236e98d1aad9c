// SPDX-License-Identifier: Apache-2.0

/// A conduit over TCP connections between the processes of one machine: [coterie.loopback.LoopbackProvider].
@NullMarked
package coterie.loopback;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// What lies between the PEs: messages, when and in which order they take effect, and how a PE starts them.
@NullMarked
package coterie.sim.network;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A layer that moves data itself. Answers to `ucc_tl_iface_t`.
///
/// A simulated network never selects it: the simulator can't control what the layer moves and waits for.
public non-sealed interface TransportLayer extends Layer {}

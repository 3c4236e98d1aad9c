// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A layer that moves data itself.
///
/// A simulated network never selects it: the simulator can't control what the layer moves and waits for.
/// @counterpart `ucc_tl_iface_t`, `UCC_TL_IFACE_DECLARE`
public non-sealed interface TransportLayer extends Layer {}

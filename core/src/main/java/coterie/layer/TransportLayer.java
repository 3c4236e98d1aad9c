// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A layer that moves data itself, by whatever means it has. Answers to `ucc_tl_iface_t`.
///
/// Not asked to serve where the network is simulated: what it moves and waits for is none of the simulator's.
public non-sealed interface TransportLayer extends Layer {}

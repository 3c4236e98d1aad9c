// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A layer that makes collectives of teams from collectives of groups, which transport layers serve. Answers to
/// `ucc_cl_iface_t`.
///
/// Everything that it prepares is a [Composition].
public non-sealed interface CollectiveLayer extends Layer {}

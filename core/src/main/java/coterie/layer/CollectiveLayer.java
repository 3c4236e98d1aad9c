// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

/// A layer that makes collectives of teams from collectives of groups, which transport layers serve. Answers to
/// `ucc_cl_iface_t`.
///
/// All that it prepares are [Composition]s.
public non-sealed interface CollectiveLayer extends Layer {}

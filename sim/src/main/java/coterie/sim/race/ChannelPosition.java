// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

/// Where an operation stands in its channel.
///
/// @param behind those of its lane up to this number take effect before it
record ChannelPosition(PeerHistory history, long number, long behind) {}

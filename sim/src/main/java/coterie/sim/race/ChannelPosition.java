// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

/// The position of an operation in its channel.
///
/// @param history of the channel towards the operation's target
/// @param number of the operation in the channel
/// @param fencedUpTo operations of the channel up to this number take effect before the operation
record ChannelPosition(PeerHistory history, long number, long fencedUpTo) {}

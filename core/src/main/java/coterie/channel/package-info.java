// SPDX-License-Identifier: Apache-2.0

/// Channels: bounded sequences of items from producers to a consumer, written over views, signals and waits alone.
///
/// | type | what it is |
/// |---|---|
/// | [coterie.channel.BoundedChannel] | a channel: send, receive, and items without a copy |
/// | [coterie.channel.ChannelShape] | how long an item can be, and how many items can be under way |
/// | [coterie.channel.ChannelSend] | a send as a wait and a put, for streams and kernels |
/// | [coterie.channel.ChannelReceive] | a receive as a wait and a signal, for streams and kernels |
@NullMarked
package coterie.channel;

import org.jspecify.annotations.NullMarked;

// SPDX-License-Identifier: Apache-2.0

/// Runs plans over any conduit, without ever waiting: how the messages of a team's members travel, what each of them
/// does between, and how all learn of it when one gives up.
///
/// ```
///  TeamPort             a team's lines in the members' sync areas, opened by the first call or request that needs them
///    └ TeamEndpoint     one for calls and requests
///        └ ChannelGroup     requests │ calls: what ends with one failure
///            └ VirtualChannel     one run at a time: a PlanTask
///                └ PeerConnection     messages to and from one member
/// ```
@NullMarked
package coterie.internal.p2p;

import org.jspecify.annotations.NullMarked;

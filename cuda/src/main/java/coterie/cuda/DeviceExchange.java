// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import java.util.List;

/// Sends and receives that go on together, checked.
///
/// @param operation for messages
/// @param scope whether all members take part
/// @param transfers those with one peer in one direction have the order of the list; sends to this member itself
///     and receives from it fit each other
record DeviceExchange(CudaStream stream, String operation, Scope scope, List<DeviceTransfer> transfers) {
    enum Scope {
        /// all members call it
        TEAM,
        /// the members call it that send or receive
        PEERS
    }
}

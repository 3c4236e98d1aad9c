// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// Which ranks a communicator's operations reach.
/// @counterpart `ncclGinConnectionType_t`
public enum ConnectionType {
    /// none: the communicator has no GIN resources.
    /// @counterpart `NCCL_GIN_CONNECTION_NONE`
    NONE,
    /// all ranks.
    /// @counterpart `NCCL_GIN_CONNECTION_FULL`
    FULL,
    /// the ranks of the caller's rail, see [DeviceCommunicator#railTeam].
    /// @counterpart `NCCL_GIN_CONNECTION_RAIL`
    RAIL
}

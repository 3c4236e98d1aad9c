// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// Which ranks a communicator's operations reach. Answers to `ncclGinConnectionType_t`.
public enum ConnectionType {
    /// none: the communicator has no GIN resources. Answers to `NCCL_GIN_CONNECTION_NONE`.
    NONE,
    /// all ranks. Answers to `NCCL_GIN_CONNECTION_FULL`.
    FULL,
    /// the ranks of the caller's rail, see [DeviceCommunicator#railTeam]. Answers to `NCCL_GIN_CONNECTION_RAIL`.
    RAIL
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.Team;

/// Memory of a team's members to which kernels and streams of this PE have pointers: [DeviceMemory] or
/// [RegisteredMemory].
///
/// A pointer is a number for kernels and for the driver, never a segment: a load of the host at a pointer to a
/// device would end the JVM.
public sealed interface DeviceAddresses permits DeviceMemory, RegisteredMemory {
    /// Returns the team whose numbers the members have.
    Team team();

    /// Returns the bytes of each member's part.
    long byteSize();

    /// Returns the address at which kernels and streams of this PE find a member's part, or 0 if they can't
    /// reach it.
    /// @counterpart `nvshmem_ptr` of device memory
    /// @param member in `[0, team().size())`
    /// @throws IllegalStateException if the memory is closed
    /// @throws IndexOutOfBoundsException if the team has no such member
    long devicePointer(int member);

    /// Returns the address of this PE's own part.
    default long devicePointer() {
        return devicePointer(team().member());
    }

    /// Returns whether kernels and streams of this PE reach a member's part.
    ///
    /// @param member in `[0, team().size())`
    default boolean isMapped(int member) {
        return devicePointer(member) != 0;
    }

    /// Returns why kernels and streams of this PE can't reach a member's part; empty if they can.
    ///
    /// @param member in `[0, team().size())`
    String unmappedReason(int member);
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.stream.TeamOrder;
import java.util.Objects;

/// How [Cuda#open(coterie.World, CudaOptions)] chooses its device, and what its streams check.
///
/// @param device number of the device, or [#BY_PE]
/// @param teamOrder what happens where two collectives of one team are in streams that have no order between them
public record CudaOptions(int device, TeamOrder teamOrder) {
    /// The device whose number is that of the PE among the PEs of its node, modulo the number of devices.
    public static final int BY_PE = -1;

    /// A device by the PE's number, and [TeamOrder#CHECKED].
    public static final CudaOptions DEFAULT = new CudaOptions(BY_PE, TeamOrder.CHECKED);

    public CudaOptions {
        Objects.requireNonNull(teamOrder, "CudaOptions: teamOrder is null");
        if (device < BY_PE) {
            throw new IllegalArgumentException("CudaOptions: device " + device + " is less than -1");
        }
    }

    /// Returns these options with a device.
    ///
    /// @param number `0 ≤ number`, or [#BY_PE]
    public CudaOptions withDevice(int number) {
        return new CudaOptions(number, teamOrder);
    }

    /// Returns these options with an order of collectives.
    public CudaOptions withTeamOrder(TeamOrder order) {
        return new CudaOptions(device, order);
    }
}

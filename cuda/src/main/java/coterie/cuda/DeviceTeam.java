// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.Team;
import coterie.cuda.device.KernelTeam;
import java.util.Optional;

/// A team whose members are kernels: what `coterie.cuh` and `coterie_gin.cuh` work on.
///
/// A kernel gets [#address] as an argument of type `const coterie_team *`. It names memory by `(block, offset, pe)`;
/// block 1 is the first that was given to the making of the team. Where the device does not map a PE's part, the
/// operation goes through a ring to this JVM.
///
/// The first failed operation of a kernel stays recorded: [#check] throws it. From then on all operations of the
/// team's kernels that wait or need the ring fail. Call [#check] after a kernel has ended.
///
/// The ring is served in every wait of this PE, and in a thread of its own at [coterie.ThreadLevel#MULTIPLE]; at the
/// other levels the program calls [coterie.World#progress] while kernels run.
///
/// Threads: any.
public final class DeviceTeam implements AutoCloseable {
    private final KernelTeam kernels;

    DeviceTeam(KernelTeam kernels) {
        this.kernels = kernels;
    }

    /// Returns the address of the team in device memory, which a kernel gets as an argument.
    public long address() {
        return kernels.address();
    }

    /// Returns the team that numbers the PEs.
    public Team team() {
        return kernels.team();
    }

    /// Returns why a kernel's operation has failed, or empty. It may have failed since the return.
    public Optional<DeviceTeamException> failure() {
        return kernels.error().map(error -> {
            String team =
                    "device team on PE " + kernels.team().pe(kernels.team().member());
            return new DeviceTeamException(
                    error,
                    team + ": " + kernels.describe(error),
                    error == DeviceError.ABORTED ? kernels.ringFailure() : null);
        });
    }

    /// Throws what [#failure] returns, if any.
    ///
    /// @throws DeviceTeamException if an operation of a kernel has failed
    public void check() {
        failure().ifPresent(failed -> {
            throw failed;
        });
    }

    /// Ends all waits of the team's kernels on this PE's device, with [DeviceError#ABORTED]. The team is of no use
    /// afterwards.
    public void abort() {
        kernels.abort();
    }

    /// Frees what the team has. A second close does nothing.
    ///
    /// **Collective** over the team. No kernel may use the team any more.
    @Override
    public void close() {
        kernels.close();
    }
}

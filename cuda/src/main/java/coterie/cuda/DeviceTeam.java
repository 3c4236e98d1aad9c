// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static java.util.Objects.requireNonNull;

import coterie.CoterieException;
import coterie.Team;
import coterie.WaitTimeoutException;
import coterie.cuda.device.KernelTeam;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
    private static final String OPERATION = "DeviceTeam.create";

    private final KernelTeam kernels;
    private final TeamDevice device;
    private volatile boolean isClosed;

    private DeviceTeam(KernelTeam kernels, TeamDevice device) {
        this.kernels = kernels;
        this.device = device;
    }

    /// Makes a team for kernels with [DeviceTeamOptions#DEFAULT].
    public static DeviceTeam create(Cuda cuda, Team team, DeviceAddresses... memories) {
        return create(cuda, team, DeviceTeamOptions.DEFAULT, memories);
    }

    /// Makes a team for kernels.
    ///
    /// **Collective** over the team, agreeing. All members give the same options, and corresponding memories in the
    /// same order.
    ///
    /// @param memories that kernels use, numbered from 1: registered memory, and device memory of this team. The
    ///     program closes them after the team
    /// @throws IllegalArgumentException if a memory has the numbers of another team; the other members wait for the
    ///     caller
    /// @throws CoterieException on all members, if a device refuses to register or to allocate memory
    public static DeviceTeam create(Cuda cuda, Team team, DeviceTeamOptions options, DeviceAddresses... memories) {
        requireNonNull(cuda, "DeviceTeam.create: cuda is null");
        DeviceContext context = cuda.context();
        context.own(team, OPERATION);
        context.checked(options, OPERATION, "options");
        for (DeviceAddresses each : context.checked(memories, OPERATION, "memories")) {
            context.own(context.checked(each, OPERATION, "an element of memories"), OPERATION);
        }
        TeamDevice device = new TeamDevice(cuda, team);
        boolean isMade = false;
        try {
            KernelTeam kernels =
                    KernelTeam.create(cuda.world(), team, options, device, device.blocks(List.of(memories)));
            isMade = true;
            return new DeviceTeam(kernels, device);
        } finally {
            if (!isMade) {
                device.close();
            }
        }
    }

    /// Returns the address of the team in device memory, which a kernel gets as an argument.
    public long address() {
        checkOpen("address");
        return kernels.address();
    }

    /// Returns the team that numbers the PEs.
    public Team team() {
        return kernels.team();
    }

    /// Returns why a kernel's operation has failed, or empty: a [WaitTimeoutException] if its timeout has passed,
    /// otherwise a [DeviceTeamException]. If the host has failed to do an operation of the ring, the error is
    /// [DeviceError#ABORTED], and the cause is what the host found.
    public Optional<CoterieException> failure() {
        checkOpen("failure");
        String prefix = "device team on PE " + team().pe(team().member()) + ": ";
        RuntimeException ring = kernels.ringFailure();
        Optional<CoterieException> recorded = kernels.error()
                .map(error ->
                        failure(error, prefix + kernels.describe(error), error == DeviceError.ABORTED ? ring : null));
        if (recorded.isPresent() || ring == null) {
            return recorded;
        }
        return Optional.of(new DeviceTeamException(
                DeviceError.ABORTED, prefix + "the host could not do an operation of a kernel", ring));
    }

    private static CoterieException failure(DeviceError error, String message, @Nullable RuntimeException cause) {
        return error == DeviceError.TIMEOUT
                ? new WaitTimeoutException(message)
                : new DeviceTeamException(error, message, cause);
    }

    /// Throws what [#failure] returns, if any.
    ///
    /// @throws WaitTimeoutException if the timeout of a kernel's wait has passed
    /// @throws DeviceTeamException if an operation of a kernel has failed otherwise
    public void check() {
        checkOpen("check");
        failure().ifPresent(failed -> {
            throw failed;
        });
    }

    /// Ends all waits of the team's kernels on this PE's device, with [DeviceError#ABORTED]. The team is of no use
    /// afterwards.
    public void abort() {
        checkOpen("abort");
        kernels.abort();
    }

    private void checkOpen(String operation) {
        if (isClosed) {
            throw new IllegalStateException(device.prefix(operation) + "the device team is closed");
        }
    }

    /// Ends the caller's use of the team, and waits for no other PE: kernels of the caller that still use it fail with
    /// [DeviceError#ABORTED]; synchronize their streams before. Kernels of others go on with what they reach of the
    /// caller; a wait of theirs for an operation of its kernels ends at the team's timeout, if it has one. A second
    /// close does nothing.
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            kernels.close();
            device.whenIdle(device::close);
        }
    }

    @Override
    public String toString() {
        return "device team of " + kernels.team() + (isClosed ? ", closed" : "");
    }
}

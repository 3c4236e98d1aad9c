// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.cuda.DeviceTeamOptions;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;

/// A team of kernels of all PEs with one block of memory, number 1, for a test.
final class KernelFixture implements AutoCloseable {
    static final int BLOCK = 1;
    static final long BYTES = 1 << 20;

    static final DeviceTeamOptions OPTIONS =
            DeviceTeamOptions.DEFAULT.withTimeout(Duration.ofSeconds(20)).withRingSlots(16);

    final World world;
    final int me;
    final int right;
    final HostDevice device;
    final SymmetricMemory memory;
    final KernelTeam team;

    KernelFixture(World world, HostDevice.Reach reach, DeviceTeamOptions options) {
        this.world = world;
        this.me = world.pe();
        this.right = (me + 1) % world.size();
        this.device = new HostDevice(world, reach);
        this.memory = world.allocate(BYTES);
        DeviceBlock block = DeviceBlock.ofHost(memory, device.map(memory), device.hasHostAtomics());
        this.team = KernelTeam.create(world, world.team(), options, device, List.of(block));
    }

    static KernelFixture open(World world, HostDevice.Reach reach) {
        return new KernelFixture(world, reach, OPTIONS);
    }

    /// Returns a number of rounds: all in the soak tier, and a tenth otherwise.
    static int rounds(int soak) {
        return Boolean.getBoolean("coterie.soak") ? soak : soak / 10;
    }

    /// Returns bytes of the caller's own part.
    MemorySegment own(long offset, long bytes) {
        return memory.segment().asSlice(offset, bytes);
    }

    void barrier() {
        world.team().barrier();
    }

    void checkNoError() {
        assertThat(team.error().map(team::describe)).isEmpty();
        assertThat(team.ringFailure()).isNull();
    }

    /// Ends the team on all PEs.
    @Override
    public void close() {
        team.close();
        device.unmap(memory);
        assertThat(device.leaks()).isZero();
        memory.close();
    }
}

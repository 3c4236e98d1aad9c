// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.SymmetricMemory;
import coterie.World;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// A communicator of all PEs with one window, for a test.
final class GinFixture implements AutoCloseable {
    static final long BYTES = 65_536;

    final World world;
    final DeviceCommunicator comm;
    final SymmetricMemory memory;
    final Window window;
    final AffineTeam all;
    final int me;
    final int size;

    private GinFixture(World world, CommunicatorRequirements requirements) {
        this.world = world;
        this.comm = DeviceCommunicator.create(world, requirements);
        this.memory = world.allocate(BYTES);
        this.window = comm.registerWindow(memory, WindowFlag.STRICT_ORDERING);
        this.all = comm.worldTeam();
        this.me = world.pe();
        this.size = world.size();
    }

    /// All connections, 4 contexts, 8 signals, 4 counters, 2 barriers of each kind, a timeout of 20 s.
    static CommunicatorRequirements requirements() {
        return CommunicatorRequirements.DEFAULT
                .withConnectionType(ConnectionType.FULL)
                .withSignals(8)
                .withCounters(4)
                .withWorldBarriers(2)
                .withRailBarriers(2)
                .withLsaBarriers(2)
                .withHybridBarriers(2)
                .withTimeout(Duration.ofSeconds(20));
    }

    static GinFixture open(World world) {
        return new GinFixture(world, requirements());
    }

    static GinFixture open(World world, UnaryOperator<CommunicatorRequirements> change) {
        return new GinFixture(world, change.apply(requirements()));
    }

    Gin gin(int context) {
        return comm.gin(context);
    }

    int right() {
        return (me + 1) % size;
    }

    int left() {
        return (me + size - 1) % size;
    }

    /// Fills bytes of the own window.
    void fill(long offset, long count, int value) {
        window.local().asSlice(offset, count).fill((byte) value);
    }

    /// Returns whether all bytes have a value.
    boolean holds(long offset, long count, int value) {
        for (long i = offset; i < offset + count; i++) {
            if (memory.bytes().get(i) != (byte) value) {
                return false;
            }
        }
        return true;
    }

    /// Waits for all PEs, without any fence of GIN's.
    void meet() {
        world.team().sync();
    }

    @Override
    public void close() {
        window.close();
        comm.close();
        memory.close();
    }
}

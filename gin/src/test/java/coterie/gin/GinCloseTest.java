// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.gin.RemoteAction.strongSignalInc;
import static coterie.gin.RemoteAction.weakSignalInc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;

@DisplayName("a close of a window or a communicator waits for no other PE")
class GinCloseTest {
    private static final int STEPS = 10;

    /// Made by a random program at a random place.
    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Thrown(String place) {
            super(place);
        }
    }

    @EveryMode
    @DisplayName("what a rank has closed serves the others: its window, its signals, its block of memory")
    void serves(World world) {
        GinFixture gins = GinFixture.open(world);
        if (gins.me == 0) {
            gins.close();
            gins.meet();
        } else {
            gins.meet();
            Gin gin = gins.gin(0);
            gins.fill(0, 8, 7);
            for (int round = 0; round < 10; round++) {
                gin.put(gins.all, 0, gins.window, 64, gins.window, 0, 8, weakSignalInc(0));
                gin.signal(gins.all, 0, strongSignalInc(1));
                gin.putValue(gins.all, 0, gins.window, 128, 5, 8, strongSignalInc(2));
            }
            gin.quiet();
            gin.resetSignal(0);
            gin.get(gins.all, 0, gins.window, 64, gins.window, 256, 8);
            gin.flush();
            assertThat(gins.holds(256, 8, 7)).isTrue();
        }
        SymmetricMemory other = world.allocate(1024);
        assertThat(other.longs().get(0)).isZero();
        gins.meet();
        assertThat(other.longs().get(0)).as("no late put").isZero();
        other.close();
        gins.close();
    }

    @EveryMode
    @DisplayName("operations under way are complete after the close of their window")
    void completes(World world) {
        GinFixture gins = GinFixture.open(world);
        gins.fill(0, 512, 1 + gins.me);
        Window other = gins.comm.registerWindow(gins.memory, 0, 1024);
        gins.gin(1).put(gins.all, gins.right(), other, 512, other, 0, 512, strongSignalInc(0));
        other.close();
        gins.fill(0, 512, 99);
        gins.gin(1).waitSignal(0, 1);
        assertThat(gins.holds(512, 512, 1 + gins.left())).isTrue();
        gins.meet();
        gins.close();
    }

    @EveryMode
    @DisplayName(
            "a barrier in which ranks wait for one that has closed the communicator throws, and names it; one at which"
                    + " it has arrived before is over")
    void missed(World world) {
        for (FenceLevel fence : FenceLevel.values()) {
            GinFixture gins = GinFixture.open(world);
            BarrierSession barrier = gins.comm.worldBarrier(gins.gin(2), 1);
            barrier.sync(fence);
            barrier.arrive(fence);
            if (gins.me == 1) {
                gins.close();
            } else {
                barrier.await();
                for (int call = 0; call < 2; call++) {
                    barrier.close();
                    BarrierSession again = gins.comm.worldBarrier(gins.gin(2), 1);
                    assertThatThrownBy(() -> again.sync(fence))
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContaining("rank 1 has closed the communicator");
                    again.close();
                }
                BarrierSession hybrid = gins.comm.hybridBarrier(gins.gin(0), 0);
                assertThatThrownBy(() -> hybrid.sync(fence)).isInstanceOf(CollectiveMismatchException.class);
                gins.close();
            }
            gins.meet();
        }
    }

    @SpmdTest(
            pes = {2, 3},
            heapBytes = 1 << 20,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("what all ranks have closed, in different orders, is used again")
    void reuse(World world) {
        for (int round = 0; round < 30; round++) {
            SymmetricMemory memory = world.allocate(1 << 18);
            DeviceCommunicator first = DeviceCommunicator.create(world, GinFixture.requirements());
            DeviceCommunicator second = DeviceCommunicator.create(world, GinFixture.requirements());
            Window window = first.registerWindow(memory);
            Window other = second.registerWindow(memory, 64, 64);
            first.gin(0).signal(first.worldTeam(), (first.rank() + 1) % first.size(), strongSignalInc(0));
            first.gin(0).waitSignal(0, 1);
            if ((world.pe() + round) % 2 == 0) {
                memory.close();
                first.close();
                window.close();
                second.close();
            } else {
                other.close();
                second.close();
                window.close();
                first.close();
                memory.close();
            }
        }
        world.allocate((1 << 20) - 4096).free();
        assertThat(world.heapStatistics().usedBytes()).isZero();
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("an exception leaves nested blocks at once, while the other ranks wait")
    void leaves(World world) {
        Thrown thrown = new Thrown("inside");
        Throwable caught = catchThrowable(() -> {
            try (Team team = world.team().duplicate();
                    SymmetricMemory memory = team.allocate(64);
                    DeviceCommunicator comm = DeviceCommunicator.create(world, team, GinFixture.requirements());
                    Window window = comm.registerWindow(memory);
                    BarrierSession barrier = comm.worldBarrier(comm.gin(0), 0)) {
                if (world.pe() == 1) {
                    comm.gin(0).put(comm.worldTeam(), 0, window, 0, window, 0, 64);
                    throw thrown;
                }
                barrier.sync();
            }
        });
        if (world.pe() == 1) {
            assertThat(caught).isSameAs(thrown).hasNoSuppressedExceptions();
        } else {
            assertThat(caught).isInstanceOf(CollectiveMismatchException.class).hasNoSuppressedExceptions();
        }
        world.team().barrier();
    }

    @SpmdTest(
            pes = {2, 3, 4},
            heapBytes = 1 << 20,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName(
            "random programs that throw inside nested blocks end on all ranks, with the exception or its consequence")
    void programs(World world) {
        Random seeds = new Random(world.size());
        for (int program = 0; program < 25; program++) {
            long seed = seeds.nextLong();
            int thrower = seeds.nextInt(world.size());
            int at = seeds.nextInt(STEPS);
            Throwable caught = catchThrowable(() -> {
                try (Team team = world.team().duplicate();
                        SymmetricMemory memory = team.allocate(4096);
                        DeviceCommunicator comm = DeviceCommunicator.create(world, team, GinFixture.requirements());
                        Window window = comm.registerWindow(memory)) {
                    nest(world, comm, window, new Random(seed), 0, team.member() == thrower ? at : Integer.MAX_VALUE);
                }
                throw new Thrown("at the end");
            });
            assertThat(caught)
                    .as("seed %s, PE %s", seed, world.pe())
                    .isInstanceOfAny(Thrown.class, CoterieException.class)
                    .hasNoSuppressedExceptions();
            world.team().barrier();
        }
    }

    /// Opens something, uses it, and goes on inside.
    private static void nest(World world, DeviceCommunicator comm, Window window, Random random, int done, int last) {
        if (done >= last) {
            throw new Thrown("step " + done);
        }
        if (done == STEPS) {
            return;
        }
        Gin gin = comm.gin(random.nextInt(4));
        int right = (comm.rank() + 1) % comm.size();
        switch (random.nextInt(5)) {
            case 0 -> {
                try (Window made = comm.registerWindow(window.memory(), 64L * done, 64)) {
                    gin.put(comm.worldTeam(), right, made, 0, made, 32, 32, strongSignalInc(0));
                    nest(world, comm, random.nextBoolean() ? made : window, random, done + 1, last);
                }
            }
            case 1 -> {
                try (SymmetricMemory memory = comm.coterieTeam().allocate(4096);
                        Window made = comm.registerWindow(memory, WindowFlag.STRICT_ORDERING)) {
                    gin.putValue(comm.worldTeam(), right, made, 8, done, 8);
                    nest(world, comm, made, random, done + 1, last);
                }
            }
            case 2 -> {
                try (DeviceCommunicator made =
                                DeviceCommunicator.create(world, comm.coterieTeam(), GinFixture.requirements());
                        Window itsWindow = made.registerWindow(window.memory())) {
                    nest(world, made, itsWindow, random, done + 1, last);
                }
            }
            case 3 -> {
                try (BarrierSession barrier = comm.worldBarrier(gin, 0)) {
                    barrier.sync();
                }
                nest(world, comm, window, random, done + 1, last);
            }
            default -> {
                gin.get(comm.worldTeam(), right, window, 0, window, 8, 8);
                gin.flush();
                nest(world, comm, window, random, done + 1, last);
            }
        }
    }
}

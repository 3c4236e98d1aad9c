// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.Comparison;
import coterie.CoterieException;
import coterie.ElementType;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.fake.FakeDriver;
import coterie.cuda.fake.FakeNccl;
import coterie.cuda.nccl.LibNccl;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.spi.CloseListener;
import coterie.spi.FaceSupport;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;

@DisplayName("a close of device memory, a device team, collectives or a Cuda waits for no other PE")
class CudaCloseTest {
    private static final int STEPS = 6;

    /// Made by a program at some place.
    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Thrown(String place) {
            super(place);
        }
    }

    private static EngineParts host() {
        return new EngineParts(
                "host",
                () -> {
                    throw new CoterieException("no NCCL in this test");
                },
                () -> {
                    throw new CoterieException("no kernels in this test");
                },
                4096);
    }

    @OneToFourPes
    @DisplayName("the part of a PE that has closed the memory, and its Cuda, serves the others")
    void serves(World world) {
        CudaFixture fixture = new CudaFixture(world);
        DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
        byte[] mine = new byte[4096];
        if (world.pe() == 0) {
            memory.close();
            memory.close();
            fixture.close();
            assertThatThrownBy(() -> memory.devicePointer()).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(memory::free).isInstanceOf(IllegalStateException.class);
            world.team().barrier();
        } else {
            world.team().barrier();
            for (int round = 1; round <= 10; round++) {
                Arrays.fill(mine, (byte) (round + world.pe()));
                memory.put(world.pe() * 64L, MemorySegment.ofArray(mine).asSlice(0, 64), 0);
                byte[] back = new byte[64];
                memory.get(world.pe() * 64L, MemorySegment.ofArray(back), 0);
                assertThat(back).containsOnly(round + world.pe());
            }
        }
        world.team().barrier();
        memory.close();
        fixture.close();
    }

    @SpmdTest(
            pes = {1, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("memory that all members have closed, in different orders, makes room for the next")
    void reuse(World world) {
        FakeDriver driver = new FakeDriver(1, 5 << 20, Set.of()); // two parts of memory that other processes reach
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            for (int round = 0; round < 20; round++) {
                DeviceMemory one = fixture.cuda.allocate(world.team(), 0);
                DeviceMemory two = fixture.cuda.allocate(world.team(), 64);
                DeviceMemory three = fixture.cuda.allocate(world.team(), 64);
                ((world.pe() + round) % 2 == 0 ? two : three).close();
                one.close();
                three.close();
                two.close();
            }
        }
        assertThat(world.heapStatistics().usedBytes()).isZero();
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("an exception leaves nested blocks at once, while the others wait, and the PE's stream for them")
    void leaves(World world) {
        SymmetricMemory block = world.allocate(65_536, 65_536);
        Thrown thrown = new Thrown("inside");
        CudaStream[] used = new CudaStream[1];
        Throwable caught = catchThrowable(() -> {
            try (CudaFixture fixture = new CudaFixture(world);
                    Team team = world.team().duplicate();
                    DeviceMemory memory = fixture.cuda.allocate(team, 4096);
                    RegisteredMemory words = fixture.cuda.register(block);
                    DeviceCollectives collectives = fixture.cuda.collectives(team, host());
                    DeviceTeam kernels = DeviceTeam.create(fixture.cuda, team, words, memory);
                    CudaStream stream = fixture.cuda.createStream("waits")) {
                used[0] = stream;
                assertThat(kernels.failure()).isEmpty();
                stream.synchronize();
                if (world.pe() == world.size() - 1) {
                    stream.waitUntil(block.longs(), 0, Comparison.EQ, 1);
                    collectives.allReduce(stream, Reduction.SUM, ElementType.LONG, memory, 0, memory, 0, 1);
                    throw thrown;
                }
                team.barrier();
            }
        });
        if (world.pe() == world.size() - 1) {
            assertThat(caught).isSameAs(thrown).hasNoSuppressedExceptions();
            assertThat(used[0].isOver()).as("the stream still waits").isFalse();
        } else {
            assertThat(caught).isInstanceOf(CoterieException.class);
        }
        world.team().barrier();
        block.longs().put(0, 1, world.pe());
        if (caught == thrown) {
            world.progressUntil(used[0]::isOver);
        }
        try (CudaFixture next = new CudaFixture(world);
                RegisteredMemory words = next.cuda.register(block)) { // what was left for later goes now
            assertThat(words.isMapped(world.pe())).isTrue();
        }
        block.close();
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 60)
    @DisplayName(
            "random programs that throw inside nested blocks end on all PEs, with the exception or its consequence")
    void programs(World world) {
        Random seeds = new Random(world.size());
        for (int program = 0; program < 8; program++) {
            long seed = seeds.nextLong();
            int thrower = seeds.nextInt(world.size());
            int at = seeds.nextInt(STEPS);
            Throwable caught = catchThrowable(() -> {
                try (CudaFixture fixture = new CudaFixture(world);
                        Team team = world.team().duplicate();
                        DeviceMemory memory = fixture.cuda.allocate(team, 4096)) {
                    nest(fixture, memory, new Random(seed), 0, world.pe() == thrower ? at : Integer.MAX_VALUE);
                }
                throw new Thrown("at the end");
            });
            assertThat(caught)
                    .as("seed %s, PE %s", seed, world.pe())
                    .isInstanceOfAny(Thrown.class, CoterieException.class);
            world.team().barrier();
        }
    }

    /// Opens something, uses it, and goes on inside.
    private static void nest(CudaFixture fixture, DeviceMemory memory, Random random, int done, int last) {
        if (done >= last) {
            throw new Thrown("step " + done);
        }
        if (done == STEPS) {
            return;
        }
        Team team = memory.team();
        switch (random.nextInt(4)) {
            case 0 -> {
                try (DeviceMemory made = fixture.cuda.allocate(team, 64)) {
                    made.put(0, MemorySegment.ofArray(new byte[8]), (team.member() + 1) % team.size());
                    nest(fixture, memory, random, done + 1, last);
                }
            }
            case 1 -> {
                try (DeviceCollectives made = fixture.cuda.collectives(team, host())) {
                    CudaStream stream = fixture.cuda.createStream();
                    made.allReduce(stream, Reduction.MAX, ElementType.LONG, memory, 0, memory, 0, 8);
                    stream.synchronize();
                    nest(fixture, memory, random, done + 1, last);
                }
            }
            case 2 -> {
                try (DeviceTeam made = DeviceTeam.create(fixture.cuda, team)) {
                    made.check();
                    nest(fixture, memory, random, done + 1, last);
                }
            }
            default -> {
                team.barrier();
                nest(fixture, memory, random, done + 1, last);
            }
        }
    }

    @OneToFourPes
    @DisplayName("NCCL's members end their communicator together: after a close when the world closes")
    void nccl(World world) {
        FakeNccl nccl = new FakeNccl();
        FakeDriver driver = new FakeDriver().attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 16 + world.pe());
        EngineParts parts = new EngineParts(
                "nccl",
                () -> LibNccl.over(nccl),
                () -> {
                    throw new CoterieException("no kernels in this test");
                },
                4096);
        FaceSupport.of(world).addCloseListener(new CloseListener() {
            @Override
            public void closed() {
                assertThat(nccl.take())
                        .hasSize(world.size() == 1 ? 0 : 2)
                        .allMatch(call -> call.matches("ncclComm(Finalize|Destroy).*"));
            }
        });
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts);
            nccl.take();
            collectives.close();
            assertThatThrownBy(collectives::destroy).isInstanceOf(IllegalStateException.class);
            assertThat(nccl.take()).hasSize(world.size() == 1 ? 2 : 0);
        }
    }
}

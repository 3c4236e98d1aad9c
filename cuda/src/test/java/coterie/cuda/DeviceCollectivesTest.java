// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;

/// Collectives over device memory by the host, and what all engines share: arguments, order, agreement, the end.
class DeviceCollectivesTest {
    private static EngineParts parts(String mode) {
        return new EngineParts(
                mode,
                () -> {
                    throw new CoterieException("no NCCL in this test");
                },
                () -> {
                    throw new CoterieException("no kernels in this test");
                },
                4096);
    }

    @OneToFourPes
    @DisplayName("the host engine gives what core's requests give, in one piece and in several")
    void host(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts("host"));
            assertThat(collectives.engine()).isEqualTo("host");
            assertThat(collectives.reason()).isEqualTo("COTERIE_CUDA_COLLECTIVES is host");
            try (CollectiveCheck check = new CollectiveCheck(fixture.cuda, world.team(), collectives, false)) {
                check.all(1500);
                collectives.close();
                collectives.close();
            }
        }
    }

    @SpmdTest(pes = 4)
    @DisplayName("a team of some PEs uses memory of the world, with its own numbers")
    void subteam(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
            Team odd = world.team().splitStrided(1, 2, 2);
            if (odd.isValid()) {
                DeviceCollectives collectives = fixture.cuda.collectives(odd, parts("auto"));
                assertThat(collectives.reason())
                        .contains("no NCCL, as PE 1: no NCCL in this test", "no kernels, as PE 1");
                try (CudaStream stream = fixture.cuda.createStream()) {
                    memory.put(0, MemorySegment.ofArray(new long[] {world.pe(), 10L * world.pe()}), world.pe());
                    collectives.allGather(stream, ElementType.LONG, memory, 8, memory, 0, 2);
                    stream.synchronize();
                    long[] seen = new long[4];
                    memory.get(64, MemorySegment.ofArray(seen), world.pe());
                    assertThat(seen).containsExactly(1, 10, 3, 30);
                }
                collectives.close();
                odd.close();
            }
            memory.close();
        }
    }

    @OneToFourPes
    @DisplayName("collectives of one object keep their order across streams")
    void order(World world) {
        try (CudaFixture fixture = new CudaFixture(world)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts("host"));
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 4096);
            CudaStream[] streams = {fixture.cuda.createStream("one"), fixture.cuda.createStream("two")};
            memory.put(0, MemorySegment.ofArray(new long[] {1}), world.pe());
            for (int round = 0; round < 10; round++) {
                collectives.allReduce(streams[round % 2], Reduction.SUM, ElementType.LONG, memory, 0, memory, 0, 1);
            }
            collectives.barrier(streams[0]);
            streams[0].synchronize();
            long[] seen = new long[1];
            memory.get(0, MemorySegment.ofArray(seen), world.pe());
            assertThat(seen[0]).isEqualTo((long) Math.pow(world.size(), 10));
            collectives.close();
            memory.close();
        }
    }
}

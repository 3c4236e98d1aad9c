// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.SymmetricMemoryException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

/// What a refused making leaves behind, and what it says.
class GinCreateTest {
    private static CommunicatorRequirements requirements() {
        return CommunicatorRequirements.DEFAULT
                .withConnectionType(ConnectionType.FULL)
                .withSignals(1)
                .withWorldBarriers(1);
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, heapBytes = 1 << 20)
    @DisplayName("a create that the heap refuses, for its words or for its resources, leaves the heap as it was")
    void refused(World world) {
        CommunicatorRequirements words = requirements().withSignals(1 << 16);
        CommunicatorRequirements resources = requirements().withResource(ResourceRequirement.of(1 << 22, 8, 0, 0));
        long used = world.heapStatistics().usedBytes();
        int blocks = world.heapStatistics().blocks();
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> DeviceCommunicator.create(world, words))
                    .isInstanceOf(SymmetricMemoryException.class);
            assertThatThrownBy(() -> DeviceCommunicator.create(world, resources))
                    .isInstanceOf(SymmetricMemoryException.class);
        }
        DeviceCommunicator good = DeviceCommunicator.create(world, requirements());
        good.close();
        world.team().barrier();
        world.allocate(64).close(); // closes of blocks of all members have come with it
        assertThat(world.heapStatistics().usedBytes()).isEqualTo(used);
        assertThat(world.heapStatistics().blocks()).isEqualTo(blocks);
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("resources that differ are named by what differs, and with numbers that the program has passed")
    void mismatches(World world) {
        ResourceRequirement small = ResourceRequirement.of(64, 8, 2, 0);
        ResourceRequirement aligned = ResourceRequirement.of(64, 64, 2, 0);
        boolean isFirst = world.pe() == 0;
        mismatch(world, isFirst ? small : ResourceRequirement.of(128, 8, 2, 0), "the bytes of which differs: 64 on");
        mismatch(world, isFirst ? small : ResourceRequirement.of(64, 8, 5, 0), "the signals of which differs: 2 on");
        mismatch(world, isFirst ? small : ResourceRequirement.of(64, 8, 2, 3), "the counters of which differs: 0 on");
        mismatch(
                world,
                isFirst ? small : aligned,
                "the order, sizes or alignments of which differs between rank 0 and rank 1; this rank passes"
                        + " [resources {bytes 64, alignment " + (isFirst ? 8 : 64) + ", signals 2, counters 0}]");
    }

    private static void mismatch(World world, ResourceRequirement mine, String words) {
        assertThatThrownBy(() -> DeviceCommunicator.create(world, requirements().withResource(mine)))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("resourceRequirementsList, " + words);
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("more bytes, signals or counters in all requirements than a communicator can have are refused by name")
    void sums(World world) {
        ResourceRequirement half = ResourceRequirement.of(Long.MAX_VALUE / 2 + 1, 1, 1 << 30, 1 << 30);
        assertThatThrownBy(() -> DeviceCommunicator.create(
                        world, requirements().withResource(half).withResource(half)))
                .isInstanceOfSatisfying(
                        GinException.class, e -> assertThat(e.error()).isEqualTo(GinError.UNSUPPORTED))
                .hasMessageContaining("resourceRequirementsList, the bytes of which is 9223372036854775807");
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("a barrier of two stages that is refused at the second one gives the first one back")
    void stages(World world) {
        ResourceRequirement inner = ResourceRequirement.barriers(2, 1);
        ResourceRequirement outer = ResourceRequirement.barriers(1, 1);
        try (GinFixture fixture =
                GinFixture.open(world, asked -> asked.withResource(inner).withResource(outer))) {
            Gin gin = fixture.gin(0);
            Resources first = fixture.comm.resources(inner);
            Resources second = fixture.comm.resources(outer);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> fixture.comm.hybridBarrier(gin, fixture.all, first, fixture.all, second, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
            fixture.comm.barrier(gin, fixture.all, first, 1).close();
        }
    }
}

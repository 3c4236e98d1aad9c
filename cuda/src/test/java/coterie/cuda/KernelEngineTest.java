// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.Reduction;
import coterie.World;
import coterie.collective.CollectiveType;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.cuda.fake.FakeDriver;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// What the engine of kernels asks of a driver; [CollectivesOnDeviceTest] has what its kernels compute.
class KernelEngineTest {
    private static final int PARTS = KernelEngine.MAX_MEMBERS * Long.BYTES;

    private static EngineParts parts(CudaFixture fixture, String mode) {
        return new EngineParts(
                mode,
                () -> {
                    throw new CoterieException("no NCCL in this test");
                },
                () -> fixture.cuda.load((byte) 'k'),
                4096);
    }

    /// A driver whose modules have the kernels.
    private static FakeDriver driver() {
        FakeDriver driver = new FakeDriver();
        KernelSourceTest.names().forEach(name -> driver.kernel(name, PARTS, PARTS, 4, 4, 8));
        return driver;
    }

    @OneToFourPes
    @DisplayName("a reduction by kernels is one launch, and copies nothing")
    void launches(World world) {
        FakeDriver driver = driver();
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(fixture, "kernels"));
            assertThat(collectives.engine()).isEqualTo("kernels");
            DeviceMemory memory = fixture.cuda.allocate(world.team(), 8192);
            CudaStream stream = fixture.cuda.createStream();
            long copies = copies(driver);
            collectives.allReduce(stream, Reduction.SUM, ElementType.FLOAT, memory, 1024, memory, 0, 700);
            stream.synchronize();
            assertThat(driver.calls(DriverFunction.LAUNCH_KERNEL)).isEqualTo(1);
            assertThat(copies(driver)).isEqualTo(copies);
            collectives.close();
            memory.close();
        }
    }

    @OneToFourPes
    @DisplayName("what reduces nothing is moved by copies between the devices, without the host and without a kernel")
    void moves(World world) {
        FakeDriver driver = driver();
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(fixture, "kernels"));
            int last = world.size() - 1;
            try (CollectiveCheck check = new CollectiveCheck(fixture.cuda, world.team(), collectives, true)) {
                assertThat(check.device().isMappedByAll()).isTrue();
                for (CollectiveType type : List.of(
                        CollectiveType.BROADCAST,
                        CollectiveType.ALL_GATHER,
                        CollectiveType.GATHER,
                        CollectiveType.SCATTER,
                        CollectiveType.ALL_TO_ALL)) {
                    check.run(type, null, ElementType.INT, 33, last);
                    if (type != CollectiveType.ALL_TO_ALL) {
                        check.inPlace(type, null, ElementType.SHORT, 7, last);
                    }
                }
                assertThat(driver.calls(DriverFunction.LAUNCH_KERNEL)).isZero();
                assertThat(driver.calls(DriverFunction.MEMCPY)).isPositive();
                collectives.close();
            }
        }
    }

    private static long copies(FakeDriver driver) {
        return driver.calls(DriverFunction.MEMCPY)
                + driver.calls(DriverFunction.MEMCPY_TO_DEVICE)
                + driver.calls(DriverFunction.MEMCPY_TO_HOST);
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES)
    @DisplayName("if one member does not reach the memory of another, all of them go through the host")
    void unreachable(World world) {
        FakeDriver driver = driver();
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(fixture, "auto"));
            assertThat(collectives.engine()).isEqualTo("kernels");
            assertThat(collectives.reason()).contains("no NCCL, as PE 0: no NCCL in this test");
            if (world.pe() == 1) {
                driver.fail(DriverFunction.IPC_OPEN_MEM_HANDLE, DriverConstant.CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, 1);
            }
            try (CollectiveCheck check = new CollectiveCheck(fixture.cuda, world.team(), collectives, true)) {
                assertThat(check.device().isMappedByAll()).isFalse();
                long launches = driver.calls(DriverFunction.LAUNCH_KERNEL);
                check.run(CollectiveType.ALL_REDUCE, DeviceReduction.MAX, ElementType.LONG, 100, 0);
                check.run(CollectiveType.ALL_GATHER, null, ElementType.LONG, 100, 0);
                assertThat(driver.calls(DriverFunction.LAUNCH_KERNEL)).isEqualTo(launches);
                collectives.close();
            }
        }
    }
}

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
import org.junit.jupiter.api.DisplayName;

/// Collectives by kernels: the kernels' source, compiled for the host, over a model of the driver.
class KernelEngineTest {
    private static EngineParts parts(CudaFixture fixture, String mode) {
        return new EngineParts(
                mode,
                () -> {
                    throw new CoterieException("no NCCL in this test");
                },
                () -> fixture.cuda.load((byte) 'k'),
                4096);
    }

    @OneToFourPes
    @DisplayName("kernels give the bits of core's calls, for all types and reductions, apart and in place")
    void kernels(World world) {
        try (CudaFixture fixture = new CudaFixture(world, KernelsOnHost.driver(), CudaOptions.DEFAULT)) {
            DeviceCollectives collectives = fixture.cuda.collectives(world.team(), parts(fixture, "kernels"));
            assertThat(collectives.engine()).isEqualTo("kernels");
            try (CollectiveCheck check = new CollectiveCheck(fixture.cuda, world.team(), collectives, true)) {
                long copies = fixture.driver.calls(DriverFunction.MEMCPY_TO_HOST);
                check.run(CollectiveType.ALL_REDUCE, Reduction.SUM, ElementType.FLOAT, 700, 0);
                assertThat(fixture.driver.calls(DriverFunction.MEMCPY_TO_HOST))
                        .as("copies to the host beside the check's own")
                        .isEqualTo(copies + 1);
                check.all(900);
                collectives.close();
            }
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES)
    @DisplayName("if one member does not reach the memory of another, all of them go through the host")
    void unreachable(World world) {
        FakeDriver driver = KernelsOnHost.driver();
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
                check.run(CollectiveType.ALL_REDUCE, Reduction.MAX, ElementType.LONG, 100, 0);
                check.run(CollectiveType.ALL_GATHER, null, ElementType.LONG, 100, 0);
                assertThat(driver.calls(DriverFunction.LAUNCH_KERNEL)).isEqualTo(launches);
                collectives.close();
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.driver.DriverFunction;
import coterie.cuda.fake.FakeDriver;
import org.junit.jupiter.api.DisplayName;

/// What the driver refuses while another thread of the process captures.
class CapturedCloseTest {
    @OneToFourPes
    @DisplayName("memory freed during a capture of another thread is freed later: with the next, or at the end")
    void captured(World world) {
        FakeDriver driver = new FakeDriver();
        try (CudaFixture fixture = new CudaFixture(world, driver, CudaOptions.DEFAULT)) {
            for (int left = 0; left < 2; left++) {
                DeviceMemory first = fixture.cuda.allocate(world.team(), 64);
                DeviceMemory second = fixture.cuda.allocate(world.team(), 64);
                driver.fail(DriverFunction.MEM_FREE, DriverConstant.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 1 + left);
                first.free();
                assertThat(driver.live()).contains("allocations");
                second.free();
                assertThat(driver.live().contains("allocations")).isEqualTo(left > 0);
            }
            driver.fail(DriverFunction.MEM_ALLOC, DriverConstant.CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, 1);
            assertThatThrownBy(() -> fixture.cuda.allocate(world.team(), 64))
                    .isInstanceOf(CudaException.class)
                    .hasMessageContaining("capture with CaptureMode.THREAD_LOCAL");
        }
        assertThat(driver.live()).doesNotContain("allocations");
    }
}

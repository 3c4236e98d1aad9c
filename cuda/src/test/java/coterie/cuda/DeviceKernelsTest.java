// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.cuda.driver.DriverConstant;
import coterie.cuda.fake.FakeDriver;
import coterie.cuda.nvrtc.LibNvrtc;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.spi.FaceSupport;
import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import org.junit.jupiter.api.DisplayName;

/// Compiles kernels by the real compiler for a device that a model stands for.
@NeedsTools(Tool.NVRTC)
class DeviceKernelsTest {
    private static CudaFixture fixture(World world, FakeDriver driver) {
        return new CudaFixture(world, driver, CudaOptions.DEFAULT);
    }

    @SpmdTest(pes = 1, modes = SpmdMode.PROCESSES)
    @DisplayName("the kernels of collectives and of the device's tests compile")
    void compiles(World world) {
        try (CudaFixture fixture = fixture(world, new FakeDriver())) {
            KernelEngine.compile(fixture.cuda).close();
            Device.kernels(fixture.cuda).close();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.PROCESSES)
    @DisplayName("an error has the source's name, the line, the options and the log")
    void errors(World world) {
        try (CudaFixture fixture = fixture(world, new FakeDriver())) {
            assertThatThrownBy(() -> fixture.cuda.compile("wrong.cu", "\n__global__ void f() { undefined(); }"))
                    .isInstanceOfSatisfying(
                            CudaCompilationException.class,
                            e -> assertThat(e.log()).contains("undefined"))
                    .hasMessageContainingAll(
                            "compile on PE 0, device 0: \"wrong.cu\" has errors",
                            "--gpu-architecture=sm_90",
                            "wrong.cu(2): error");
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.PROCESSES)
    @DisplayName(
            "for a device newer than the compiler, the compiler makes PTX of the newest architecture that it knows")
    void newerDevice(World world) {
        FakeDriver driver = new FakeDriver().attribute(DriverConstant.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 99);
        try (CudaFixture fixture = fixture(world, driver)) {
            int newest = LibNvrtc.get(FaceSupport.of(world).setting("NVRTC_LIBRARY")).architectures().stream()
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElseThrow();
            assertThatThrownBy(() -> fixture.cuda.compile("wrong.cu", "wrong"))
                    .hasMessageContaining("--gpu-architecture=compute_" + newest);
        }
    }
}

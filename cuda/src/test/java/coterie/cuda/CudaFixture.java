// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.cuda.driver.LibCuda;
import coterie.cuda.fake.FakeDriver;
import coterie.spi.CloseListener;
import coterie.spi.FaceSupport;

/// A Cuda over a [FakeDriver], for a test. When the world has closed it checks that nothing is left of the
/// driver's objects, and that the driver has seen no misuse.
final class CudaFixture implements AutoCloseable, CloseListener {
    /// How many fixtures of this JVM are open, and how many registrations there were before the first of them. PEs
    /// that are threads have classes of their own, and share objects of the JDK.
    private static final int[] OPEN =
            (int[]) System.getProperties().computeIfAbsent("coterie.test.fake.fixtures", _ -> new int[2]);

    final World world;
    final FakeDriver driver;
    final Cuda cuda;

    CudaFixture(World world) {
        this(world, new FakeDriver(), CudaOptions.DEFAULT);
    }

    CudaFixture(World world, FakeDriver driver, CudaOptions options) {
        this.world = world;
        this.driver = driver;
        synchronized (OPEN) {
            if (OPEN[0]++ == 0) {
                OPEN[1] = FakeDriver.registrations();
            }
        }
        FaceSupport.of(world).addCloseListener(this); // before the Cuda's, so after it
        this.cuda = Cuda.open(world, options, LibCuda.over(driver));
    }

    int right() {
        return (world.pe() + 1) % world.size();
    }

    int left() {
        return (world.pe() + world.size() - 1) % world.size();
    }

    @Override
    public void close() {
        cuda.close();
    }

    @Override
    public void closed() {
        assertThat(driver.live())
                .as("objects of the driver that are not released")
                .isEmpty();
        assertThat(driver.violations()).as("misuse of the driver").isEmpty();
        synchronized (OPEN) {
            if (--OPEN[0] == 0) {
                assertThat(FakeDriver.registrations())
                        .as("registrations that are left")
                        .isEqualTo(OPEN[1]);
            }
        }
    }
}

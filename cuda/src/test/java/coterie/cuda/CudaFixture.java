// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.cuda.driver.LibCuda;
import coterie.cuda.fake.FakeDriver;

/// A Cuda over a [FakeDriver], for a test. At the close it checks that nothing is left of the driver's objects,
/// and that the driver has seen no misuse.
final class CudaFixture implements AutoCloseable {
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

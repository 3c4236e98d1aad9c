// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.Comparison;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.WaitTimeoutException;
import coterie.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Tests in simulated networks whose outcomes other tests assert.
final class SimulatedSamples {
    private SimulatedSamples() {}

    static class Counting {
        private static int performances;

        /// Leaves a file for each PE and run.
        @SpmdTest(pes = 3, modes = SpmdMode.SIM, seeds = 7)
        void counts(World world) throws IOException {
            performances++;
            Path folder = Path.of(System.getProperty(Samples.FOLDER));
            Files.createFile(folder.resolve(world.pe() + " " + performances));
            assertEquals(3, world.team().sum(1L));
        }
    }

    static class Racing {
        /// The order of events that comes without perturbations hides that nothing orders the two puts.
        @SpmdTest(modes = SpmdMode.SIM, seeds = 200)
        void putsWithoutFence(World world) {
            try (SymmetricMemory memory = world.allocate(2 * Long.BYTES)) {
                LongView longs = memory.longs();
                if (world.pe() == 0) {
                    longs.put(0, 42, 1);
                    longs.put(1, 1, 1);
                } else {
                    longs.waitUntil(1, Comparison.EQ, 1);
                    assertEquals(42, longs.get(0, 1), "the data is not there");
                }
            }
        }
    }

    static class Ending {
        @SpmdTest(modes = SpmdMode.SIM)
        void deadlocks(World world) {
            try (SymmetricMemory memory = world.allocate(Long.BYTES)) {
                if (world.pe() == 1) {
                    memory.longs().waitUntil(0, Comparison.EQ, 4711);
                }
            }
        }

        @SpmdTest(modes = SpmdMode.SIM)
        void isAborted(World world) {
            assumeTrue(world.pe() == 0, "PE 1 is not in the mood");
            world.team().barrier();
        }

        @SpmdTest(modes = SpmdMode.SIM)
        void exits(World world) {
            if (world.pe() == 1) {
                System.exit(9);
            }
            world.team().barrier();
        }

        /// More than the limit of the test, by the clock of the simulation only.
        @SpmdTest(modes = SpmdMode.SIM, seeds = 1, timeoutSeconds = 10)
        void waitsInVirtualTime(World world) {
            try (SymmetricMemory memory = world.allocate(Long.BYTES)) {
                assertThrows(
                        WaitTimeoutException.class,
                        () -> memory.longs().waitUntil(0, Comparison.EQ, 1, Duration.ofHours(1)));
            }
        }
    }

    static class WithoutSeeds {
        @SpmdTest(modes = SpmdMode.SIM, seeds = 0)
        void runs(World world) {}
    }
}

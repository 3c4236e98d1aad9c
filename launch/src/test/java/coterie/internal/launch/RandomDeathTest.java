// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A test kills the launcher or a PE at any time: nothing is left, and the exit code tells the cause.
class RandomDeathTest {
    private static final long LATEST_MILLIS = 800;

    static List<Long> few() {
        return List.of(1L, 2L, 3L, 4L, 5L, 6L);
    }

    static List<Long> many() {
        return LongStream.rangeClosed(1, 100).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("few")
    void killingAnyoneAtAnyMomentLeavesNothing(long seed) {
        kill(seed);
    }

    @Tag("soak")
    @ParameterizedTest
    @MethodSource("many")
    void killingAnyoneAtAnyMomentLeavesNothingAHundredTimes(long seed) {
        kill(seed);
    }

    private static void kill(long seed) {
        Random random = new Random(seed);
        boolean launcherDies = random.nextBoolean();
        PeMode mode = random.nextInt(4) == 0 ? PeMode.THREADS : PeMode.PROCESSES;
        try (Launch launch = Launch.start("pes=3 mode=" + mode, Programs.MeetsForever.class)) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextLong(LATEST_MILLIS)));
            List<Long> pes = launch.pes();
            if (launcherDies || pes.isEmpty()) {
                launch.launcher().destroyForcibly();
                launch.awaitEnd();
            } else {
                long victim = pes.get(random.nextInt(pes.size()));
                ProcessHandle.of(victim).ifPresent(ProcessHandle::destroyForcibly);
                assertThat(launch.awaitEnd()).isEqualTo(137);
                assertThat(launch.reports())
                        .singleElement()
                        .asString()
                        .contains("(pid " + victim + ") ended with exit code 137 (signal 9, KILL)");
            }
            launch.awaitNothingLeft();
        }
    }
}

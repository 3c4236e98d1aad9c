// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Reduction;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.internal.posix.Libc;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SuspendedPeTest {
    private static final int PES = 3;
    private static final int SIGCONT = 18;
    private static final int SIGSTOP = 19;
    private static final long SUSPENDED_NANOS = TimeUnit.SECONDS.toNanos(3);

    /// A little shorter than the suspension, since the others count from the call before it.
    private static final long NOTICED_NANOS = TimeUnit.MILLISECONDS.toNanos(2500);

    @ParameterizedTest
    @EnumSource
    @DisplayName("a PE that is suspended for 3 s has not failed: the others wait for it, and all go on")
    void theOthersWait(OnFailure onFailure) {
        try (Launch launch = Launch.start("input=NONE pes=" + PES + " onFailure=" + onFailure, MeetsUntilLate.class)) {
            Awaitility.await().until(() -> launch.out().size() >= PES);
            String line = launch.out().stream()
                    .filter(each -> each.startsWith("pid 1 "))
                    .findFirst()
                    .orElseThrow();
            long pid = Long.parseLong(line.substring("pid 1 ".length()));
            Libc.kill(pid, SIGSTOP);
            LockSupport.parkNanos(SUSPENDED_NANOS);
            Libc.kill(pid, SIGCONT);
            assertThat(launch.awaitEnd()).as("%s", launch.err()).isZero();
            assertThat(launch.out()).filteredOn("failed []"::equals).hasSize(PES);
            assertThat(launch.reports()).isEmpty();
        }
    }

    /// Barriers, sums and a lock, until a round has taken long: rounds follow each other without a gap, so that a
    /// suspension falls into one of them wherever it strikes.
    static final class MeetsUntilLate {
        public static void main(String[] args) {
            World world = World.join();
            Team team = world.team();
            SymmetricMemory block = world.allocate(2 * SymmetricLock.BYTES);
            SymmetricLock lock = block.lock(0);
            team.barrier();
            System.out.println(
                    "pid " + world.pe() + " " + ProcessHandle.current().pid());
            long rounds = 0;
            boolean isLate = false;
            long last = System.nanoTime();
            while (!isLate) {
                team.barrier();
                lock.lock();
                block.longs().put(1, block.longs().get(1, 0) + 1, 0);
                lock.unlock();
                rounds++;
                long now = System.nanoTime();
                isLate = team.allReduce(Reduction.MAX, now - last) > NOTICED_NANOS;
                last = now;
            }
            team.barrier();
            if (block.longs().get(1, 0) != rounds * PES) {
                throw new AssertionError("wrong count");
            }
            System.out.println("failed " + Arrays.toString(world.failedPes()));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import static coterie.internal.world.TestSettings.job;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.TestSettings;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(TestSettings.class)
class DeadLockHomeTest {
    private static final int PES = 3;

    /// The homes of locks take turns over the PEs, so that one of them is at the PE that dies.
    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "2, true", "0, false", "1, false", "2, false"})
    @DisplayName("a holder that dies in a queue of three leaves its locks to the others, wherever their homes are")
    void locksGoOn(int dying, boolean direct) {
        List<Integer> reported = new CopyOnWriteArrayList<>();
        try (LocalJob job = job(PES, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(PES * SymmetricLock.BYTES);
                List<SymmetricLock> locks = IntStream.range(0, PES)
                        .mapToObj(index -> block.lock(index * SymmetricLock.LONGS))
                        .toList();
                if (world.pe() == dying) {
                    locks.forEach(SymmetricLock::lock);
                }
                world.team().barrier();
                if (world.pe() == dying) {
                    IntStream.range(0, PES)
                            .filter(pe -> pe != dying)
                            .forEach(pe -> job.awaitWaiting(pe, OperationKind.LOCK));
                    throw new IllegalStateException("meant to fail");
                }
                for (SymmetricLock lock : locks) {
                    OptionalInt failed = lock.lockOrRecover();
                    failed.ifPresent(reported::add);
                    lock.unlock();
                }
                world.team().syncLiving();
                for (SymmetricLock lock : locks) {
                    lock.lock();
                    lock.unlock();
                }
            });
            assertThat(failures).containsOnlyKeys(dying);
            assertThat(reported).hasSize(PES).containsOnly(dying);
        }
    }
}

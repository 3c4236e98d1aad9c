// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.WaitSet;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.TestSettings;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("a wait that names the PEs that may write depends on these alone")
@ExtendWith(TestSettings.class)
class WrittenByTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("the failure of another PE does not end it, the failure of a named one does")
    void dependsOnWriters(boolean direct) {
        setLoadStore(direct);
        try (LocalJob job = new LocalJob(4)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory memory = world.allocate(64);
                LongView longs = memory.longs();
                world.team().barrier();
                job.meet();
                switch (world.pe()) {
                    case 0 -> {
                        assertThat(longs.writtenBy(2).waitUntil(0, Comparison.NE, 0))
                                .isEqualTo(5);
                        assertThat(memory.signal(1).writtenBy(2).waitUntil(Comparison.GE, 6))
                                .isEqualTo(6);
                        WaitSet set = longs.writtenBy(2, 3).waitSet(0, 4);
                        assertThat(set.waitAny(Comparison.EQ, 7)).isEqualTo(2);
                        assertLost(() -> longs.writtenBy(1).waitUntil(3, Comparison.NE, 0));
                        assertLost(() -> memory.signal(3).writtenBy(3, 1).waitUntil(Comparison.NE, 0));
                        assertLost(() -> longs.writtenBy(1).waitSet(3, 2).waitAll(Comparison.NE, 0));
                        assertLost(() ->
                                longs.writtenBy(1).through(world.context()).waitUntil(3, Comparison.NE, 0));
                        assertThatThrownBy(() -> longs.writtenBy(4)).isInstanceOf(IndexOutOfBoundsException.class);
                    }
                    case 1 -> {
                        job.awaitWaiting(0, OperationKind.WORD);
                        throw new AssertionError("PE 1 fails");
                    }
                    case 2 -> {
                        while (world.failedPes().length == 0) {
                            Thread.onSpinWait();
                        }
                        longs.put(0, 5, 0);
                        memory.signal(1).set(6, 0);
                        longs.put(2, 7, 0);
                    }
                    default -> {}
                }
                world.team().syncLiving();
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    private static void assertLost(Runnable wait) {
        assertThatThrownBy(wait::run)
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).containsExactly(1));
    }
}

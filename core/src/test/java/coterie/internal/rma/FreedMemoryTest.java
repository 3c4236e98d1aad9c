// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.StatusField;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.TestSettings;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("a wait ends with an error when its memory is freed, and does not wake on the next block there")
@ExtendWith(TestSettings.class)
class FreedMemoryTest {
    enum Wait {
        WORD(OperationKind.WORD),
        SIGNAL(OperationKind.WORD),
        SET(OperationKind.WORDS),
        LOCK(OperationKind.LOCK);

        final OperationKind kind;

        Wait(OperationKind kind) {
            this.kind = kind;
        }

        void run(SymmetricMemory memory) {
            switch (this) {
                case WORD -> memory.longs().waitUntil(0, Comparison.EQ, 7);
                case SIGNAL -> memory.signal(0).waitUntil(Comparison.EQ, 7);
                case SET -> memory.longs().waitSet(0, 1).waitAny(Comparison.EQ, 7);
                case LOCK -> memory.lock(1).lock();
            }
        }
    }

    enum End {
        FREED,
        WORLD_CLOSED
    }

    static Stream<Arguments> cases() {
        return Arrays.stream(Wait.values())
                .flatMap(wait -> Arrays.stream(End.values())
                        .flatMap(end -> Stream.of(true, false).map(direct -> Arguments.of(wait, end, direct))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void ends(Wait wait, End end, boolean direct) {
        setLoadStore(direct);
        try (LocalJob job = new LocalJob(2)) {
            job.failures(world -> {
                        SymmetricMemory memory = world.allocate(64);
                        FutureTask<Boolean> waiter = new FutureTask<>(() -> {
                            assertThatThrownBy(() -> wait.run(memory))
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining("freed");
                            return true;
                        });
                        if (world.pe() == 1 && wait == Wait.LOCK) {
                            memory.lock(1).lock();
                        }
                        world.team().barrier();
                        if (world.pe() == 0) {
                            new Thread(waiter).start();
                            awaitWaiting(job.segment(), wait.kind);
                        }
                        world.team().sync();
                        if (end == End.WORLD_CLOSED) {
                            world.close();
                        } else if (wait != Wait.LOCK) {
                            memory.close();
                            world.allocate(64).longs().set(0, 7);
                        }
                        if (end == End.FREED && wait == Wait.LOCK) {
                            assertThatThrownBy(memory::close)
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining(
                                            "PE 1 has a request in progress on it, or holds a lock in it");
                            world.close();
                        }
                        if (world.pe() == 0) {
                            assertThat(waiter.get()).isTrue();
                        }
                    })
                    .forEach((pe, thrown) -> {
                        throw new AssertionError("PE " + pe, thrown);
                    });
        }
    }

    @Test
    @DisplayName("a block with a lock that a PE holds is freed only when the PE has released it")
    void heldLock() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                SymmetricMemory memory = world.allocate(64);
                SymmetricLock lock = memory.lock(0);
                if (world.pe() == 0) {
                    lock.lock();
                }
                assertThatThrownBy(memory::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("PE 0 has a request in progress on it, or holds a lock in it");
                if (world.pe() == 0) {
                    lock.unlock();
                }
                memory.close();
            });
        }
    }

    private static void awaitWaiting(JobSegment job, OperationKind kind) {
        while (OperationKind.of(job.status(0).get(StatusField.WAIT_KIND)) != kind) {
            Thread.onSpinWait();
        }
    }
}

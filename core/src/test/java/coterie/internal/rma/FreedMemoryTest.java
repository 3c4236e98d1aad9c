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
import org.junit.jupiter.params.provider.ValueSource;

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
                                    .hasMessageContaining("on PE " + world.pe())
                                    .hasMessageContaining("this PE holds the lock at index 1 of it, the word at byte 8")
                                    .hasMessageContaining("or waits for it");
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
    @DisplayName("a PE that holds a lock can close the block only when it has released it; others can, and free can not")
    void heldLock() {
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                SymmetricMemory memory = world.allocate(64);
                SymmetricLock lock = memory.lock(0);
                if (world.pe() == 0) {
                    lock.lock();
                }
                assertThatThrownBy(memory::free)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("PE 0 holds the lock at index 0 of it, the word at byte 0, or");
                if (world.pe() == 0) {
                    assertThatThrownBy(memory::close)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("this PE holds the lock at index 0 of it, the word at byte 0, or");
                    lock.unlock();
                }
                memory.close();
            });
        }
    }

    @Test
    @DisplayName("a PE closes a block while another one waits for the lock that it has used")
    void lockAfterClose() {
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                SymmetricMemory memory = world.allocate(64);
                SymmetricLock lock = memory.lock(0);
                if (world.pe() == 0) {
                    lock.lock();
                }
                world.team().barrier();
                if (world.pe() != 0) {
                    lock.lock();
                }
                lock.unlock();
                memory.close();
                assertThatThrownBy(lock::lock)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("freed");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 46, -1, 0x5555_5555_5555_5555L, 2, 1L << 63, 1L << 32 | 1L << 45})
    @DisplayName("a lock's word may be data once the lock is free: the block is freed, whatever the word is")
    void lockWordsAreData(long data) {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                SymmetricMemory memory = world.allocate(64);
                SymmetricLock lock = memory.lock(0);
                lock.lock();
                lock.unlock();
                world.team().barrier();
                memory.longs().set(0, data);
                world.team().barrier();
                memory.close();
            });
        }
    }

    @Test
    @DisplayName("a lock whose words the program has overwritten while it held it ends with its unlock, which throws")
    void overwrittenLock() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                SymmetricMemory memory = world.allocate(64);
                SymmetricLock lock = memory.lock(0);
                if (world.pe() == 0) {
                    lock.lock();
                    memory.longs().set(0, 0);
                }
                if (world.pe() == 0) {
                    assertThatThrownBy(memory::close).hasMessageContaining("this PE holds the lock at index 0");
                    assertThatThrownBy(lock::unlock).hasMessageContaining("does not hold it");
                }
                memory.close();
            });
        }
    }

    @Test
    @DisplayName("all objects for one lock are one lock: other handles, slices, and the block after a reallocation")
    void oneLockOfManyHandles() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                SymmetricMemory first = world.allocate(64);
                if (world.pe() == 0) {
                    assertThat(first.slice(16, 48).lock(1).tryLock()).isTrue();
                }
                SymmetricMemory grown = first.reallocate(1 << 20);
                assertThatThrownBy(grown::free).hasMessageContaining("PE 0 holds the lock at index 3 of it");
                if (world.pe() == 0) {
                    assertThatThrownBy(grown::close).hasMessageContaining("this PE holds the lock at index 3 of it");
                    grown.lock(3).unlock();
                }
                grown.close();
            });
        }
    }

    private static void awaitWaiting(JobSegment job, OperationKind kind) {
        while (OperationKind.of(job.status(0).get(StatusField.WAIT_KIND)) != kind) {
            Thread.onSpinWait();
        }
    }
}

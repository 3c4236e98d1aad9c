// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.DeadlockException;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.ThreadLevel;
import coterie.WaitTimeoutException;
import coterie.World;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The effects of the network's settings on a program, and the reports of programs that can't end.
class ModesTest {
    @Test
    void aDeadlockEndsAtOnceAndSaysWhoWaitsForWhat() {
        Map<Integer, Throwable> failures = SimJob.run(3, "seed=1", world -> {
                    try (SymmetricMemory memory = world.allocate(8)) {
                        if (world.pe() == 1) {
                            memory.longs().waitUntil(0, Comparison.EQ, 1);
                        }
                        world.team().barrier();
                    }
                })
                .failures();
        assertThat(failures).hasSize(3);
        assertThat(failures.get(0))
                .isInstanceOf(DeadlockException.class)
                .hasMessageContaining("PE 0 barrier")
                .hasMessageContaining("PE 1 waitUntil")
                .hasMessageContaining("PE 2 barrier");
    }

    @Test
    void pollingForWhatCannotComeIsADeadlockToo() {
        Map<Integer, Throwable> failures = SimJob.run(2, "", world -> {
                    try (SymmetricMemory memory = world.allocate(8)) {
                        while (world.pe() == 0 && !memory.longs().test(0, Comparison.EQ, 1)) {
                            Thread.onSpinWait();
                        }
                        world.team().barrier();
                    }
                })
                .failures();
        assertThat(failures.get(0))
                .isInstanceOf(DeadlockException.class)
                .hasMessageContaining("PE 0 polls for a change that can't happen");
    }

    @Test
    void aPeThatSpinsOutsideOfTheWaitingRoomIsNamed() {
        List<String> printed = new CopyOnWriteArrayList<>();
        Map<Integer, Throwable> failures = SimJob.runPrinting(3, "watchdog=1", printed, world -> {
                    while (world.pe() == 1 && printed.isEmpty()) {
                        Thread.onSpinWait();
                    }
                    world.team().barrier();
                })
                .failures();
        assertThat(failures).isEmpty();
        assertThat(printed)
                .singleElement()
                .asString()
                .startsWith("PE 1 spins or computes without calling the runtime: for 1 s ")
                .contains("at coterie.sim.ModesTest.");
    }

    @Test
    void virtualTimeDoesNotOvertakeThreadsOfTheProgram() {
        long[] nanos = new long[1];
        Map<Integer, Throwable> failures = SimJob.runAt(ThreadLevel.MULTIPLE, 1, "", world -> {
                    try (SymmetricMemory memory = world.allocate(8)) {
                        FutureTask<Void> waits = new FutureTask<>(() -> {
                            long begin = System.nanoTime();
                            assertThatThrownBy(
                                            () -> memory.longs().waitUntil(0, Comparison.EQ, 1, Duration.ofMillis(100)))
                                    .isInstanceOf(WaitTimeoutException.class);
                            nanos[0] = System.nanoTime() - begin;
                            return null;
                        });
                        new Thread(waits).start();
                        waits.get();
                    }
                })
                .failures();
        assertThat(failures).isEmpty();
        assertThat(nanos[0]).as("real time").isGreaterThan(90_000_000);
    }

    @Test
    @Timeout(60) // seconds, and an hour passes for the PEs
    void aDeadlineIsVirtualTime() {
        Map<Integer, Throwable> failures = SimJob.run(2, "", world -> {
                    try (SymmetricMemory memory = world.allocate(8)) {
                        memory.longs().waitUntil(0, Comparison.EQ, 1, Duration.ofHours(1));
                    }
                })
                .failures();
        assertThat(failures.values())
                .hasSize(2)
                .allSatisfy(thrown -> assertThat(thrown).isInstanceOf(WaitTimeoutException.class));
    }

    @Test
    void aCutLinkLosesWhatItShouldCarry() {
        Map<Integer, Throwable> failures =
                SimJob.run(3, "cut=0-2@0", world -> world.team().barrier()).failures();
        assertThat(failures.get(0))
                .isInstanceOf(DeadlockException.class)
                .hasMessageContaining("messages lost by cut links: ");
    }

    @Test
    void aLinkThatComesBackCarriesOn() {
        assertThat(SimJob.run(3, "cut=0-2@0..1000000", world -> world.team().barrier())
                        .failures())
                .isEmpty();
    }

    @Test
    void aPeDiesAtItsStepAndTheOthersLearnOfIt() {
        Map<Integer, Throwable> failures = SimJob.run(3, "die=1@30", world -> {
                    for (int round = 0; round < 100; round++) {
                        world.team().barrier();
                    }
                })
                .failures();
        assertThat(failures.keySet()).containsExactly(0, 2);
        assertThat(failures.values())
                .allSatisfy(thrown -> assertThat(thrown)
                        .isInstanceOf(PeFailedException.class)
                        .hasMessageContaining("PE 1 failed (exit code 137)"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pressure=1", "pressure=3,seed=2", "mtu=64,seed=3", "slow=1:100", "slow=0:50,seed=4"})
    void nothingIsLost(String script) {
        assertThat(SimJob.run(List.of(0, 0, 1), script, ModesTest::manyPuts).failures())
                .isEmpty();
    }

    private static void manyPuts(World world) {
        try (SymmetricMemory memory = world.allocate(1 << 16);
                Arena arena = Arena.ofConfined()) {
            int next = (world.pe() + 1) % world.size();
            MemorySegment from = arena.allocate(1 << 12);
            MemorySegment back = arena.allocate(1 << 12);
            for (int i = 0; i < 512; i++) {
                from.set(ValueLayout.JAVA_LONG, i * 8L, 1000L * world.pe() + i);
            }
            for (int i = 0; i < 512; i++) {
                memory.longs().putNbi(i, from, i, 1, next);
            }
            memory.longs().putNbi(1024, from, 0, 512, next);
            memory.longs().put(2048, from, 0, 512, next);
            world.context().quiet();
            memory.longs().getNbi(1024, back, 0, 512, next);
            world.context().quiet();
            assertThat(back.mismatch(from)).isEqualTo(-1);
            world.team().barrier();
            int before = (world.pe() + world.size() - 1) % world.size();
            for (int i = 0; i < 512; i++) {
                assertThat(memory.longs().get(i)).isEqualTo(1000L * before + i);
                assertThat(memory.longs().get(2048 + i)).isEqualTo(1000L * before + i);
            }
            world.team().barrier();
        }
    }

    @Test
    void aBlockingPutHasTakenItsSourceAndOneThatDoesNotBlockHasNot() {
        assertThat(SimJob.run(2, "", world -> {
                            try (SymmetricMemory memory = world.allocate(64)) {
                                MemorySegment from = Arena.ofAuto().allocate(16);
                                if (world.pe() == 0) {
                                    from.set(ValueLayout.JAVA_LONG, 0, 1);
                                    from.set(ValueLayout.JAVA_LONG, 8, 1);
                                    memory.longs().put(0, from, 0, 1, 1);
                                    memory.longs().putNbi(1, from, 1, 1, 1);
                                    from.fill((byte) 0);
                                    world.context().quiet();
                                }
                                world.team().barrier();
                                if (world.pe() == 1) {
                                    assertThat(memory.longs().get(0)).isEqualTo(1);
                                    assertThat(memory.longs().get(1)).isZero();
                                }
                                world.team().barrier();
                            }
                        })
                        .failures())
                .isEmpty();
    }

    @Test
    void threadsOfAPeTakeTurnsWithItsMainThread() {
        assertThat(SimJob.runAt(ThreadLevel.MULTIPLE, 2, "seed=5", world -> {
                            try (SymmetricMemory memory = world.allocate(64)) {
                                Thread helper = new Thread(() -> {
                                    memory.longs().add(0, 1, 1 - world.pe());
                                    memory.signal(1).waitUntil(Comparison.EQ, 1);
                                });
                                helper.start();
                                memory.longs().waitUntil(0, Comparison.EQ, 1);
                                memory.signal(1).set(1, 1 - world.pe());
                                helper.join();
                                world.team().barrier();
                            }
                        })
                        .failures())
                .isEmpty();
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CoterieException;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.ThreadLevel;
import coterie.World;
import coterie.internal.memory.StatusField;
import coterie.internal.wait.OperationKind;
import coterie.spi.PeState;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorldTest {
    @Test
    void aStrayReaderFindsZerosAfterTheWorldHasClosed() {
        try (LocalJob job = new LocalJob(2)) {
            MemorySegment[] stray = new MemorySegment[2];
            job.run(world -> {
                SymmetricMemory memory = world.allocate(1 << 20);
                stray[world.pe()] = memory.segment();
                memory.segment().fill((byte) 1);
                world.team().barrier();
            });
            for (MemorySegment segment : stray) {
                assertThat(segment.get(JAVA_LONG, 0)).isZero();
                segment.set(JAVA_LONG, 8, 1);
            }
        }
    }

    @Test
    void aPeJoinsAgainAfterItHasClosedAndFindsFreshMemory() {
        try (LocalJob job = new LocalJob(3)) {
            job.run(first -> {
                World world = first;
                for (int round = 0; round < 20; round++) {
                    SymmetricMemory memory = world.allocate(4096);
                    assertThat(memory.segment().get(JAVA_LONG, 0)).isZero();
                    world.team().barrier();
                    memory.longs().put(0, round + 1, (world.pe() + 1) % world.size());
                    world.team().barrier();
                    assertThat(memory.segment().get(JAVA_LONG, 0)).isEqualTo(round + 1);
                    world.close();
                    world = World.join();
                }
                world.close();
            });
            assertThat(job.segment().status(1).get(StatusField.WORLDS)).isEqualTo(21);
            assertThat(job.segment().status(1).state()).isEqualTo(PeState.CLOSED);
        }
    }

    @Test
    void everyWorldOfAPeHasItsHeapsAtTheSameAddresses() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(first -> {
                World world = first;
                Set<Long> addresses = new HashSet<>();
                for (int round = 0; round < 5; round++) {
                    addresses.add(world.allocate(64).segment().address());
                    world.close();
                    world = World.join();
                }
                world.close();
                assertThat(addresses).hasSize(1);
            });
        }
    }

    @Test
    void worldsOfTwoJobsInOneJvmDoNotMeet() {
        try (LocalJob job = new LocalJob(1);
                LocalJob otherJob = new LocalJob(1)) {
            job.run(one -> {
                SymmetricMemory mine = one.allocate(64);
                otherJob.run(other -> {
                    one.team().barrier();
                    other.team().barrier();
                    assertThatThrownBy(() -> mine.longs().through(other.context()))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining("not a context of this world");
                });
            });
        }
    }

    @Test
    void aPlainStartIsAJobOfOneThatAllItsThreadsShareAndThatOpensAgain() throws InterruptedException {
        for (int round = 0; round < 3; round++) {
            assertThat(World.isJoined()).isFalse();
            try (World outer = World.join()) {
                SymmetricMemory memory = outer.allocate(64);
                memory.longs().put(0, 42, 0);
                assertThat(outer.size()).isEqualTo(1);
                Thread virtual = Thread.ofVirtual().start(() -> {
                    try (World inner = World.join()) {
                        LongView longs = memory.longs().through(inner.context());
                        longs.put(1, longs.get(0, 0) + 1, 0);
                    }
                });
                virtual.join();
                assertThat(memory.longs().get(1, 0)).isEqualTo(43);
                assertThat(World.isJoined()).isTrue();
            }
        }
        assertThat(World.isJoined()).isFalse();
    }

    @Test
    void threadsThatJoinAtOnceGetOneWorld() {
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                world.close();
                Queue<World> joined = new ConcurrentLinkedQueue<>();
                List<Thread> threads = Stream.generate(() -> new Thread(() -> joined.add(World.join())))
                        .limit(8)
                        .toList();
                threads.forEach(Thread::start);
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(joined).hasSize(8);
                assertThat(joined.stream().map(World::team).distinct()).hasSize(1);
                joined.forEach(World::close);
                assertThat(World.isJoined()).isFalse();
                assertThat(job.segment().status(0).get(StatusField.WORLDS)).isEqualTo(2);
            });
        }
    }

    @Test
    void aJoinThatWasNotUndoneIsLeftOverAndTheWorldsOwnCloseEndsAll() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                World inner = World.join();
                assertThat(PeWorld.of(world).leftovers()).isEqualTo("1 more joins than closes of the world");
                PeWorld.of(world).close();
                assertThat(World.isJoined()).isFalse();
                inner.close();
                assertThatThrownBy(() -> inner.team().barrier())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("the world was closed");
            });
        }
    }

    @Test
    void theWorldsOwnCloseMayComeFromAnyThread() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(first -> {
                first.close();
                Thread other = new Thread(() -> World.join(ThreadLevel.FUNNELED));
                other.start();
                other.join();
                World world = World.join();
                assertThat(PeWorld.of(world).confinedTo()).isSameAs(other);
                assertThatThrownBy(world::close).isInstanceOf(WrongThreadException.class);
                PeWorld.of(world).close();
                world.close();
                assertThat(World.isJoined()).isFalse();
            });
        }
    }

    @Test
    void twoThreadsInATeamsCollectivesAreToldSoBeforeTheyHarm() {
        try (LocalJob job = new LocalJob(2)) {
            Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
            AtomicBoolean told = new AtomicBoolean();
            job.run(world -> {
                if (world.pe() == 0) {
                    Thread intruder = new Thread(() -> {
                        job.awaitWaiting(0, OperationKind.BARRIER);
                        failures.add(catchThrowable(() -> world.team().sum(1L)));
                        failures.add(catchThrowable(() -> world.allocate(64)));
                        failures.add(catchThrowable(world::close));
                        failures.add(
                                catchThrowable(() -> PeWorld.of(world).team().barrier()));
                        told.set(true);
                    });
                    intruder.setName("intruder");
                    intruder.start();
                    Thread.currentThread().setName("first");
                } else {
                    while (!told.get()) {
                        Thread.onSpinWait();
                    }
                }
                world.team().barrier();
                assertThat(world.team().sum(1L)).isEqualTo(2);
            });
            assertThat(failures)
                    .hasSize(4)
                    .allSatisfy(failure -> assertThat(failure)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContainingAll("on team \"world\", PE 0", "intruder", "first", "one at a time"));
        }
    }

    @Test
    void joiningAWorldThatIsBeingClosedIsRefused() {
        try (LocalJob job = new LocalJob(2)) {
            Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
            AtomicBoolean told = new AtomicBoolean();
            job.run(world -> {
                if (world.pe() == 0) {
                    new Thread(() -> {
                                job.awaitWaiting(0, OperationKind.CLOSE);
                                failures.add(catchThrowable(World::join));
                                told.set(true);
                            })
                            .start();
                } else {
                    while (!told.get()) {
                        Thread.onSpinWait();
                    }
                }
            });
            assertThat(failures)
                    .singleElement()
                    .satisfies(failure -> assertThat(failure).hasMessageContaining("another thread is closing"));
        }
    }

    @Test
    void countersReachTheStatusPageOnClose() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                try (SymmetricMemory memory = world.allocate(64)) {
                    for (int i = 0; i < 10; i++) {
                        memory.longs().put(0, i, 0);
                        memory.longs().getAndAdd(1, i, 0);
                    }
                }
            });
            assertThat(job.segment().status(1).get(StatusField.PUTS)).isEqualTo(10);
            assertThat(job.segment().status(1).get(StatusField.PUT_BYTES)).isEqualTo(80);
            assertThat(job.segment().status(1).get(StatusField.ATOMICS)).isEqualTo(10);
        }
    }

    @ParameterizedTest
    @CsvSource({"-1,4", "4,4", "two,4", ",4", "0,", "0,none"})
    void anEnvironmentThatMakesNoSenseIsRefusedByName(String pe, String size) {
        Map<String, String> environment = new HashMap<>();
        environment.put("COTERIE_SEGMENT", "/proc/1/fd/3");
        environment.put("COTERIE_PE", pe);
        environment.put("COTERIE_SIZE", size);
        environment.values().removeIf(Objects::isNull);
        assertThatThrownBy(() -> JobEnvironment.read(environment))
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("COTERIE_")
                .hasMessageContaining("numbers in [");
    }

    @Test
    void withoutASegmentTheEnvironmentNamesNoJob() {
        assertThat(JobEnvironment.read(Map.of("COTERIE_PE", "0"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "many", "10000000000"})
    void aSettingThatMakesNoSenseIsRefusedByName(String value) {
        System.setProperty(Setting.SPINS.property(), value);
        try {
            assertThatThrownBy(Setting.SPINS::number)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("setting SPINS: \"" + value + "\" (from coterie.spins)");
        } finally {
            System.clearProperty(Setting.SPINS.property());
        }
    }
}

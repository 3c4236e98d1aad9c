// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.Context;
import coterie.Reduction;
import coterie.SessionOption;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.ThreadLevel;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;

/// Joining and closing the world: how often, at which level of threads, and in what order.
class WorldConformanceTest {
    private static final int ROUNDS = 50;

    @EverySize
    @DisplayName("SH-I1 whether a PE has joined: no before, yes until the last close, no after; any thread may ask")
    void tellsWhetherItHasJoined() throws Exception {
        assertThat(World.isJoined()).isFalse();
        World outer = World.join();
        assertThat(World.isJoined()).isTrue();
        try (World inner = World.join()) {
            assertThat(inner.size()).isEqualTo(outer.size());
        }
        assertThat(World.isJoined()).isTrue();
        assertThat(inAnotherThread(World::isJoined)).isTrue();
        outer.close();
        assertThat(World.isJoined()).isFalse();
        assertThat(inAnotherThread(World::isJoined)).isFalse();
    }

    @SpmdTest(pes = {1, 3})
    @DisplayName("a virtual thread belongs to the PE that has started it, a pool of the JDK's to the only PE, or none")
    void threadsOfTheJdkFindTheirPe(World world) throws Exception {
        boolean alone;
        try (SymmetricMemory pid = world.allocate(Long.BYTES)) {
            pid.segment().set(JAVA_LONG, 0, ProcessHandle.current().pid());
            world.team().barrier();
            long neighbour = pid.longs().get(0, (world.pe() + 1) % world.size());
            alone = world.size() == 1 || neighbour != ProcessHandle.current().pid();
        }
        FutureTask<World> joining = new FutureTask<>(World::join);
        Thread.ofVirtual().start(joining);
        assertThat(joining.get().pe()).isEqualTo(world.pe());
        joining.get().close();
        ForkJoinPool pool = ForkJoinPool.commonPool();
        assertThat(pool.submit(() -> World.isJoined()).get()).isEqualTo(alone);
        if (!alone) {
            assertThatThrownBy(() -> pool.submit(() -> World.join()).get())
                    .hasMessageContaining("the thread belongs to none of the 3 PEs of this process");
        }
    }

    @EverySize
    @DisplayName("SH-I3 a join at another level than the first gets the level in force; each level can be the first")
    void theFirstJoinDecidesTheLevel() {
        for (ThreadLevel first : ThreadLevel.values()) {
            try (World world = World.join(first)) {
                assertThat(world.threadLevel()).isEqualTo(first);
                for (ThreadLevel next : ThreadLevel.values()) {
                    try (World nested = World.join(next)) {
                        assertThat(nested.threadLevel()).isEqualTo(first);
                    }
                }
                try (World nested = World.join()) {
                    assertThat(nested.threadLevel()).isEqualTo(first);
                }
            }
        }
        try (World world = World.join()) {
            assertThat(world.threadLevel()).isEqualTo(ThreadLevel.MULTIPLE);
        }
    }

    @EverySize
    @DisplayName("a close that is not the last is a barrier that completes puts, and frees nothing")
    void nestedClosesAreBarriers(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory outer = world.allocate(Long.BYTES)) {
            SymmetricMemory left = null;
            for (int round = 1; round <= 20; round++) {
                try (World nested = World.join()) {
                    left = left == null ? nested.allocate(Long.BYTES) : left;
                    outer.longs().put(0, round, right);
                    left.longs().put(0, -round, right);
                }
                assertThat(outer.segment().get(JAVA_LONG, 0)).isEqualTo(round);
                assertThat(left.segment().get(JAVA_LONG, 0)).isEqualTo(-round);
                World.join().close(); // a barrier: no PE puts before all have read
            }
            if (left != null) {
                left.close();
            }
        }
    }

    @EverySize
    @DisplayName("closing one handle again does nothing: it can't undo another's join, nor end the world")
    void aSecondCloseDoesNothing() {
        World first = World.join();
        World second = World.join();
        World third = World.join();
        second.close();
        second.close();
        first.close();
        first.close();
        second.close();
        third.team().barrier();
        assertThat(World.isJoined()).isTrue();
        third.close();
        assertThat(World.isJoined()).isFalse();
        third.close();
        try (World again = World.join()) {
            first.close();
            third.close();
            again.team().barrier();
        }
    }

    @EverySize
    @DisplayName("at SINGLE and FUNNELED collectives are left to the thread that joined; others harm nothing")
    void confinedWorldsRefuseOtherThreads() throws Exception {
        for (ThreadLevel level : List.of(ThreadLevel.SINGLE, ThreadLevel.FUNNELED)) {
            World world = World.join(level);
            SymmetricMemory memory = world.allocate(64);
            World nested = inAnotherThread(World::join);
            List<Throwable> thrown = inAnotherThread(() -> Stream.<Runnable>of(
                            () -> world.team().barrier(),
                            () -> world.team().sum(1L),
                            () -> world.team().broadcast(memory.bytes(), 0, memory.bytes(), 0, 64, 0),
                            () -> world.allocate(64),
                            memory::close,
                            nested::close,
                            world::close)
                    .map(call -> catchThrowable(call::run))
                    .toList());
            assertThat(thrown)
                    .allSatisfy(refusal -> assertThat(refusal)
                            .isInstanceOf(WrongThreadException.class)
                            .hasMessageContainingAll(
                                    "on team \"world\", PE " + world.pe(), "other", "SERIALIZED or MULTIPLE"));
            assertThat(world.team().sum(1L)).isEqualTo(world.size());
            memory.close();
            nested.close();
            world.close();
            assertThat(World.isJoined()).isFalse();
        }
    }

    @EverySize
    @DisplayName("at SERIALIZED and MULTIPLE threads take turns at collectives, and at closing")
    void threadsTakeTurns() throws Exception {
        for (ThreadLevel level : List.of(ThreadLevel.SERIALIZED, ThreadLevel.MULTIPLE)) {
            World world = World.join(level);
            for (int round = 0; round < 10; round++) {
                assertThat(inAnotherThread(() -> world.team().sum(2L))).isEqualTo(2L * world.size());
                assertThat(world.team().sum(3L)).isEqualTo(3L * world.size());
            }
            inAnotherThread(() -> {
                try (SymmetricMemory memory = world.allocate(64)) {
                    memory.longs().put(0, 1, 0);
                }
                world.close();
                return true;
            });
            assertThat(World.isJoined()).isFalse();
        }
    }

    @EverySize
    @DisplayName("NV-9 a PE joins, allocates, puts and closes as often as it likes; each world's memory begins at zero")
    void joinsAgainAndAgain() {
        for (int round = 1; round <= ROUNDS; round++) {
            oneRound(round);
        }
    }

    @EverySize
    @DisplayName("NV-9 a close ends teams, contexts in a session, requests, memory and puts that the program has left;"
            + " the next world has none of them")
    void closesEndAll() {
        for (int round = 1; round <= 4; round++) {
            allIsLeft(round);
        }
    }

    @SpmdTest(
            pes = {1, 2, 3, 4, 8},
            modes = SpmdMode.PROCESSES)
    @DisplayName("NV-9 nothing grows with the number of worlds: neither descriptors nor mappings")
    void worldsLeaveNothingBehind() throws IOException {
        for (int round = 1; round <= 10; round++) {
            oneRound(round);
        }
        allIsLeft(0);
        long descriptors = descriptors();
        long mappings = mappings();
        for (int round = 11; round <= ROUNDS; round++) {
            oneRound(round);
        }
        for (int round = 1; round <= 4; round++) {
            allIsLeft(round);
        }
        assertThat(descriptors()).as("descriptors").isEqualTo(descriptors);
        assertThat(mappings()).as("mappings").isEqualTo(mappings);
    }

    private static <T> T inAnotherThread(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        new Thread(task, "other").start();
        return task.get();
    }

    private static void oneRound(int round) {
        try (World world = World.join()) {
            SymmetricMemory memory = world.allocate(4096);
            assertThat(memory.segment().toArray(JAVA_LONG)).containsOnly(0);
            world.team().barrier();
            memory.longs().put(1, round, (world.pe() + 1) % world.size());
            world.team().barrier();
            assertThat(memory.segment().get(JAVA_LONG, 8)).isEqualTo(round);
        }
    }

    /// A world whose close ends teams, a context in a session, a request, memory and a put under way.
    private static void allIsLeft(int round) {
        List<Team> teams;
        try (World world = World.join()) {
            assertThat(world.heapStatistics().usedBytes()).isZero();
            SymmetricMemory memory = world.allocate(4096);
            assertThat(memory.segment().toArray(JAVA_LONG)).containsOnly(0);
            Team copy = world.team().duplicate();
            Team reversed = copy.splitStrided(world.size() - 1, world.size() == 1 ? 1 : -1, world.size());
            teams = List.of(copy, reversed);
            Request sum = reversed.prepare(Collective.allReduce(Reduction.SUM)
                    .source(memory.longs(), 1, 1)
                    .target(memory.longs(), 2, 1)
                    .persistent());
            memory.longs().set(1, round);
            sum.post();
            sum.await();
            assertThat(memory.longs().get(2)).isEqualTo((long) round * world.size());
            Context context = copy.createContext();
            context.startSession(SessionOption.BATCH);
            int right = (world.pe() + 1) % world.size();
            memory.longs().through(context).putNbi(3, Longs.counting(round, 100), 0, 100, right);
        }
        assertThat(World.isJoined()).isFalse();
        assertThat(teams).noneMatch(Team::isValid);
        teams.forEach(Team::close);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private static long mappings() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
            return lines.filter(line -> line.contains("coterie-")).count();
        }
    }
}

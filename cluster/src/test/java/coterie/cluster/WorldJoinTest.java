// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.ThreadLevel;
import coterie.World;
import coterie.spi.FaceSupport;
import coterie.spi.HostedPe;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Threads of one JVM join jobs by their keys. [HostedEndsTest] has the ends that are not good.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WorldJoinTest extends HostedCase {
    private final Queue<MemorySegment> segments = new ConcurrentLinkedQueue<>();

    private static long fromLeft(World world, long number) {
        LongView longs = world.allocate(Long.BYTES).longs();
        longs.put(0, number, (world.pe() + 1) % world.size());
        world.team().barrier();
        return longs.get(0);
    }

    @Test
    @DisplayName("threads are the PEs of a job, and the coordinator tells that it ended well")
    void threads() throws Exception {
        try (JobCoordinator coordinator = open(3)) {
            List<Future<Long>> pes = start(
                    coordinator,
                    0,
                    3,
                    world -> 10 * fromLeft(world, world.pe()) + world.team().sum(1L));
            assertThat(results(pes)).containsExactly(23L, 3L, 13L);
            JobEnd end = coordinator.awaitEnd();
            assertThat(end.isSuccess()).isTrue();
            assertThat(end.pes()).extracting(PeExit::pe).containsExactly(0, 1, 2);
        }
    }

    @Test
    @DisplayName("without a number each thread gets a free one")
    void freeNumbers() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            JobKey key = JobKey.parse(coordinator.key().text());
            Callable<Integer> pe = () -> WorldJoin.by(key).call(World::pe);
            assertThat(results(List.of(threads.submit(pe), threads.submit(pe)))).containsExactlyInAnyOrder(0, 1);
        }
    }

    @Test
    @DisplayName("jobs side by side have memory of their own, also two worlds of one thread")
    void sideBySide() throws Exception {
        try (JobCoordinator one = open(2);
                JobCoordinator two = open(2)) {
            List<Future<String>> pes =
                    List.of(threads.submit(() -> both(one, two, 0)), threads.submit(() -> both(one, two, 1)));
            assertThat(results(pes)).containsExactly("got 10 and 100, was 1, then 0", "got 0 and 101, was 0, then 1");
            assertThat(one.awaitEnd().isSuccess()).isTrue();
            assertThat(two.awaitEnd().isSuccess()).isTrue();
        }
    }

    /// PE n of one job is PE 1 − n of the other.
    private static String both(JobCoordinator one, JobCoordinator two, int pe) {
        try (World first = WorldJoin.by(one.key()).pe(pe).join()) {
            String text;
            try (World second = WorldJoin.by(two.key()).pe(1 - pe).join()) {
                text = "got " + fromLeft(first, 10L * pe) + " and " + fromLeft(second, 101L - pe);
                second.allocate(1 << 20);
                assertThat(second.heapStatistics()).isNotEqualTo(first.heapStatistics());
                text += ", was " + joinedPe();
            }
            return text + ", then " + joinedPe();
        }
    }

    private static int joinedPe() {
        try (World again = World.join()) {
            return again.pe();
        }
    }

    @Test
    @DisplayName("World.join finds the world in the thread that has joined, and in no other, until it has closed")
    void nestedJoins() throws Exception {
        try (JobCoordinator coordinator = open(1)) {
            List<Boolean> found = results(start(coordinator, 0, 1, world -> {
                World nested = World.join(); // which the end of the task closes, as that of main does
                assertThat(nested.pe()).isZero();
                return threads.submit(World::isJoined).get();
            }));
            assertThat(found).containsExactly(false);
        }
        try (JobCoordinator coordinator = open(1)) {
            World world = WorldJoin.by(coordinator.key()).join();
            assertThat(World.isJoined()).isTrue();
            Thread closer = new Thread(world::close);
            closer.start();
            closer.join();
            assertThat(World.isJoined()).isFalse();
            world.close();
            assertThat(coordinator.awaitEnd().isSuccess()).isTrue();
        }
    }

    @Test
    @DisplayName("settings of a join come before those of the process, and are those of its world alone")
    void settings() {
        try (JobCoordinator one = open(1);
                JobCoordinator two = open(1)) {
            try (World first = WorldJoin.by(one.key())
                            .with("STAGING_KIB", "64")
                            .with("LISTEN", "10.0.0.0/8")
                            .join();
                    World second = WorldJoin.by(two.key()).join()) {
                FaceSupport support = FaceSupport.of(first);
                assertThat(support.setting("STAGING_KIB")).isEqualTo("64");
                assertThat(support.setting("LISTEN")).isEqualTo("10.0.0.0/8");
                assertThat(FaceSupport.of(second).setting("STAGING_KIB")).isEmpty();
            }
        }
    }

    @Test
    @DisplayName("a setting that does not exist, or has a value that is not allowed, ends the join with its name")
    void wrongSettings() throws Exception {
        try (JobCoordinator coordinator = open(1)) {
            WorldJoin join = WorldJoin.by(coordinator.key());
            assertThatThrownBy(() -> join.with("SPIN", "3").join())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("\"SPIN\"", "COTERIE_SPINS");
            assertThatThrownBy(() -> join.with("TLS", "nothing").join())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("TLS (from the join)", "nothing");
            assertThat(coordinator.awaitEnd().isSuccess()).isFalse(); // its only PE has not opened its world
        }
    }

    @Test
    @DisplayName("settings that PEs must have alike and have not end the joins of all")
    void differentSettings() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            WorldJoin join = WorldJoin.by(coordinator.key());
            Future<World> zero = threads.submit(() -> join.pe(0).join());
            Future<World> one =
                    threads.submit(() -> join.pe(1).with("TREE_SYNC_ABOVE", "7").join());
            assertThat(thrown(one)).hasMessageContaining("TREE_SYNC_ABOVE (from the join): it is 7 on PE 1");
            assertThatThrownBy(() -> {
                        World world = zero.get();
                        world.team().barrier();
                    })
                    .isNotNull();
        }
    }

    @Test
    @DisplayName("all threads of a PE may use its world, and memory of a closed world reads as zeros")
    void otherThreads() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            List<SymmetricMemory> blocks = results(start(coordinator, 0, 2, world -> {
                SymmetricMemory memory = world.allocate(64);
                MemorySegment mine = memory.segment();
                MemorySegment its = memory.segment(1 - world.pe()).orElseThrow();
                threads.submit(() -> memory.longs().put(1, 5, 1 - world.pe())).get();
                world.team().barrier();
                assertThat(mine.get(JAVA_LONG, 8)).isEqualTo(5);
                assertThat(its.get(JAVA_LONG, 8)).isEqualTo(5);
                segments.add(mine);
                segments.add(its);
                segments.add(memory.segment(Arena.ofAuto()));
                segments.add(memory.segment(Arena.global()));
                return memory;
            }));
            for (SymmetricMemory each : blocks) {
                assertThatThrownBy(each::segment).isInstanceOf(IllegalStateException.class);
            }
            System.gc();
            assertThat(segments).allMatch(each -> each.get(JAVA_LONG, 8) == 0);
        }
    }

    @Test
    @DisplayName("a thread that is interrupted completes the operations of its world, and keeps the interrupt")
    void interruptedOperation() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            assertThat(results(start(coordinator, 0, 2, world -> {
                        Thread.currentThread().interrupt();
                        long sum = world.team().sum(2L);
                        assertThat(Thread.interrupted()).isTrue();
                        return sum;
                    })))
                    .containsExactly(4L, 4L);
        }
    }

    @Test
    @DisplayName("an interrupt ends the join of a thread that waits for the other PEs, and the job")
    void interruptedJoin() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            Future<World> zero = threads.submit(() -> {
                try {
                    Thread.currentThread().interrupt();
                    return WorldJoin.by(coordinator.key()).pe(0).join();
                } finally {
                    assertThat(Thread.interrupted()).isTrue();
                }
            });
            assertThat(thrown(zero)).isInstanceOf(CoterieException.class).hasMessageContaining("interrupted");
            assertThat(thrown(start(coordinator, 1, 2, World::pe).getFirst()))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("PE 0");
        }
    }

    @Test
    @DisplayName("null and negative arguments are errors with the name of the parameter")
    void arguments() {
        try (JobCoordinator coordinator = open(1)) {
            WorldJoin join = WorldJoin.by(coordinator.key());
            assertNull(() -> WorldJoin.by(null), "WorldJoin.by: key is null");
            assertNull(() -> join.threadLevel(null), "WorldJoin.threadLevel: level is null");
            assertNull(() -> join.with(null, ""), "WorldJoin.with: setting is null");
            assertNull(() -> join.with("TLS", null), "WorldJoin.with: value is null");
            assertNull(() -> join.call(null), "WorldJoin.call: task is null");
            assertNull(() -> JobKey.parse(null), "JobKey.parse: text is null");
            assertNull(() -> JobCoordinator.open(null), "JobCoordinator.open: options is null");
            KeyBootstrap bootstrap = new KeyBootstrap();
            ThreadLevel level = ThreadLevel.MULTIPLE;
            assertNull(() -> HostedPe.join(null, Map.of(), level), "HostedPe.join: bootstrap is null");
            assertNull(() -> HostedPe.join(bootstrap, null, level), "HostedPe.join: settings is null");
            assertNull(() -> HostedPe.join(bootstrap, Map.of(), null), "HostedPe.join: level is null");
            assertThatThrownBy(() -> join.pe(-1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            assertThat(join.pe(2).with("TLS", "p2p"))
                    .hasToString("join by the " + coordinator.key() + " as PE 2 with {TLS=p2p}");
        }
    }

    private static void assertNull(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(message);
    }
}

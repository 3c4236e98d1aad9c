// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.CoterieException;
import coterie.IntegerView;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.ThreadLevel;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.spi.FaceSupport;
import coterie.spi.ProgressHook;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;

/// Work that a program registers for all waits of its PE, and progress without a wait.
class ProgressConformanceTest {

    /// Sends back what it finds, plus 1000: a service of its PE.
    private static final class Echo implements ProgressHook {
        private final IntegerView longs;
        private final int to;
        private long sent;

        Echo(IntegerView longs, int to) {
            this.longs = longs;
            this.to = to;
        }

        @Override
        public boolean progress() {
            if (!longs.test(0, Comparison.NE, sent)) {
                return false;
            }
            long asked = longs.get(0);
            sent = asked;
            longs.put(1, asked + 1000, to);
            longs.context().quietNbi();
            return true;
        }

        @Override
        public long dueNanos() {
            return 20_000;
        }
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a hook of a PE answers others while its PE waits in a barrier, for a word and for a request")
    void hooksRunInWaits(World world) {
        try (SymmetricMemory memory = world.allocate(8L * 3);
                ProgressHook.Registration _ = FaceSupport.of(world).addProgress(new Echo(memory.longs(), 0))) {
            LongView longs = memory.longs();
            for (int round = 1; round <= 3; round++) {
                if (world.pe() == 0) {
                    for (int pe = 1; pe < world.size(); pe++) {
                        longs.set(1, 0);
                        longs.put(0, round, pe);
                        longs.waitUntil(1, Comparison.EQ, round + 1000);
                    }
                    for (int pe = 1; round == 1 && pe < world.size(); pe++) {
                        longs.put(2, 1, pe);
                    }
                }
                switch (round) {
                    case 1 -> {
                        if (world.pe() > 0) {
                            longs.waitUntil(2, Comparison.EQ, 1);
                        }
                    }
                    case 2 -> world.team().barrier();
                    default -> RequestCalls.postAndAwait(world.team(), Collective.barrier());
                }
            }
            world.team().barrier();
        }
    }

    /// Counts its calls, and does something in one of them. It asks for calls as time goes by, as a clock does.
    private static final class Counting implements ProgressHook {
        private final int at;
        private final Runnable what;
        int calls;

        Counting(int at, Runnable what) {
            this.at = at;
            this.what = what;
        }

        @Override
        public boolean progress() {
            calls++;
            if (calls == at) {
                what.run();
            }
            return false;
        }

        @Override
        public long dueNanos() {
            return 1_000;
        }

        @Override
        public String toString() {
            return "counting";
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a hook that throws is named to the thread's handler and called no more; the others go on")
    void hooksThrow(World world) {
        List<Throwable> handled = new ArrayList<>();
        Thread me = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = me.getUncaughtExceptionHandler();
        me.setUncaughtExceptionHandler((_, thrown) -> handled.add(thrown));
        Counting failing = new Counting(2, () -> {
            throw new IllegalStateException("on purpose");
        });
        Counting other = new Counting(0, () -> {});
        try (ProgressHook.Registration _ = FaceSupport.of(world).addProgress(failing);
                ProgressHook.Registration _ = FaceSupport.of(world).addProgress(other)) {
            for (int call = 0; call < 5; call++) {
                world.progress();
            }
        } finally {
            me.setUncaughtExceptionHandler(before);
        }
        assertThat(failing.calls).isEqualTo(2);
        assertThat(other.calls).isEqualTo(5);
        world.progress();
        assertThat(other.calls).as("after the end of the registration").isEqualTo(5);
        assertThat(handled)
                .singleElement()
                .satisfies(thrown -> assertThat(thrown)
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContaining("progress on PE " + world.pe() + ": the hook counting threw")
                        .hasCauseInstanceOf(IllegalStateException.class));
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName(
            "in a hook collectives, waits for words and requests throw; one-sided operations, posts and tests do not")
    void hooksDoNotWait(World world) {
        Team team = world.team().duplicate();
        try (SymmetricMemory memory = world.allocate(8);
                Request request = team.prepare(Collective.barrier())) {
            Counting hook = new Counting(1, () -> {
                assertThatThrownBy(() -> world.team().barrier())
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("progress hook");
                assertThatThrownBy(() -> memory.longs().waitUntil(0, Comparison.EQ, 1))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("progress hook, which must not wait");
                if (world.pe() == 0) {
                    request.post();
                    request.test();
                }
                memory.longs().getAndAdd(0, 0, world.size() - 1);
                world.progress();
            });
            List<Throwable> handled = new ArrayList<>();
            Thread me = Thread.currentThread();
            Thread.UncaughtExceptionHandler before = me.getUncaughtExceptionHandler();
            me.setUncaughtExceptionHandler((_, thrown) -> handled.add(thrown));
            try (ProgressHook.Registration _ = FaceSupport.of(world).addProgress(hook)) {
                world.progress();
            } finally {
                me.setUncaughtExceptionHandler(before);
            }
            assertThat(handled).isEmpty();
            assertThat(hook.calls)
                    .as("no call of the hook is within another one")
                    .isEqualTo(1);
            if (world.pe() != 0) {
                request.post();
            }
            request.await();
        }
        team.close();
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("a wait for a condition advances hooks until it holds; in a hook it throws")
    void conditions(World world) {
        Counting hook = new Counting(
                3,
                () -> assertThatThrownBy(() -> world.progressUntil(() -> false))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("progressUntil on PE " + world.pe())
                        .hasMessageContaining("must not wait"));
        try (ProgressHook.Registration _ = FaceSupport.of(world).addProgress(hook)) {
            world.progressUntil(() -> hook.calls >= 100);
            assertThat(hook.calls).isGreaterThanOrEqualTo(100);
            world.progressUntil(() -> true);
            assertThatThrownBy(() -> world.progressUntil(() -> {
                        throw new ArithmeticException("on purpose");
                    }))
                    .isInstanceOf(ArithmeticException.class);
        }
        assertThatThrownBy(() -> world.progressUntil(null)).isInstanceOf(NullPointerException.class);
        try (SymmetricMemory memory = world.allocate(8)) {
            assertThat(memory.signal(0).context()).isSameAs(world.context());
            assertThat(memory.signal(0).through(world.team().context()).context())
                    .isSameAs(world.team().context());
        }
    }

    @SpmdTest(
            pes = {1, 2},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("the end of the world ends registrations, and progress is for the threads that its level admits")
    @SuppressWarnings("try") // closes the world before its resource ends
    void worldsEnd() throws Exception {
        Counting hook = new Counting(0, () -> {});
        try (World world = World.join(ThreadLevel.FUNNELED)) {
            assertThat(World.isJoined()).isTrue();
            ProgressHook.Registration registration = FaceSupport.of(world).addProgress(hook);
            world.progress();
            FutureTask<Void> foreign = new FutureTask<>(() -> {
                assertThatThrownBy(world::progress).isInstanceOf(WrongThreadException.class);
                return null;
            });
            Thread thread = new Thread(foreign);
            thread.start();
            foreign.get();
            world.team().barrier();
            world.close();
            int calls = hook.calls;
            assertThat(calls).isPositive();
            assertThatThrownBy(world::progress).isInstanceOf(IllegalStateException.class);
            registration.close();
            try (World next = World.join()) {
                next.progress();
                next.team().barrier();
            }
            assertThat(hook.calls).isEqualTo(calls);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.TeamId;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Interrupts of threads that are in the runtime: decision 0031.
class InterruptTest {
    private static final int PES = 2;
    private static final int NAPS_SECONDS = 20;

    /// Operations of PE 0 that last until PE 1 does its part.
    enum Operation {
        FIRST_ALLOCATE,
        SPLIT,
        FORM_TEAM,
        BARRIER,
        SIGNAL_WAIT,
        LOCK,
        REQUEST_AWAIT;

        boolean needsMemory() {
            return compareTo(SIGNAL_WAIT) >= 0;
        }
    }

    /// One PE's part in an operation.
    private record Part(
            World world,
            SymmetricMemory memory,
            TeamId id,
            @Nullable Request request) {
        /// Does what has to be done before the operation.
        static Part of(Operation operation, World world, CompletableFuture<TeamId> id) {
            SymmetricMemory memory = world.allocate(operation.needsMemory() ? 256 : 0);
            if (world.pe() == 0) {
                id.complete(world.newTeamId());
            }
            if (operation == Operation.LOCK && world.pe() == 1) {
                memory.lock(0).lock();
            }
            Request request = operation == Operation.REQUEST_AWAIT
                    ? world.team()
                            .prepare(Collective.allReduce(Reduction.SUM)
                                    .source(memory.longs(), 8, 1)
                                    .target(memory.longs(), 9, 1))
                    : null;
            world.team().barrier();
            return new Part(world, memory, id.join(), request);
        }

        void run(Operation operation) {
            switch (operation) {
                case FIRST_ALLOCATE -> allocate();
                case SPLIT -> split();
                case FORM_TEAM ->
                    assertThat(world.formTeam(id, PES, world.pe()).sum(1)).isEqualTo(PES);
                case BARRIER -> world.team().barrier();
                case SIGNAL_WAIT -> signal();
                case LOCK -> lock();
                case REQUEST_AWAIT -> await(Objects.requireNonNull(request));
            }
        }

        private void allocate() {
            SymmetricMemory made = world.allocate(4096);
            made.longs().put(0, 1 + world.pe(), 1 - world.pe());
            world.team().barrier();
            assertThat(made.longs().get(0)).isEqualTo(PES - world.pe());
        }

        private void split() {
            for (int split = 0; split < 50; split++) { // more than the pages of the first one hold
                assertThat(world.team().splitStrided(0, 1, PES).sum(1)).isEqualTo(PES);
            }
        }

        private void signal() {
            if (world.pe() == 0) {
                assertThat(memory.signal(0).waitUntil(Comparison.NE, 0)).isEqualTo(7);
            } else {
                memory.signal(0).add(7, 0);
            }
        }

        private void lock() {
            if (world.pe() == 0) {
                memory.lock(0).lock();
            }
            memory.lock(0).unlock();
        }

        private void await(Request sum) {
            memory.longs().set(8, 1 + world.pe());
            sum.post();
            sum.await();
            assertThat(memory.longs().get(9)).isEqualTo(3);
        }
    }

    /// Returns whether the calling thread is interrupted, and clears its flag for what follows in the test.
    private static boolean wasInterrupted() {
        return Thread.interrupted();
    }

    @Test
    @DisplayName("a thread that is interrupted joins the world and keeps its interrupt flag")
    void join() {
        try (LocalJob job =
                new LocalJob(PES).startWith(() -> Thread.currentThread().interrupt())) {
            job.run(world -> {
                assertThat(wasInterrupted()).isTrue();
                world.team().barrier();
            });
        }
    }

    @Test
    @DisplayName("a thread that is interrupted creates a job's segment and keeps its interrupt flag")
    void create() {
        Thread.currentThread().interrupt();
        try (LocalJob job = new LocalJob(PES)) {
            assertThat(wasInterrupted()).isTrue();
            job.run(world -> world.team().barrier());
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Operation.class)
    @DisplayName("an operation of threads that are interrupted before it completes and keeps their interrupt flags")
    void before(Operation operation) {
        CompletableFuture<TeamId> id = new CompletableFuture<>();
        try (LocalJob job = new LocalJob(PES)) {
            job.run(world -> {
                Part part = Part.of(operation, world, id);
                Thread.currentThread().interrupt();
                part.run(operation);
                assertThat(wasInterrupted()).as("PE %s", world.pe()).isTrue();
            });
        }
    }

    /// A nap clears the flag for its duration, because a thread with the flag set can't park.
    @ParameterizedTest(name = "{0}")
    @EnumSource(Operation.class)
    @DisplayName("an operation of a thread that is interrupted while it waits goes on to nap, completes, and keeps the"
            + " interrupt flag")
    void during(Operation operation) {
        CompletableFuture<TeamId> id = new CompletableFuture<>();
        CompletableFuture<Thread> waiter = new CompletableFuture<>();
        try (LocalJob job = new LocalJob(PES)) {
            job.run(world -> {
                Part part = Part.of(operation, world, id);
                if (world.pe() == 0) {
                    waiter.complete(Thread.currentThread());
                    part.run(operation);
                    assertThat(wasInterrupted()).isTrue();
                } else {
                    Thread thread = waiter.join();
                    Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
                    thread.interrupt();
                    Awaitility.await().atMost(NAPS_SECONDS, TimeUnit.SECONDS).until(() -> !thread.isInterrupted());
                    part.run(operation);
                }
            });
        }
    }
}

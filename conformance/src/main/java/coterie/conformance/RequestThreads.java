// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/// Threads of a PE that post requests, and others that move them on: each run counts once.
final class RequestThreads {
    private static final int POSTERS = 2;
    private static final int WAITERS = 2;

    private final World world;
    private final AtomicLong sum = new AtomicLong();
    private final AtomicInteger calls = new AtomicInteger();
    private final List<FutureTask<Void>> tasks = new ArrayList<>();

    RequestThreads(World world) {
        this.world = world;
    }

    private Collective adding(IntegerView longs, long source, long target) {
        return Collective.allReduce(Reduction.SUM)
                .source(longs, source, 1)
                .target(longs, target, 1)
                .onComplete(_ -> {
                    calls.incrementAndGet();
                    sum.addAndGet(longs.get(target));
                });
    }

    /// Threads run persistent requests, each on a team of its own.
    void ownTeams(int threads) throws Exception {
        int runs = Rounds.of(200);
        List<Team> teams = new ArrayList<>();
        try (SymmetricMemory memory = world.allocate(16L * threads)) {
            LongView longs = memory.longs();
            for (int i = 0; i < threads; i++) {
                int index = i;
                Team team = world.team().duplicate();
                teams.add(team);
                Request request =
                        team.prepare(adding(longs, index, threads + index).persistent());
                start(() -> {
                    for (int run = 0; run < runs; run++) {
                        longs.set(index, run + index);
                        request.post();
                        request.await();
                    }
                    request.close();
                    return null;
                });
            }
            awaitAll();
            assertThat(calls).hasValue(threads * runs);
            assertThat(sum).hasValue((long) world.size() * threads * runs * (runs - 1 + threads - 1) / 2);
            teams.forEach(Team::close);
        }
    }

    /// Threads take turns to post requests of one team, and others wait for them.
    void oneTeam() throws Exception {
        int many = 8 * Rounds.of(20);
        try (SymmetricMemory memory = world.allocate(16L * many)) {
            LongView longs = memory.longs();
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                longs.set(i, i);
                requests.add(world.team().prepare(adding(longs, i, many + i)));
            }
            List<CountDownLatch> posted = IntStream.range(0, many)
                    .mapToObj(_ -> new CountDownLatch(1))
                    .toList();
            for (int poster = 0; poster < POSTERS; poster++) {
                int first = poster;
                start(() -> {
                    for (int i = first; i < many; i += POSTERS) {
                        if (i > 0) {
                            posted.get(i - 1).await();
                        }
                        requests.get(i).post();
                        posted.get(i).countDown();
                    }
                    return null;
                });
            }
            AtomicInteger next = new AtomicInteger();
            for (int waiter = 0; waiter < WAITERS; waiter++) {
                start(() -> {
                    for (int i = next.getAndIncrement(); i < many; i = next.getAndIncrement()) {
                        posted.get(i).await();
                        requests.get(i).await();
                        requests.get(i).close();
                    }
                    return null;
                });
            }
            awaitAll();
            assertThat(calls).hasValue(many);
            assertThat(sum).hasValue((long) world.size() * many * (many - 1) / 2);
        }
    }

    private void start(Callable<Void> work) {
        FutureTask<Void> task = new FutureTask<>(work);
        tasks.add(task);
        new Thread(task).start();
    }

    /// Waits inside the runtime, so that this thread moves on what the others have posted.
    private void awaitAll() throws Exception {
        Team team = world.team().duplicate();
        try (Request over = team.prepare(Collective.barrier())) {
            over.postWhen(() -> tasks.stream().allMatch(FutureTask::isDone));
            over.await();
        }
        team.close();
        for (FutureTask<Void> task : tasks) {
            task.get();
        }
    }
}

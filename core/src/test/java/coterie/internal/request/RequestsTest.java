// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import coterie.CollectiveMismatchException;
import coterie.Comparison;
import coterie.IntegerView;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.Team;
import coterie.WaitTimeoutException;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The life of requests: in which order they run, and how they end.
@ExtendWith(TestSettings.class)
class RequestsTest {
    private static final int PES = 3;

    private static void run(boolean direct, LocalJob.Body body) {
        try (LocalJob job = job(PES, direct)) {
            job.run(body);
        }
    }

    private static Collective sum(IntegerView longs, int count) {
        return Collective.allReduce(Reduction.SUM).source(longs, 0, count).target(longs, count, count);
    }

    @Test
    @DisplayName("each collective has a kind that waits and messages name")
    void kinds() {
        for (CollectiveType type : CollectiveType.values()) {
            assertThat(OperationKind.valueOf(type.name()).label()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a member that prepares after two others have differed is told what they differ in")
    void lateMember(boolean direct) {
        run(direct, world -> {
            LongView longs = world.allocate(8L * 4).longs();
            world.team().prepare(Collective.barrier()).close(); // from now on PE 0 hears of others' requests
            if (world.pe() != 0) {
                Reduction reduction = world.pe() == 1 ? Reduction.SUM : Reduction.MAX;
                Request differing = world.team()
                        .prepare(Collective.allReduce(reduction)
                                .source(longs, 0, 1)
                                .target(longs, 1, 1));
                differing.post();
                assertThatThrownBy(differing::await).isInstanceOf(CollectiveMismatchException.class);
                longs.put(2, 1, world.pe() == 1 ? 0 : 1);
                if (world.pe() == 1) {
                    longs.waitUntil(2, Comparison.EQ, 1);
                    longs.put(3, 1, 0);
                }
                return;
            }
            longs.waitUntil(3, Comparison.EQ, 1);
            assertThatThrownBy(() -> {
                        while (true) { // until it has heard
                            world.progress();
                            world.team().prepare(sum(longs, 1)).close();
                        }
                    })
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContainingAll("PE 1", "PE 2", "members disagree on the reduction");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("more requests than channels go on at once, and may be waited for in any order")
    void manyAtOnce(boolean direct) {
        run(direct, world -> {
            int me = world.pe();
            int many = 11;
            LongView longs = world.allocate(8L * 2 * many).longs();
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                longs.set(i, 100L * i + me);
                requests.add(world.team()
                        .prepare(Collective.allReduce(Reduction.SUM)
                                .source(longs, i, 1)
                                .target(longs, many + i, 1)));
            }
            requests.forEach(Request::post);
            for (int i = 0; i < many; i++) {
                int which = me % 2 == 0 ? i : many - 1 - i;
                requests.get(which).await();
                assertThat(longs.get(many + which)).isEqualTo(PES * 100L * which + PES * (PES - 1) / 2);
                assertThat(requests.get(which).isComplete()).isTrue();
            }
            requests.forEach(Request::close);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a persistent request is posted again and again, from its own callback as well")
    void persistent(boolean direct) {
        run(direct, world -> {
            LongView longs = world.allocate(16).longs();
            AtomicInteger runs = new AtomicInteger();
            Request request = world.team().prepare(sum(longs, 1).persistent().onComplete(each -> {
                longs.set(0, longs.get(1));
                if (runs.incrementAndGet() < 10) {
                    each.post();
                }
            }));
            longs.set(0, 1);
            request.post();
            while (runs.get() < 10) {
                request.test();
            }
            request.await();
            assertThat(longs.get(1)).isEqualTo(59049); // 3^10
            request.close();
            request.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a triggered request begins after its event, and keeps its place in the order")
    void triggered(boolean direct) {
        run(direct, world -> {
            LongView longs = world.allocate(64).longs();
            AtomicBoolean flag = new AtomicBoolean();
            longs.set(0, 5);
            Team team = world.team();
            Request first =
                    team.prepare(Collective.broadcast(0).source(longs, 0, 1).target(longs, 1, 1));
            Request second =
                    team.prepare(Collective.broadcast(1).source(longs, 1, 1).target(longs, 2, 1));
            first.postWhen(flag::get);
            second.postWhen(first::isComplete);
            assertThat(first.test()).isFalse();
            assertThat(second.test()).isFalse();
            flag.set(true);
            second.await();
            assertThat(first.isComplete()).isTrue();
            assertThat(longs.get(2)).isEqualTo(5);
            first.close();
            second.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a waiter in a barrier advances requests that other members wait for before theirs")
    void barriersMoveRequestsOn(boolean direct) {
        run(direct, world -> {
            LongView longs = world.allocate(16).longs();
            longs.set(0, 7);
            Request request = world.team().prepare(sum(longs, 1));
            world.team().barrier();
            request.post();
            if (world.pe() == 1) {
                world.team().barrier();
                request.await();
            } else {
                request.await();
                world.team().barrier();
            }
            assertThat(longs.get(1)).isEqualTo(21);
            request.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("with a progress thread, requests advance while no thread tests or waits")
    void progressThread(boolean direct) {
        set(Setting.PROGRESS_THREAD, "true");
        run(direct, world -> {
            LongView longs = world.allocate(1 << 16).longs();
            longs.set(0, 1);
            try (Request request = world.team().prepare(sum(longs, 1000).persistent())) {
                for (int run = 0; run < 20; run++) {
                    request.post();
                    while (!request.isComplete()) {
                        Thread.onSpinWait();
                    }
                    assertThat(longs.get(1000)).isEqualTo(PES);
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("UC-34 a member that never posts is a timeout on all others; blocking collectives go on")
    void late(boolean direct) {
        run(direct, world -> {
            LongView longs = world.allocate(16).longs();
            Request request = world.team().prepare(sum(longs, 1).withTimeout(Duration.ofMillis(50)));
            if (world.pe() != 1) {
                request.post();
                assertThatThrownBy(request::await).isInstanceOf(WaitTimeoutException.class);
                assertThatThrownBy(request::post).isInstanceOf(IllegalStateException.class);
            }
            world.team().barrier();
            assertThat(world.team().sum(1L)).isEqualTo(PES);
            if (world.pe() == 1) {
                endsWellOrLate(request); // what it needs may have come before the others gave up
            }
            assertThatThrownBy(() -> {
                        Request another = world.team().prepare(Collective.barrier());
                        another.post();
                        another.await();
                    })
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("timed out in allReduce #1");
            request.close();
            Team other = world.team().duplicate();
            try (Request barrier = other.prepare(Collective.barrier())) {
                barrier.post();
                barrier.await();
            }
            other.close();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("the tag of a request is in its texts, its waits and its failures; members may have different ones")
    void tag(boolean direct) {
        run(direct, world -> {
            LongView longs = world.allocate(16).longs();
            Collective tagged = sum(longs, 1).withTag("gradients of PE " + world.pe());
            assertThat(tagged).hasToString("allReduce of SUM \"gradients of PE " + world.pe() + '"');
            assertThat(tagged)
                    .isNotEqualTo(sum(longs, 1))
                    .isEqualTo(sum(longs, 1).withTag(tagged.tag().orElseThrow()));
            longs.set(0, 1);
            world.team().run(tagged);
            assertThat(longs.get(1)).isEqualTo(PES);
            Request request = world.team().prepare(tagged);
            if (world.pe() != 1) {
                request.post();
                assertThatThrownBy(() -> request.await(Duration.ofMillis(20)))
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("of team \"world\", tag \"gradients of PE " + world.pe() + '"');
            }
            world.team().barrier();
            if (world.pe() == 1) {
                request.post();
            }
            request.await();
            request.close();
        });
        for (String bad : List.of("", " ", "a\nb", "Größe \u2264", "x".repeat(49))) {
            assertThatThrownBy(() -> Collective.barrier().withTag(bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("barrier: tag \"" + bad + "\" of " + bad.length())
                    .hasMessageEndingWith("allowed are 1 to 48 printable characters of ISO 8859-1");
        }
    }

    private static void endsWellOrLate(Request request) {
        try {
            request.post();
            request.await();
        } catch (WaitTimeoutException e) {
            assertThat(e).hasMessageContaining("timed out in allReduce #1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("members that post different requests throw the mismatch")
    void mismatch(boolean direct) {
        run(direct, world -> {
            LongView longs = world.allocate(64).longs();
            Team team = world.team();
            Request request = team.prepare(
                    world.pe() == 2
                            ? sum(longs, 1)
                            : Collective.allReduce(Reduction.MAX)
                                    .source(longs, 0, 1)
                                    .target(longs, 1, 1));
            team.barrier(); // a late prepare would get the others' error
            assertThatThrownBy(() -> {
                        request.post(); // which throws if the others have found it already
                        request.await();
                    })
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("with different arguments: members disagree on the reduction: ")
                    .hasMessageContainingAll("SUM on PE 2", "MAX on PE ");
            team.sync();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a failed member is named by all requests that wait for it, and by those whose turn has not come")
    void failure(boolean direct) {
        setLoadStore(direct);
        Map<Integer, Throwable> failures;
        try (LocalJob job = new LocalJob(PES)) {
            failures = job.failures(world -> {
                LongView longs = world.allocate(256).longs();
                List<Request> requests = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    requests.add(world.team().prepare(sum(longs, 1)));
                }
                world.team().barrier();
                job.meet();
                if (world.pe() == 1) {
                    throw new IllegalStateException("on purpose");
                }
                RuntimeException told = catchRuntimeException(() -> requests.forEach(Request::post));
                for (Request each : requests) {
                    RuntimeException end = told == null ? catchRuntimeException(each::await) : told;
                    assertThat(end).isInstanceOf(PeFailedException.class).hasMessageContaining("PE 1 failed");
                }
                assertThatThrownBy(() -> world.team().prepare(sum(longs, 1))).isInstanceOf(PeFailedException.class);
                requests.forEach(Request::close);
            });
        }
        assertThat(failures).containsOnlyKeys(1);
        assertThat(failures.get(1)).hasMessage("on purpose");
    }

    @Test
    @DisplayName("UC-38 misuse is refused, and loses nothing")
    void misuse() {
        run(true, world -> {
            LongView longs = world.allocate(64).longs();
            Team team = world.team().duplicate();
            AtomicBoolean flag = new AtomicBoolean();
            Request request = team.prepare(sum(longs, 1));
            assertThatThrownBy(request::test).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(request::await).hasMessageContaining("it has not been posted");
            request.postWhen(flag::get);
            assertThatThrownBy(request::post).hasMessageContaining("its run is not complete");
            assertThatThrownBy(request::close).hasMessageContaining("its run is not complete");
            assertThatThrownBy(team::close).hasMessageContaining("a request in progress");
            flag.set(true);
            request.await();
            assertThatThrownBy(request::post).hasMessageContaining("it is not persistent");
            request.close();
            assertThatThrownBy(request::post).hasMessageContaining("it has been finalised");
            Request another = team.prepare(sum(longs, 1));
            team.close();
            assertThatThrownBy(another::post).hasMessageContaining("it was closed");
            another.close();
        });
    }

    @Test
    @DisplayName("a world that closes ends requests in progress, on all members")
    void closeEndsRequests() {
        run(true, world -> {
            LongView longs = world.allocate(64).longs();
            Request request = world.team().prepare(sum(longs, 1));
            AtomicBoolean flag = new AtomicBoolean();
            request.postWhen(flag::get);
            world.team().barrier();
            world.close();
            assertThatThrownBy(request::await)
                    .hasMessageContaining("closed the world before the operation was " + "complete");
        });
    }
}

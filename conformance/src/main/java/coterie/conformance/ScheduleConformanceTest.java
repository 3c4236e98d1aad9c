// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// What happens before and behind the runs of requests: events, and callbacks.
class ScheduleConformanceTest {
    private static final int MANY = 20;

    /// A sum of one element each, with a callback.
    private static Collective sum(IntegerView longs, int index) {
        return Collective.allReduce(Reduction.SUM)
                .source(longs, index, 1)
                .target(longs, MANY + index, 1)
                .persistent();
    }

    @SpmdTest(pes = {1, 2, 5})
    @DisplayName("UC-20 twenty requests one behind the other by events: each callback comes once a run, in order, when"
            + " the result is there")
    void chain(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(16L * MANY)) {
            LongView longs = memory.longs();
            List<Long> told = new ArrayList<>();
            List<Request> chain = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                int index = i;
                chain.add(world.team().prepare(sum(longs, i).onComplete(request -> {
                    assertThat(request).isSameAs(chain.get(index));
                    assertThat(request.isComplete()).isTrue();
                    told.add(1000L * index + longs.get(MANY + index));
                })));
            }
            for (int round = 0; round < 3; round++) {
                told.clear();
                for (int i = 0; i < MANY; i++) {
                    longs.set(i, round + i + world.pe());
                }
                chain.getFirst().post();
                for (int i = 1; i < MANY; i++) {
                    chain.get(i).postWhen(chain.get(i - 1)::isComplete);
                }
                for (int i = MANY - 1; i >= 0; i -= 1 + world.pe() % 2) {
                    chain.get(i).await();
                }
                chain.forEach(Request::await);
                long pes = n * (n - 1L) / 2;
                long add = round;
                assertThat(told)
                        .isEqualTo(IntStream.range(0, MANY)
                                .mapToObj(i -> 1000L * i + n * (add + i) + pes)
                                .toList());
            }
            chain.forEach(Request::close);
        }
    }

    /// Returns true once, and counts the calls after that.
    private static final class Once implements BooleanSupplier {
        private final AtomicBoolean flag;
        private boolean hasSaidSo;
        private int askedAgain;

        Once(AtomicBoolean flag) {
            this.flag = flag;
        }

        @Override
        public boolean getAsBoolean() {
            askedAgain += hasSaidSo ? 1 : 0;
            hasSaidSo |= flag.get();
            return hasSaidSo;
        }
    }

    @SpmdTest(pes = {1, 2, 5})
    @DisplayName("UC-20 twenty requests wait for events: none begins before, each runs once, and no event is asked"
            + " again that has happened")
    void events(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(16L * MANY)) {
            LongView longs = memory.longs();
            AtomicBoolean flag = new AtomicBoolean();
            int[] told = new int[MANY];
            List<Once> events = new ArrayList<>();
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                int index = i;
                events.add(new Once(flag));
                requests.add(world.team().prepare(sum(longs, i).onComplete(_ -> told[index]++)));
                requests.get(i).postWhen(events.get(i));
            }
            for (int i = 0; i < MANY; i++) {
                world.team().sync();
                assertThat(requests.get(i).test()).as("before the event").isFalse();
                longs.set(i, 10L * i + world.pe());
            }
            assertThat(told).containsOnly(0);
            world.team().sync();
            flag.set(true);
            requests.reversed().forEach(Request::await);
            for (int i = 0; i < MANY; i++) {
                assertThat(longs.get(MANY + i)).isEqualTo(10L * i * n + n * (n - 1) / 2);
                assertThat(events.get(i).askedAgain).isZero();
            }
            assertThat(told).containsOnly(1);
            requests.forEach(Request::close);
        }
    }

    @SpmdTest(pes = {2, 5})
    @DisplayName("UC-20 a request that waits for a neighbour's signal brings what the neighbour has put")
    void neighbour(World world) {
        int n = world.size();
        int right = (world.pe() + 1) % n;
        try (SymmetricMemory memory = world.allocate(32)) {
            LongView longs = memory.longs();
            SignalWord arrived = memory.signal(2);
            Request request = world.team().prepare(RequestCalls.sum(longs).persistent());
            for (long round = 1; round <= 5; round++) {
                long number = round;
                request.postWhen(() -> longs.test(2, Comparison.GE, number));
                assertThat(request.test()).as("before anybody has put").isFalse();
                world.team().sync();
                longs.putSignal(0, Longs.counting(10 * round + world.pe(), 1), 0, 1, arrived.setting(round), right);
                request.await();
                assertThat(longs.get(1)).isEqualTo(10 * round * n + n * (n - 1) / 2);
                world.team().barrier();
            }
            request.close();
        }
    }

    @SpmdTest(pes = {1, 2, 5})
    @DisplayName("UC-20 a callback may post its request again: as many runs as it likes, each told once")
    void again(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(16)) {
            LongView longs = memory.longs();
            List<Long> told = new ArrayList<>();
            Request request = world.team()
                    .prepare(RequestCalls.sum(longs).persistent().onComplete(over -> {
                        told.add(longs.get(1));
                        longs.set(0, told.size());
                        if (told.size() < MANY) {
                            over.post();
                        }
                    }));
            request.post();
            while (told.size() < MANY) {
                request.await();
            }
            assertThat(told)
                    .isEqualTo(
                            IntStream.range(0, MANY).mapToObj(i -> (long) i * n).toList());
            request.close();
        }
    }
}

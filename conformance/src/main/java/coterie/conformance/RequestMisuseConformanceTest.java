// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.RequestCalls.postAndAwait;
import static coterie.conformance.RequestCalls.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import coterie.CollectiveMismatchException;
import coterie.Comparison;
import coterie.Context;
import coterie.ContextOption;
import coterie.CoterieException;
import coterie.ElementView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;

/// Mismatched requests and other misuse: no member waits for ever.
class RequestMisuseConformanceTest {
    private static final int ODD = 2;

    @SpmdTest(pes = {3, 4, 7})
    @DisplayName("the waiters get the error when a mismatch leaves the odd member with nothing to wait for")
    void theOddOneHasNothingToWaitFor(World world) {
        try (SymmetricMemory memory = world.allocate(8L * 400)) {
            LongView longs = memory.longs();
            List<IntFunction<Collective>> cases = List.of(
                    pe -> Collective.reduce(Reduction.SUM, pe == ODD ? 1 : 0)
                            .source(longs, 0, 1)
                            .target(longs, 10, 1),
                    pe -> Collective.fanIn(pe == ODD ? 1 : 0),
                    pe -> Collective.reduce(Reduction.SUM, 0)
                            .source(longs, 0, pe == ODD ? 0 : 100)
                            .target(longs, 200, pe == ODD ? 0 : 100),
                    pe -> Collective.allReduce(Reduction.SUM)
                            .source(longs, 0, pe == ODD ? 0 : 1)
                            .target(longs, 200, pe == ODD ? 0 : 1));
            for (IntFunction<Collective> each : cases) {
                someMemberFails(world, each);
            }
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("what members differ in is named, with what each of two means")
    void differencesAreNamed(World world) {
        boolean odd = world.pe() == 1;
        try (SymmetricMemory memory = world.allocate(8L * 400)) {
            LongView longs = memory.longs();
            ElementView words = odd ? memory.ints() : longs;
            assertNamed(
                    world,
                    Collective.allReduce(odd ? Reduction.MAX : Reduction.MIN)
                            .source(longs, 0, 1)
                            .target(longs, 1, 1),
                    "members disagree on the reduction: ",
                    "MAX on PE 1",
                    "MIN on PE ");
            assertNamed(
                    world,
                    Collective.allReduce(Reduction.SUM)
                            .source(longs, 0, odd ? 30 : 3)
                            .target(longs, 100, odd ? 30 : 3),
                    "members disagree on the number of bytes: ",
                    "240 on PE 1",
                    "24 on PE ");
            assertNamed(
                    world,
                    Collective.allReduce(Reduction.SUM).source(words, 0, 3).target(words, 100, 3),
                    "members disagree on the element type: ",
                    "INT on PE 1",
                    "LONG on PE ",
                    "; and on the number of bytes: ",
                    "12 on PE 1",
                    "24 on PE ");
            assertNamed(
                    world,
                    Collective.allGather().source(longs, world.pe(), 1).target(longs, odd ? 100 : 0, world.size()),
                    "members disagree on the use of in-place buffers: ",
                    "no on PE 1",
                    "yes on PE ");
            assertNamed(
                    world,
                    Collective.broadcast(odd ? 1 : 0).source(longs, 0, 200).target(longs, 200, 200),
                    "members disagree on the root: ",
                    "1 on PE 1",
                    "0 on PE ");
        }
    }

    private static void assertNamed(World world, Collective asked, String... words) {
        try (Team team = world.team().duplicate()) {
            RuntimeException told = catchRuntimeException(() -> postAndAwait(team, asked));
            if (told != null) {
                assertThat(told).isInstanceOf(CollectiveMismatchException.class).hasMessageContainingAll(words);
            }
            assertThat(world.team().sum(told == null ? 0L : 1L)).isPositive();
        }
    }

    private static void someMemberFails(World world, IntFunction<Collective> asked) {
        try (Team team = world.team().duplicate()) {
            team.prepare(Collective.barrier()).close();
            team.barrier(); // a late prepare would get the others' error
            RuntimeException told = catchRuntimeException(() -> postAndAwait(team, asked.apply(world.pe())));
            if (told != null) {
                assertThat(told)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContainingAll("#1", "PE " + ODD);
            }
            assertThat(world.team().sum(told == null ? 0L : 1L))
                    .as("%s", asked.apply(0))
                    .isPositive();
            team.barrier();
        }
    }

    @SpmdTest(pes = {2, 3, 5})
    @DisplayName("waiters get an error that names the PE that closes the team without having posted")
    void closedInstead(World world) {
        try (SymmetricMemory memory = world.allocate(16)) {
            LongView longs = memory.longs();
            Team team = world.team().duplicate();
            Collective sum = sum(longs);
            postAndAwait(team, sum);
            world.team().barrier(); // a late PE may get the error before its run ends
            if (world.pe() != 1) {
                assertThatThrownBy(() -> postAndAwait(team, sum))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContainingAll(
                                "allReduce #2", "for PE 1, which is closing the team without having " + "posted it");
            }
            team.close();
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("a close that is refused leaves requests as they were")
    void refusedClose(World world) {
        try (SymmetricMemory memory = world.allocate(16)) {
            LongView longs = memory.longs();
            Team team = world.team().duplicate();
            Collective sum = sum(longs);
            for (int round = 0; round < 4; round++) {
                longs.set(0, round + world.pe());
                postAndAwait(team, sum);
                assertThat(longs.get(1)).isEqualTo((long) round * world.size() + (world.size() - 1) * world.size() / 2);
                if (world.pe() == 0) {
                    try (Context _ = team.createContext(ContextOption.PRIVATE)) {
                        assertThatThrownBy(team::close).isInstanceOf(IllegalStateException.class);
                    }
                }
            }
            team.close();
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("memory is not freed on any PE while a request of one is under way on it")
    void freedUnderWay(World world) {
        SymmetricMemory memory = world.allocate(16);
        LongView longs = memory.longs();
        longs.set(0, 1 + world.pe());
        AtomicBoolean may = new AtomicBoolean();
        Request request = world.team().prepare(sum(longs));
        if (world.pe() == 0) {
            request.postWhen(may::get);
            assertThatThrownBy(memory::close).hasMessageContaining("has a request in progress on it");
        }
        assertThatThrownBy(memory::free)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("PE 0 has a request in progress on it", "on PE " + world.pe());
        assertThatThrownBy(() -> memory.reallocate(64)).hasMessageContainingAll("PE 0", "all PEs refuse");
        may.set(true);
        if (world.pe() != 0) {
            request.post();
        }
        request.await();
        assertThat(longs.get(1)).isEqualTo(world.size() * (world.size() + 1L) / 2);
        memory.close();
        assertThatThrownBy(request::post).isInstanceOf(IllegalStateException.class);
        request.close();
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("a collective that waits throws in a callback and in a condition, without harm to any member")
    void waitsInCallback(World world) {
        AtomicReference<RuntimeException> inCallback = new AtomicReference<>();
        AtomicReference<RuntimeException> inCondition = new AtomicReference<>();
        Team team = world.team();
        Request first = team.prepare(
                Collective.barrier().onComplete(_ -> inCallback.set(catchRuntimeException(() -> team.sum(10L)))));
        Request second = team.prepare(Collective.barrier());
        first.post();
        second.postWhen(() -> {
            inCondition.set(catchRuntimeException(team::barrier));
            return true;
        });
        assertThat(team.sum(1L)).isEqualTo(world.size());
        first.await();
        second.await();
        for (RuntimeException refused : List.of(inCallback.get(), inCondition.get())) {
            assertThat(refused)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("PE " + world.pe(), "from a callback or a condition");
        }
        assertThat(team.sum(2L)).isEqualTo(2L * world.size());
        first.close();
        second.close();
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("a close that is refused in a callback, of one member alone, leaves its requests as they were")
    void closesInCallback(World world) {
        try (SymmetricMemory memory = world.allocate(24)) {
            LongView longs = memory.longs();
            Team team = world.team().duplicate();
            Collective sum = sum(longs);
            postAndAwait(team, sum);
            AtomicReference<RuntimeException> refused = new AtomicReference<>();
            postAndAwait(
                    team, world.pe() == 0 ? sum.onComplete(_ -> refused.set(catchRuntimeException(team::close))) : sum);
            if (world.pe() == 0) {
                assertThat(refused.get()).isInstanceOf(IllegalStateException.class);
                longs.put(2, 7, 1);
                world.context().quiet();
            } else if (world.pe() == 1) {
                longs.waitUntil(2, Comparison.EQ, 7); // late enough for what the other has told by its close
            }
            for (int round = 0; round < 3; round++) {
                longs.set(0, 1);
                postAndAwait(team, sum);
                assertThat(longs.get(1)).isEqualTo(world.size());
            }
            team.close();
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("what a callback throws comes out of the wait for its request, on every member, and never of a post")
    void throwsInCallback(World world) {
        SymmetricMemory memory = world.allocate(Long.BYTES);
        LongView posted = memory.longs();
        for (boolean isLater : new boolean[] {false, true}) {
            Request request = world.team().prepare(Collective.barrier().onComplete(_ -> {
                throw new AssertionError("by the callback");
            }));
            if (isLater && world.pe() == 0) {
                posted.waitUntil(0, Comparison.GE, world.size() - 1); // so that the post finds the run complete
            }
            request.post();
            if (isLater && world.pe() != 0) {
                posted.add(0, 1, 0); // no call that waits: it would find the end in place of the request's own
            }
            assertThatThrownBy(request::await).isInstanceOf(AssertionError.class);
            request.await(); // it has been told
            assertThat(request.isComplete()).isTrue();
            request.close();
            world.team().barrier();
        }
        memory.close();
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("one request begins behind another that has been closed before its turn came")
    void behindAClosedOne(World world) {
        Team team = world.team();
        AtomicBoolean may = new AtomicBoolean();
        Request before = team.prepare(Collective.barrier());
        before.post();
        List<Request> held = List.of(
                team.prepare(Collective.barrier()),
                team.prepare(Collective.barrier()),
                team.prepare(Collective.barrier()),
                team.prepare(Collective.barrier()));
        held.forEach(each -> each.postWhen(may::get));
        Request behind = team.prepare(Collective.barrier());
        behind.postWhen(before::isComplete);
        before.await();
        before.close();
        assertThat(before.isComplete()).isTrue();
        may.set(true);
        behind.await();
        held.forEach(Request::await);
        held.forEach(Request::close);
        behind.close();
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("a member without memory for its part throws, and its waiters get an error")
    void noScratch(World world) {
        try (SymmetricMemory most = world.allocate(world.heapStatistics().largestFreeBytes() / 8 * 7);
                Team team = world.team().duplicate()) {
            LongView longs = most.longs();
            long count = most.byteSize() / Long.BYTES / 3;
            boolean isRoot = world.pe() == 0;
            Collective sum = Collective.reduce(Reduction.SUM, 0)
                    .source(longs, 0, count)
                    .target(longs, isRoot ? 2 * count : 0, count)
                    .withAlgorithm("knomial");
            for (boolean isFirst : new boolean[] {true, false}) {
                assertThatThrownBy(() -> postAndAwait(team, sum))
                        .isExactlyInstanceOf(CoterieException.class)
                        .hasMessageContaining(
                                isRoot && isFirst
                                        ? "bytes of scratch memory are free in the heap"
                                        : "PE 0 could not prepare reduce: no ");
                world.team().barrier();
            }
            longs.set(0, 1);
            team.allReduce(Reduction.SUM, longs, 1, longs, 0, 1);
            assertThat(longs.get(1)).isEqualTo(world.size());
        }
    }
}

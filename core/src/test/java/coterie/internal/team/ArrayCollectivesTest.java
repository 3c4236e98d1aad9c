// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static coterie.testing.AllocationAssertions.assertClean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.CustomReduction;
import coterie.ElementType;
import coterie.ExtendedReduction;
import coterie.HeapStatistics;
import coterie.IntegerReduction;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemoryException;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.internal.world.LocalJob;
import coterie.internal.world.PeWorld;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("collectives on arrays and segments")
@ExtendWith(TestSettings.class)
class ArrayCollectivesTest {
    /// With staging memory of 1 KiB: nothing, less than a piece, exactly one, many.
    private static final int[] COUNTS = {0, 1, 7, 128, 129, 500};

    private final List<String> messages = new ArrayList<>();

    /// Element `i` of what member `m` gives to block `block`.
    private static int given(int member, int block, int i) {
        return 1 + (31 * member + 7 * block + i) % 11;
    }

    private static int sum(int members, int block, int i) {
        return IntStream.range(0, members).map(m -> given(m, block, i)).sum();
    }

    private static Object filled(LocalKind kind, int me, int blocks, int count) {
        Object memory = kind.make(blocks * count);
        for (int block = 0; block < blocks; block++) {
            for (int i = 0; i < count; i++) {
                kind.set(memory, block * count + i, given(me, block, i));
            }
        }
        return memory;
    }

    @FunctionalInterface
    private interface Expected {
        int of(int block, int i);
    }

    private static void check(String what, LocalKind kind, Object memory, int blocks, int count, Expected expected) {
        for (int block = 0; block < blocks; block++) {
            for (int i = 0; i < count; i++) {
                assertThat(kind.get(memory, block * count + i))
                        .as("%s, block %d, element %d of %d", what, block, i, count)
                        .isEqualTo(expected.of(block, i));
            }
        }
    }

    private static void checkAll(Team team, LocalKind kind, int count, int root) {
        int me = team.member();
        int n = team.size();
        boolean isRoot = me == root;
        Object values = filled(kind, me, 1, count);
        kind.allReduce(team, values);
        check("allReduce", kind, values, 1, count, (_, i) -> sum(n, 0, i));
        Object reduced = filled(kind, me, 1, count);
        kind.reduce(team, reduced, root);
        check("reduce", kind, reduced, 1, count, (_, i) -> isRoot ? sum(n, 0, i) : given(me, 0, i));
        Object sent = filled(kind, me, 1, count);
        kind.broadcast(team, sent, root);
        check("broadcast", kind, sent, 1, count, (_, i) -> given(root, 0, i));
        Object many = filled(kind, me, n, count);
        Object one = kind.make(count);
        kind.reduceScatter(team, one, many);
        check("reduceScatter", kind, one, 1, count, (_, i) -> sum(n, me, i));
        kind.scatter(team, one, isRoot ? many : null, root);
        check("scatter", kind, one, 1, count, (_, i) -> given(root, me, i));
        Object all = kind.make(n * count);
        kind.allToAll(team, all, many);
        check("allToAll", kind, all, n, count, (block, i) -> given(block, me, i));
        kind.allToAll(team, many, many);
        check("allToAll in place", kind, many, n, count, (block, i) -> given(block, me, i));
        Object mine = filled(kind, me, 1, count);
        kind.allGather(team, all, mine);
        check("allGather", kind, all, n, count, (block, i) -> given(block, 0, i));
        Object gathered = isRoot ? kind.make(n * count) : null;
        kind.gather(team, gathered, mine, root);
        if (gathered != null) {
            check("gather", kind, gathered, n, count, (block, i) -> given(block, 0, i));
        }
        check("source", kind, mine, 1, count, (_, i) -> given(me, 0, i));
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, true", "4, true", "5, true", "1, false", "3, false"})
    @DisplayName("every collective of every type and length has the elements that its definition says")
    void results(int members, boolean direct) {
        set(Setting.STAGING_KIB, "1");
        setLoadStore(direct);
        try (LocalJob job = new LocalJob(members)) {
            job.run(world -> {
                Team reversed = world.team().splitStrided(members - 1, -1, members);
                int number = 0;
                int call = 0;
                for (LocalKind kind : LocalKind.all()) {
                    number++; // so that each length meets some types: they differ in little else than how they are
                    // copied
                    for (int count : COUNTS) {
                        call++;
                        if (count == 129 || (call + number) % 3 == 0) {
                            checkAll(call % 2 == 0 ? world.team() : reversed, kind, count, call % members);
                        }
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"1, true", "3, true", "3, false"})
    @DisplayName(
            "extended and custom reductions combine whole elements of theirs, also one that is longer than a piece")
    void operators(int members, boolean direct) {
        set(Setting.STAGING_KIB, "1");
        setLoadStore(direct);
        int width = 3000; // longs of an element; staging memory has 128 at first
        CustomReduction wide = new CustomReduction(
                "last of " + width,
                width * Long.BYTES,
                (target, _, right, count) -> MemorySegment.copy(right, 0, target, 0, count * width * Long.BYTES));
        try (LocalJob job = new LocalJob(members)) {
            job.run(world -> {
                Team team = world.team();
                int me = team.member();
                double[] means = new double[300];
                Arrays.fill(means, me);
                team.allReduce(ExtendedReduction.AVERAGE, means);
                assertThat(means).containsOnly((members - 1) / 2.0);
                int[] pairs = {me, 10 + me, -me, 20 + me};
                team.allReduce(ExtendedReduction.MIN_LOCATION, pairs);
                assertThat(pairs).containsExactly(0, 10, 1 - members, 19 + members);
                long[] elements = new long[2 * width];
                Arrays.fill(elements, me);
                team.allReduce(wide, elements);
                assertThat(elements).containsOnly(members - 1);
                Arrays.fill(elements, me);
                team.reduce(wide, elements, 0);
                assertThat(elements).containsOnly(me == 0 ? members - 1 : me);
                long[] block = new long[width];
                long[] blocks = new long[width * members];
                Arrays.fill(blocks, me);
                team.reduceScatter(wide, block, blocks);
                assertThat(block).containsOnly(members - 1);
                assertThatThrownBy(() -> team.allReduce(ExtendedReduction.MAX_LOCATION, new int[3]))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("allReduce")
                        .hasMessageContaining("3 elements are not a multiple of the reduction's 2 elements");
                assertThatThrownBy(() -> team.allReduce(ExtendedReduction.AVERAGE, new long[3]))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("allReduce")
                        .hasMessageContaining("AVERAGE is no reduction of LONG");
                assertThat(team.sum(1L)).isEqualTo(members);
            });
        }
    }

    @Test
    @DisplayName("repeated calls allocate nothing, in one piece and in many")
    void allocation() {
        set(Setting.STAGING_KIB, "4");
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                Team team = world.team();
                double[] few = new double[8];
                double[] many = new double[3000];
                int[] all = new int[2000];
                int[] mine = new int[1000];
                MemorySegment bytes = Arena.global().allocate(10_000);
                assertClean("collectives on arrays", value -> team.allReduce(Reduction.MAX, value), () -> {
                    for (int run = 0; run < 20; run++) {
                        team.allReduce(Reduction.SUM, few);
                        team.allReduce(Reduction.MAX, many);
                        team.allReduce(Reduction.SUM, ElementType.BYTE, bytes);
                        team.reduce(Reduction.SUM, many, 1);
                        team.broadcast(many, run & 1);
                        team.reduceScatter(Reduction.MIN, mine, all);
                        team.allGather(all, mine);
                        team.gather(all, mine, 0);
                        team.scatter(mine, all, 1);
                        team.allToAll(all, all);
                    }
                });
            });
        }
    }

    @Test
    @DisplayName("equal runs of a described collective allocate nothing but the description")
    void runs() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                Team team = world.team();
                LongView longs = world.allocate(1 << 12).longs();
                Collective sum = Collective.allReduce(Reduction.SUM)
                        .source(longs, 0, 100)
                        .target(longs, 100, 100);
                Collective reduce = Collective.reduce(Reduction.SUM, 1)
                        .source(longs, 0, 100)
                        .target(longs, 100, 100);
                Collective barrier = Collective.barrier();
                assertClean("runs", value -> team.allReduce(Reduction.MAX, value), () -> {
                    for (int run = 0; run < 20; run++) {
                        team.run(sum);
                        team.run(reduce);
                        team.run(barrier);
                    }
                });
            });
        }
    }

    /// Expects an exception of each call, on the only member, and that nothing has changed.
    private void refused(Class<? extends Exception> type, String message, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(type)
                .hasMessageMatching("(?s)\\w+ on team \"world\", PE 0: .*")
                .hasMessageContaining(message);
        messages.add(message);
    }

    @Test
    @DisplayName("arguments out of range are refused by operation, team, PE, value and what is allowed")
    void refusals() {
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                Team team = world.team();
                double[] two = {1, 2};
                double[] three = {3, 4, 5};
                HeapStatistics before = world.heapStatistics();
                refused(
                        IllegalArgumentException.class,
                        "AND is not defined for floating-point numbers",
                        () -> team.allReduce(IntegerReduction.AND, ElementType.DOUBLE, MemorySegment.ofArray(two)));
                refused(
                        IllegalArgumentException.class,
                        "the target has 3 elements; required are 1 block of 2",
                        () -> team.allGather(three, two));
                refused(
                        IllegalArgumentException.class,
                        "the target has 2 elements; required are 1 block of 3",
                        () -> team.allToAll(two, three));
                refused(IndexOutOfBoundsException.class, "root 1 is outside [0, 1)", () -> team.broadcast(two, 1));
                refused(
                        IllegalArgumentException.class,
                        "the values segment has 7 bytes; allowed are multiples of 4, the size of FLOAT",
                        () -> team.allReduce(Reduction.SUM, ElementType.FLOAT, MemorySegment.ofArray(new byte[7])));
                refused(
                        IllegalArgumentException.class,
                        "the values segment is read-only",
                        () -> team.allReduce(
                                Reduction.SUM,
                                ElementType.BYTE,
                                MemorySegment.ofArray(new byte[8]).asReadOnly()));
                MemorySegment closed;
                try (Arena arena = Arena.ofConfined()) {
                    closed = arena.allocate(8);
                }
                refused(
                        IllegalStateException.class,
                        "the arena of the source segment was closed",
                        () -> team.allGather(ElementType.LONG, MemorySegment.ofArray(new long[1]), closed));
                assertThat(two).containsExactly(1, 2);
                assertThat(three).containsExactly(3, 4, 5);
                assertThat(world.heapStatistics()).isEqualTo(before);
            });
        }
        assertThat(messages).hasSize(7);
    }

    /// Runs on two members, each of which must get a mismatch that names what is different.
    private static void mismatch(String message, Consumer<World> body) {
        try (LocalJob job = new LocalJob(2)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                world.team().allReduce(Reduction.SUM, new int[3]); // there is staging memory
                job.meet();
                body.accept(world);
            });
            assertThat(failures).hasSize(2);
            assertThat(failures.values())
                    .allSatisfy(failure -> assertThat(failure)
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContaining(message));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 1000, 5000})
    @DisplayName(
            "lengths, types, reductions and collectives that differ are found on all members, before anything changes")
    void mismatches(int count) {
        set(Setting.STAGING_KIB, "4");
        List<double[]> arrays = List.of(new double[count], new double[count + 1]);
        arrays.forEach(array -> Arrays.fill(array, 7));
        mismatch("members disagree on the count: " + count, world -> {
            world.team().allReduce(Reduction.SUM, arrays.get(world.pe()));
        });
        mismatch("members disagree on the count: " + count, world -> {
            world.team().reduce(Reduction.SUM, arrays.get(world.pe()), 0);
        });
        mismatch("SUM of DOUBLE", world -> {
            world.team()
                    .allReduce(
                            world.pe() == 0 ? Reduction.SUM : Reduction.MAX,
                            arrays.get(0).clone());
        });
        mismatch("allReduce", world -> {
            if (world.pe() == 0) {
                world.team().allReduce(Reduction.SUM, arrays.get(0));
            } else {
                world.team().barrier();
            }
        });
        mismatch("reduce", world -> {
            if (world.pe() == 0) {
                world.team().reduce(Reduction.SUM, arrays.get(0), 0);
            } else {
                world.team().allToAll(new int[4], new int[4]);
            }
        });
        assertThat(arrays).allSatisfy(array -> assertThat(array).containsOnly(7));
    }

    @Test
    @DisplayName("a broadcast of other lengths fails on all members, in this call or the next")
    void broadcastMismatch() {
        set(Setting.STAGING_KIB, "1");
        for (int longer : new int[] {20, 1000}) {
            mismatch("", world -> {
                Team team = world.team();
                team.broadcast(new int[world.pe() == 0 ? 10 : longer], 0);
                team.barrier();
            });
        }
    }

    @Test
    @DisplayName("in a team's first call a mismatch names the staging memory")
    void firstMismatch() {
        try (LocalJob job = new LocalJob(2)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team();
                assertThat(world.allocate(64).byteSize()).isEqualTo(64);
                if (world.pe() == 0) {
                    team.allReduce(Reduction.SUM, new int[1]);
                } else {
                    team.barrier();
                }
            });
            assertThat(failures.values())
                    .allSatisfy(failure -> assertThat(failure)
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContaining("staging memory"));
            assertThat(failures).hasSize(2);
        }
    }

    @Test
    @DisplayName("without room for staging memory all members get an exception that names it; later there may be room")
    void noRoom() {
        set(Setting.STAGING_KIB, "100");
        try (LocalJob job = LocalJob.withHeap(2, 128 << 10)) {
            job.run(world -> {
                Team team = world.team();
                int[] values = {world.pe() + 1};
                try (var block = world.allocate(64 << 10)) {
                    assertThat(block.byteSize()).isPositive();
                    assertThatThrownBy(() -> team.allReduce(Reduction.SUM, values))
                            .isInstanceOf(SymmetricMemoryException.class)
                            .isInstanceOf(CoterieException.class)
                            .hasMessageContaining("allReduce on team \"world\", PE " + world.pe())
                            .hasMessageContaining("staging memory for arrays and segments (setting STAGING_KIB)")
                            .hasMessageContaining("102400 bytes");
                    assertThat(values).containsExactly(world.pe() + 1);
                }
                team.allReduce(Reduction.SUM, values);
                assertThat(values).containsExactly(3);
            });
        }
    }

    @Test
    @DisplayName("staging memory counts as used, is no leftover, and ends with the team")
    void endsWithTheTeam() {
        set(Setting.STAGING_KIB, "64");
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                world.allocate(64).free();
                HeapStatistics before = world.heapStatistics();
                try (Team team = world.team().duplicate()) {
                    team.broadcast(new int[4], 1);
                    HeapStatistics during = world.heapStatistics();
                    assertThat(during.usedBytes() - before.usedBytes()).isEqualTo(64 << 10);
                    assertThat(during.blocks() - before.blocks()).isEqualTo(1);
                    assertThat(PeWorld.of(world).leftovers()).isEmpty();
                }
                world.team().sync();
                world.allocate(64).free(); // learns that all have closed the team
                assertThat(world.heapStatistics().usedBytes()).isEqualTo(before.usedBytes());
                assertThat(world.heapStatistics().largestFreeBytes()).isEqualTo(before.largestFreeBytes());
            });
        }
    }

    @Test
    @DisplayName("a second thread gets an exception, and the first one's elements stay whole")
    void secondThread() {
        set(Setting.STAGING_KIB, "1");
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                Team team = world.team();
                int[] ours = new int[50_000];
                AtomicBoolean isRefused = new AtomicBoolean(world.pe() == 0);
                Thread second = Thread.ofPlatform().unstarted(() -> intrude(team, isRefused));
                second.start();
                boolean goesOn = true;
                while (goesOn) {
                    Arrays.fill(ours, world.pe() + 1);
                    insist(() -> team.allReduce(Reduction.SUM, ours));
                    assertThat(ours).containsOnly(3);
                    long[] missing = {isRefused.get() ? 0 : 1};
                    insist(() -> team.allReduce(Reduction.MAX, missing));
                    goesOn = missing[0] > 0;
                }
                second.join();
            });
        }
    }

    /// Calls with a wrong root, which goes through on no thread, until the thread is refused as the second one.
    private static void intrude(Team team, AtomicBoolean isRefused) {
        while (!isRefused.get()) {
            try {
                team.broadcast(new int[] {8}, -1);
            } catch (IndexOutOfBoundsException e) {
                Thread.onSpinWait();
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("is in a collective of the team");
                isRefused.set(true);
            }
        }
    }

    /// Calls again as long as the second thread was there first.
    private static void insist(Runnable call) {
        boolean isDone = false;
        while (!isDone) {
            try {
                call.run();
                isDone = true;
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("is in a collective of the team");
            }
        }
    }
}

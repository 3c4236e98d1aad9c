// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import coterie.CoterieException;
import coterie.CustomReduction;
import coterie.IntegerView;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/// Long vectors that are cut into eleven fragments, the last ones shorter, seen by a reduction of the program's
/// own.
class FragmentConformanceTest {
    private static final int COUNT = 1003;
    private static final int FRAGMENTS = 11;
    private static final int PES = 4;
    private static final int NOT_WRITTEN = -1;

    @BeforeAll
    static void cut() {
        TwoNodeSettings.set();
    }

    @AfterAll
    static void asBefore() {
        TwoNodeSettings.clear();
    }

    /// A batch that was reduced.
    ///
    /// @param isBetweenNodes whether its operands are of both nodes
    private record Batch(int fragment, boolean isBetweenNodes) {}

    /// Unites sets of PEs, each element with its index above: so that it knows what it is given, and that no PE
    /// comes twice.
    private static final class Union {
        private static final int BITS = 8;
        private static final int ON_FIRST = 0b0011;

        private final List<Batch> batches = new ArrayList<>();
        private final int badFragment;
        private final CustomReduction reduction = new CustomReduction("union", Long.BYTES, this::fold);

        Union(int badFragment) {
            this.badFragment = badFragment;
        }

        static long element(int index, int pes) {
            return (long) index << BITS | pes;
        }

        private void fold(MemorySegment target, MemorySegment left, MemorySegment right, long count) {
            int pes = 0;
            int first = (int) (left.getAtIndex(ValueLayout.JAVA_LONG, 0) >> BITS);
            for (long i = 0; i < count; i++) {
                long one = left.getAtIndex(ValueLayout.JAVA_LONG, i);
                long other = right.getAtIndex(ValueLayout.JAVA_LONG, i);
                if (one >> BITS != first + i || other >> BITS != first + i || (one & other & (1 << BITS) - 1) != 0) {
                    throw new IllegalStateException("element " + i + " of " + count + ": " + one + " and " + other);
                }
                pes |= (int) (one | other);
                target.setAtIndex(ValueLayout.JAVA_LONG, i, one | other);
            }
            int fragment = fragment(first);
            assertThat(fragment(first + (int) count - 1))
                    .as("within a fragment")
                    .isEqualTo(fragment);
            batches.add(new Batch(fragment, (pes & ON_FIRST) != 0 && (pes & (1 << PES) - 1 & ~ON_FIRST) != 0));
            if (fragment == badFragment) {
                throw new ArithmeticException("fragment " + fragment + " is bad");
            }
        }

        /// The fragment of an element: 1003 are two fragments of 92 and nine of 91.
        private static int fragment(int index) {
            int longer = COUNT % FRAGMENTS * (COUNT / FRAGMENTS + 1);
            return index < longer
                    ? index / (COUNT / FRAGMENTS + 1)
                    : COUNT % FRAGMENTS + (index - longer) / (COUNT / FRAGMENTS);
        }
    }

    private static void fill(World world, IntegerView longs) {
        for (int i = 0; i < COUNT; i++) {
            longs.set(i, Union.element(i, 1 << world.pe()));
            longs.set(COUNT + i, NOT_WRITTEN);
        }
    }

    private static Collective allreduce(Union union, IntegerView longs, String algorithm) {
        return Collective.allReduce(union.reduction)
                .source(longs, 0, COUNT)
                .target(longs, COUNT, COUNT)
                .withAlgorithm(algorithm)
                .persistent();
    }

    @SpmdTest(pes = PES, nodes = "a:2,b:2")
    @DisplayName("UC-21 eleven fragments, the last ones shorter: each is reduced once, in all three orders")
    void elevenFragments(World world) {
        try (SymmetricMemory memory = world.allocate(16L * COUNT)) {
            LongView longs = memory.longs();
            for (String algorithm : List.of("sra", "rab", "split_rail")) {
                Union union = new Union(-1);
                try (Request request = world.team().prepare(allreduce(union, longs, algorithm))) {
                    assertThat(request.algorithm()).endsWith("/" + algorithm);
                    for (int round = 0; round < 3; round++) {
                        union.batches.clear();
                        fill(world, longs);
                        request.post();
                        request.await();
                        for (int i = 0; i < COUNT; i++) {
                            assertThat(longs.get(COUNT + i)).isEqualTo(Union.element(i, (1 << PES) - 1));
                        }
                        if (algorithm.equals("rab")) {
                            checkSequence(union);
                        }
                        boolean reduces =
                                !algorithm.equals("rab") || world.nodeTeam().member() == 0;
                        assertThat(new TreeSet<>(union.batches.stream()
                                        .map(Batch::fragment)
                                        .toList()))
                                .as("fragments that are reduced here by %s", algorithm)
                                .hasSize(reduces ? FRAGMENTS : 0);
                        world.team().barrier();
                    }
                }
            }
        }
    }

    /// Each part of a fragment is over before the same part of the next begins.
    private static void checkSequence(Union union) {
        for (boolean isBetweenNodes : new boolean[] {false, true}) {
            List<Integer> fragments = union.batches.stream()
                    .filter(batch -> batch.isBetweenNodes() == isBetweenNodes)
                    .map(Batch::fragment)
                    .toList();
            assertThat(fragments).isSorted();
        }
    }

    @SpmdTest(pes = PES, nodes = "a:2,b:2")
    @DisplayName("UC-21 at depth 2 no third fragment begins as long as the other node keeps the first from its end")
    void depth(World world) {
        try (SymmetricMemory memory = world.allocate(16L * COUNT)) {
            LongView longs = memory.longs();
            Union union = new Union(-1);
            fill(world, longs);
            Request request = world.team()
                    .prepare(Collective.reduce(union.reduction, 0)
                            .source(longs, 0, COUNT)
                            .target(longs, COUNT, COUNT)
                            .withAlgorithm("2step"));
            assertThat(request.algorithm()).isEqualTo("hier/2step");
            if (world.pe() < PES / 2) {
                request.post();
                while (world.pe() == 0 && union.batches.size() < 2) {
                    assertThat(request.test()).isFalse();
                }
                for (int time = 0; time < 100; time++) {
                    world.nodeTeam().sync();
                }
                assertThat(union.batches).extracting(Batch::fragment).allMatch(fragment -> fragment < 2);
            }
            world.team().barrier();
            if (world.pe() >= PES / 2) {
                request.post();
            }
            request.await();
            for (int i = 0; i < COUNT && world.pe() == 0; i++) {
                assertThat(longs.get(COUNT + i)).isEqualTo(Union.element(i, (1 << PES) - 1));
            }
            request.close();
        }
    }

    @SpmdTest(pes = PES, nodes = "a:2,b:2")
    @DisplayName("UC-21 an error in a fragment stops the rest, and is told to all; other teams go on")
    void errorInTheMiddle(World world) {
        int bad = 5;
        try (SymmetricMemory memory = world.allocate(16L * COUNT)) {
            LongView longs = memory.longs();
            for (String algorithm : List.of("sra", "rab", "split_rail")) {
                Team team = world.team().duplicate();
                Union union = new Union(world.pe() == 2 ? bad : -1);
                AtomicInteger calls = new AtomicInteger();
                fill(world, longs);
                world.team().barrier();
                Request request =
                        team.prepare(allreduce(union, longs, algorithm).onComplete(_ -> calls.incrementAndGet()));
                RuntimeException told = catchRuntimeException(() -> {
                    request.post();
                    request.await();
                });
                if (world.pe() == 2) {
                    assertThat(told).isInstanceOf(ArithmeticException.class).hasMessage("fragment 5 is bad");
                } else {
                    assertThat(told)
                            .isInstanceOf(CoterieException.class)
                            .hasMessageContainingAll("allReduce", "PE 2", "fragment 5 is bad");
                }
                assertThat(request.isComplete()).isFalse();
                assertThat(calls).as("calls of whenOver").hasValue(1);
                assertThat(union.batches).as("by %s", algorithm).allMatch(batch -> batch.fragment() < bad + 2);
                world.team().barrier();
                for (int i = 0; i < COUNT; i++) {
                    if (Union.fragment(i) >= bad + 2) {
                        assertThat(longs.get(COUNT + i)).as("element %s", i).isEqualTo(NOT_WRITTEN);
                    }
                }
                assertThatThrownBy(() -> team.prepare(Collective.barrier()))
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContainingAll("PE 2 aborted in allReduce", "fragment 5 is bad");
                team.barrier();
                assertThat(world.team().sum(1L)).isEqualTo(PES);
                request.close();
                team.close();
            }
        }
    }
}

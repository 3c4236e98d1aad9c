// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.ElementType;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// Barrier, sum and broadcast over the world team.
class CollectiveConformanceTest {

    @EverySize
    @DisplayName("SH-C1 broadcast from each root: everybody's target has the root's source, the root's own too")
    void broadcastReachesAll(World world) {
        try (SymmetricMemory source = world.allocate(80);
                SymmetricMemory target = world.allocate(96)) {
            for (int root = 0; root < world.size(); root++) {
                for (int i = 0; i < 10; i++) {
                    Longs.set(source, i, 100L * world.pe() + i);
                }
                target.segment().fill((byte) -1);
                world.team().barrier();
                world.team().broadcast(target, 8, source, 0, 80, root);
                assertThat(Longs.get(target, 0)).isEqualTo(-1);
                for (int i = 0; i < 10; i++) {
                    assertThat(Longs.get(target, i + 1)).isEqualTo(100L * root + i);
                }
                assertThat(Longs.get(target, 11)).isEqualTo(-1);
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("SH-C2 broadcast in place: all have what the root had")
    void broadcastInPlace(World world) {
        int root = world.size() / 2;
        try (SymmetricMemory memory = world.allocate(80)) {
            for (int i = 0; i < 10; i++) {
                Longs.set(memory, i, 100L * world.pe() + i);
            }
            world.team().barrier();
            world.team().broadcast(memory, 0, memory, 0, 80, root);
            assertThat(Longs.of(memory))
                    .isEqualTo(Longs.counting(100L * root, 10).toArray(JAVA_LONG));
        }
    }

    @EverySize
    @DisplayName("SH-C9, SH-C11 sums of every type, into another block and in place; integers wrap")
    void sumsOfEveryType(World world) {
        long n = world.size();
        int count = 1_000;
        try (SymmetricMemory source = world.allocate(8L * count);
                SymmetricMemory target = world.allocate(8L * count)) {
            for (int i = 0; i < count; i++) {
                source.segment().setAtIndex(JAVA_INT, i, Integer.MAX_VALUE - i);
            }
            world.team().sum(ElementType.INT, target, 0, source, 0, count);
            for (int i = 0; i < count; i++) {
                assertThat(target.segment().getAtIndex(JAVA_INT, i)).isEqualTo((int) (n * (Integer.MAX_VALUE - i)));
            }

            for (int i = 0; i < count; i++) {
                Longs.set(source, i, Long.MAX_VALUE - world.pe() - i);
            }
            world.team().sum(ElementType.LONG, source, 0, source, 0, count);
            for (int i = 0; i < count; i++) {
                assertThat(Longs.get(source, i)).isEqualTo(n * (Long.MAX_VALUE - i) - n * (n - 1) / 2);
            }

            for (int i = 0; i < count; i++) {
                source.segment().setAtIndex(JAVA_FLOAT, i, world.pe() + 0.5f);
            }
            world.team().sum(ElementType.FLOAT, source, 0, source, 0, count);
            assertThat(source.segment().getAtIndex(JAVA_FLOAT, count - 1)).isEqualTo(n * (n - 1) / 2f + n * 0.5f);

            for (int i = 0; i < count; i++) {
                source.segment().setAtIndex(JAVA_DOUBLE, i, world.pe() * 0.25);
            }
            world.team().sum(ElementType.DOUBLE, target, 0, source, 0, count);
            for (int i = 0; i < count; i++) {
                assertThat(target.segment().getAtIndex(JAVA_DOUBLE, i)).isEqualTo(n * (n - 1) / 8.0);
            }
        }
    }

    @EverySize
    @DisplayName("SH-C15 zero elements move nothing, and the next collectives are right")
    void zeroElementsAreACollective(World world) {
        Team team = world.team();
        try (SymmetricMemory memory = world.allocate(16);
                SymmetricMemory empty = world.allocate(0)) {
            Longs.set(memory, 0, 1);
            team.barrier();
            for (int i = 0; i < 10; i++) {
                team.sum(ElementType.LONG, memory, 8, memory, 0, 0);
                team.broadcast(memory, 16, memory, 16, 0, world.size() - 1);
                team.broadcast(empty, 0, empty, 0, 0, 0);
                assertThat(Longs.get(memory, 1)).isZero();
            }
            team.sum(ElementType.LONG, memory, 8, memory, 0, 1);
            assertThat(Longs.get(memory, 1)).isEqualTo(world.size());
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("SH-C16 alone, every collective copies")
    void aloneCollectivesCopy(World world) {
        Team team = world.team();
        try (SymmetricMemory memory = world.allocate(32)) {
            Longs.set(memory, 0, 42);
            team.broadcast(memory, 8, memory, 0, 8, 0);
            team.sum(ElementType.LONG, memory, 16, memory, 8, 1);
            team.barrier();
            assertThat(Longs.of(memory)).containsExactly(42, 42, 42, 0);
            assertThat(team.sum(-3L)).isEqualTo(-3);
            assertThat(Double.doubleToRawLongBits(team.sum(-0.0))).isEqualTo(Double.doubleToRawLongBits(-0.0));
        }
    }

    @EverySize
    @DisplayName("SH-C17 100 mixed collectives back to back on the same buffers, without a barrier of mine")
    void backToBack(World world) {
        Team team = world.team();
        int n = world.size();
        try (SymmetricMemory buffer = world.allocate(64)) {
            long expected = 1;
            for (int i = 0; i < 8; i++) {
                Longs.set(buffer, i, expected);
            }
            team.barrier();
            for (int round = 0; round < 100; round++) {
                team.sum(ElementType.LONG, buffer, 0, buffer, 0, 8);
                team.broadcast(buffer, 0, buffer, 0, 64, round % n);
                expected *= n;
                assertThat(team.sum((long) round * world.pe())).isEqualTo((long) round * n * (n - 1) / 2);
                if (round % 10 == 9) {
                    team.barrier();
                }
            }
            assertThat(Longs.of(buffer)).containsOnly(expected);
        }
    }

    @EverySize
    @DisplayName("SH-C19 floating sums have the same bits on all members and in every repetition")
    void floatingSumsAreReproducible(World world) {
        int count = 257;
        SplittableRandom random = new SplittableRandom(world.pe());
        try (SymmetricMemory source = world.allocate(8L * count);
                SymmetricMemory target = world.allocate(8L * count);
                SymmetricMemory reference = world.allocate(8L * count)) {
            double[] mine = random.doubles(count, -1e10, 1e10).toArray();
            for (int i = 0; i < count; i++) {
                source.segment().setAtIndex(JAVA_DOUBLE, i, mine[i] * Math.pow(10, i % 20 - 10));
            }
            world.team().sum(ElementType.DOUBLE, reference, 0, source, 0, count);
            for (int run = 0; run < 100; run++) {
                world.team().sum(ElementType.DOUBLE, target, 0, source, 0, count);
                assertThat(Longs.of(target)).isEqualTo(Longs.of(reference));
            }
            double first = source.segment().get(JAVA_DOUBLE, 0);
            assertThat(Double.doubleToRawLongBits(world.team().sum(first)))
                    .as("the scalar sum adds in the same order")
                    .isEqualTo(Longs.get(reference, 0));
            world.team().broadcast(target, 0, reference, 0, 8L * count, 0);
            assertThat(Longs.of(target)).as("PE 0's bits").isEqualTo(Longs.of(reference));
        }
    }

    @EverySize
    @DisplayName("SH-C20 a root outside of the team, a negative count, memory of nobody: refused before anybody meets")
    void refusesBadArguments(World world) {
        Team team = world.team();
        SymmetricMemory freed = world.allocate(8);
        freed.close();
        try (SymmetricMemory memory = world.allocate(32)) {
            for (int root : new int[] {-1, world.size()}) {
                assertThatThrownBy(() -> team.broadcast(memory, 0, memory, 0, 8, root))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("broadcast on team \"world\"")
                        .hasMessageContaining("root " + root + " is outside [0, " + world.size() + ")");
            }
            assertThatThrownBy(() -> team.sum(ElementType.INT, memory, 0, memory, 0, -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("count -1");
            assertThatThrownBy(() -> team.sum(ElementType.LONG, memory, 8, memory, 0, 2))
                    .as("partial overlap")
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("overlap");
            assertThatThrownBy(() -> team.sum(ElementType.LONG, memory, 4, memory, 16, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("multiple of 8");
            assertThatThrownBy(() -> team.sum(ElementType.LONG, freed, 0, memory, 0, 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("freed");
            assertThatThrownBy(() -> team.broadcast(memory, 0, memory, 0, 33, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(team.sum(1L)).as("nobody was left behind").isEqualTo(world.size());
        }
    }

    @SpmdTest(pes = {2, 3, 4, 8})
    @DisplayName("SH-C21 one member in another collective: all are told who called what, and the team is poisoned")
    void namesDifferentCollectives(World world) {
        Team team = world.team();
        boolean odd = world.pe() == 1;
        ThrowingCallable mine = odd ? team::barrier : () -> team.sum(1L);
        assertThatThrownBy(mine)
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining(odd ? "barrier" : "sum")
                .hasMessageContaining("PE " + world.pe())
                .hasMessageContaining("PE 0 sum")
                .hasMessageContaining("PE 1 barrier");
        assertThatThrownBy(() -> team.sum(1L))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("PE 1 barrier");
    }

    @SpmdTest(pes = {2, 3, 4, 8})
    @DisplayName("SH-C21 members disagree on a root: all are told who said what")
    void namesDifferentArguments(World world) {
        int root = world.pe() == 1 ? 1 : 0;
        SymmetricMemory empty = world.allocate(0);
        assertThatThrownBy(() -> world.team().broadcast(empty, 0, empty, 0, 0, root))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("broadcast")
                .hasMessageContaining("disagree on the root")
                .hasMessageContaining("1 on PEs [1]");
    }

    @EverySize
    @DisplayName("barrier: what anybody put before is there for all after, 1,000 times")
    void barrierCompletesPuts(World world) {
        int n = world.size();
        try (SymmetricMemory cells = world.allocate(8L * n)) {
            for (long round = 1; round <= 1_000; round++) {
                for (int pe = 0; pe < n; pe++) {
                    cells.longs().put(world.pe(), round, pe);
                }
                world.team().barrier();
                for (int pe = 0; pe < n; pe++) {
                    if (Longs.get(cells, pe) != round) {
                        throw new AssertionError("round " + round + ": PE " + pe + " put " + Longs.get(cells, pe));
                    }
                }
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("the world team's member i is PE i")
    void membersArePes(World world) {
        assertThat(world.team().member()).isEqualTo(world.pe());
        assertThat(world.team().size()).isEqualTo(world.size());
        assertThat(world.team().pe(world.size() - 1)).isEqualTo(world.size() - 1);
        assertThatThrownBy(() -> world.team().pe(world.size()))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("[0, " + world.size() + ")");
    }
}

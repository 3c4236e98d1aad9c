// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.CustomReduction;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import coterie.internal.world.TestSettings;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Vectors that fill most of the heap: what is left is less than a vector, and suffices for every collective.
@ExtendWith(TestSettings.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LongVectorsTest {
    private static final boolean IS_SOAK = Boolean.getBoolean("coterie.soak");

    /// In the soak tier more bytes than an int counts.
    private static final long LONGS = (IS_SOAK ? (2L << 30) + (1L << 20) : 70L << 20) / Long.BYTES;

    /// Two vectors leave less than a vector.
    private static final long HEAP_BYTES = 2 * LONGS * Long.BYTES + (52L << 20);

    private static final long HALF = LONGS / 2;

    /// The places that are looked at: ends, and those beside the borders of pieces of powers of two.
    private static final long[] SPOTS = {0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, HALF - 1, HALF, LONGS - 1};

    private static final ReductionOperator<?> ORDERED =
            new CustomReduction("sum in order", Long.BYTES, LongVectorsTest::add);

    private static void add(MemorySegment target, MemorySegment left, MemorySegment right, long count) {
        for (long index = 0; index < count; index++) {
            long sum = left.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, index)
                    + right.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, index);
            target.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, index, sum);
        }
    }

    private record Vectors(World world, IntegerView source, IntegerView target) {
        void fill() {
            for (long spot : SPOTS) {
                source.set(spot, spot * 3 + 100L * world.pe() + 1);
            }
            world.team().barrier();
        }

        long source(int pe, long spot) {
            return spot * 3 + 100L * pe + 1;
        }

        long sum(long spot) {
            return source(0, spot) + source(1, spot);
        }

        void run(Collective collective) {
            fill();
            try (Request request = world.team().prepare(collective)) {
                request.post();
                request.await();
            }
        }

        /// Checks the spots of the target in `[from, to)`.
        void check(String what, long from, long to, LongUnaryOperator value) {
            for (long spot : SPOTS) {
                if (spot >= from && spot < to) {
                    assertThat(target.get(spot)).as("%s at %s", what, spot).isEqualTo(value.applyAsLong(spot));
                }
            }
            world.team().barrier();
        }
    }

    private static void run(boolean direct, Consumer<Vectors> body) {
        TestSettings.setLoadStore(direct);
        try (LocalJob job = LocalJob.withHeap(2, HEAP_BYTES)) {
            job.run(world -> {
                SymmetricMemory memory = world.allocate(2 * LONGS * Long.BYTES);
                LongView longs = memory.longs();
                body.accept(new Vectors(world, longs.slice(0, LONGS), longs.slice(LONGS, LONGS)));
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("reductions and scans of a vector, by calls and requests")
    void reductions(boolean direct) {
        run(direct, vectors -> {
            int me = vectors.world.pe();
            vectors.fill();
            vectors.world.team().allReduce(Reduction.SUM, vectors.target, 0, vectors.source, 0, LONGS);
            vectors.check("call of allReduce", 0, LONGS, vectors::sum);
            vectors.run(whole(Collective.allReduce(Reduction.SUM), vectors));
            vectors.check("allReduce", 0, LONGS, vectors::sum);
            vectors.run(whole(Collective.reduce(Reduction.SUM, 1), vectors));
            vectors.check("reduce", 0, me == 1 ? LONGS : 0, vectors::sum);
            vectors.run(whole(Collective.inclusiveScan(Reduction.SUM), vectors));
            vectors.check("inclusiveScan", 0, LONGS, spot -> me == 0 ? vectors.source(0, spot) : vectors.sum(spot));
            vectors.run(whole(Collective.exclusiveScan(Reduction.SUM), vectors));
            vectors.check("exclusiveScan", 0, LONGS, spot -> me == 0 ? 0 : vectors.source(0, spot));
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("reduce-scatters, of equal blocks and of any, in any order and in the members' order")
    void reduceScatters(boolean direct) {
        run(direct, vectors -> {
            int me = vectors.world.pe();
            vectors.fill();
            vectors.world.team().reduceScatter(Reduction.SUM, vectors.target, 0, vectors.source, 0, HALF);
            vectors.check("call of reduceScatter", 0, 1, spot -> vectors.sum(spot + me * HALF));
            for (ReductionOperator<?> operator : new ReductionOperator<?>[] {Reduction.SUM, ORDERED}) {
                vectors.run(Collective.reduceScatter(operator)
                        .source(vectors.source, 0, LONGS)
                        .target(vectors.target, 0, HALF));
                vectors.check("reduceScatter", 0, 1, spot -> vectors.sum(spot + me * HALF));
                for (long few : new long[] {0, 12, HALF}) {
                    long many = LONGS - few;
                    vectors.run(Collective.reduceScatterV(operator)
                            .source(vectors.source, new long[] {many, few}, new long[] {0, many})
                            .target(vectors.target, 0, me == 0 ? many : few));
                    if (me == 0) {
                        vectors.check("reduceScatterV", 0, many, vectors::sum);
                    } else {
                        assertThat(vectors.target.get(Math.max(0, few - 1)))
                                .isEqualTo(few == 0 ? vectors.target.get(0) : vectors.sum(LONGS - 1));
                        vectors.world.team().barrier();
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "a reduce-scatter in place takes no scratch memory that grows with the vector, whichever block is long")
    void inPlace(boolean direct) {
        run(direct, vectors -> {
            int me = vectors.world.pe();
            for (ReductionOperator<?> operator : new ReductionOperator<?>[] {Reduction.SUM, ORDERED}) {
                for (long first : new long[] {LONGS - 12, 12}) {
                    long begin = me == 0 ? 0 : first;
                    long mine = me == 0 ? first : LONGS - first;
                    vectors.run(Collective.reduceScatterV(operator)
                            .source(vectors.source, new long[] {first, LONGS - first}, new long[] {0, first})
                            .target(vectors.source, 0, mine));
                    int checked = 0;
                    for (long spot : SPOTS) {
                        if (spot >= begin && spot < begin + mine) {
                            assertThat(vectors.source.get(spot - begin)).isEqualTo(vectors.sum(spot));
                            checked++;
                        }
                    }
                    assertThat(checked).isPositive();
                    vectors.world.team().barrier();
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("collectives that move a vector")
    void moves(boolean direct) {
        run(direct, vectors -> {
            int me = vectors.world.pe();
            vectors.run(whole(Collective.broadcast(1), vectors));
            vectors.check("broadcast", 0, me == 0 ? LONGS : 0, spot -> vectors.source(1, spot));
            for (Collective gather : new Collective[] {Collective.allGather(), Collective.gather(1)}) {
                vectors.run(gather.source(vectors.source, 0, HALF).target(vectors.target, 0, LONGS));
                boolean isTarget = gather.type() == CollectiveType.ALL_GATHER || me == 1;
                vectors.check(gather.toString(), 0, isTarget ? HALF : 0, spot -> vectors.source(0, spot));
                vectors.check(gather.toString(), HALF, isTarget ? HALF + 1 : 0, spot -> vectors.source(1, 0));
            }
            vectors.run(Collective.scatter(0).source(vectors.source, 0, LONGS).target(vectors.target, 0, HALF));
            vectors.check("scatter", 0, 1, spot -> vectors.source(0, spot + me * HALF));
            vectors.run(Collective.allToAll().source(vectors.source, 0, LONGS).target(vectors.target, 0, LONGS));
            vectors.check("allToAll", 0, 1, spot -> vectors.source(0, spot + me * HALF));
            vectors.check("allToAll", HALF, HALF + 1, spot -> vectors.source(1, me * HALF));
        });
    }

    private static Collective whole(Collective collective, Vectors vectors) {
        return collective.source(vectors.source, 0, LONGS).target(vectors.target, 0, LONGS);
    }
}

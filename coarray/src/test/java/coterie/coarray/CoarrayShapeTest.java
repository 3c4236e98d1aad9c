// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static coterie.coarray.Section.all;
import static coterie.coarray.Section.at;
import static coterie.coarray.Section.range;
import static coterie.coarray.Section.vector;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.ElementType;
import coterie.IntegerReduction;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;

/// Bounds, cobounds, sections and vector subscripts of any rank, as Fortran counts them.
class CoarrayShapeTest {

    @SpmdTest(pes = 4, modes = SpmdMode.THREADS)
    @DisplayName("subscripts name elements in Fortran's order from the lower bounds on; cosubscripts name images")
    void subscripts(World world) {
        Images.run(world, scope -> {
            Shape shape = Shape.of(3, 2, 2)
                    .withLower(0, 1, -1)
                    .withCobounds(Cobounds.range(1, 2).from(0));
            IntegerCoarray a = scope.allocateInts(shape);
            int me = Images.thisImage();
            int next = 0;
            for (int k = -1; k <= 0; k++) {
                for (int j = 1; j <= 2; j++) {
                    for (int i = 0; i <= 2; i++) {
                        assertThat(a.at(i, j, k)).isEqualTo(next);
                        assertThat(a.at(new long[] {i, j, k})).isEqualTo(next);
                        a.set(a.at(i, j, k), 100 * me + next++);
                    }
                }
            }
            scope.team().sync();
            assertThat(a.shape()).isEqualTo(shape).hasToString("(0:2, 2, -1:0)[1:2, 0:*]");
            assertThat(a.length()).isEqualTo(12);
            assertThat(a.image(2, 0)).isEqualTo(2);
            assertThat(a.image(1, 1)).isEqualTo(3).isEqualTo(a.imageIndex(1, 1));
            assertThat(a.get(a.at(2, 1, 0), a.image(2, 1))).isEqualTo(408);
            assertThat(a.thisImage()).containsExactly(1 + (me - 1) % 2, (me - 1) / 2);
            String image = " on image " + me + ": ";
            assertThatThrownBy(() -> a.at(0, 3, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("subscripts" + image + "subscript 2 is 3, outside [1, 2] of " + shape);
            assertThatThrownBy(() -> a.at(0, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("2 subscripts; the rank of " + shape + " is 3");
            assertThatThrownBy(() -> a.image(3, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("image" + image + "the cosubscripts [3, 0] name none of the 4 images of initial in"
                            + " [1:2, 0:*]");
            assertThat(scope.allocateLongs(5).shape()).hasToString("(0:4)[1:*]");
            assertThat(scope.allocateLongs(Shape.of()).length()).isEqualTo(1);
            assertThatThrownBy(() -> scope.allocateLongs(me == 2 ? Shape.of(4, 3) : Shape.of(3, 4)))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("12 LONG (3, 4)[1:*] on images [1, 3, 4], 12 LONG (4, 3)[1:*] on images [2]");
            scope.team().sync();
        });
    }

    private static final int RANK_MOST = 4;

    /// The indices that subscripts select, one loop after the other.
    private static long[] expected(Shape shape, List<long[]> chosen) {
        long[] indices = {0};
        for (int dim = chosen.size() - 1; dim >= 0; dim--) {
            long stride = 1;
            for (int d = 1; d <= dim; d++) {
                stride *= shape.extent(d);
            }
            long lower = shape.lower(dim + 1);
            long by = stride;
            long[] outer = indices;
            long[] mine = chosen.get(dim);
            indices = new long[outer.length * mine.length];
            for (int o = 0; o < outer.length; o++) {
                for (int i = 0; i < mine.length; i++) {
                    indices[o * mine.length + i] = outer[o] + (mine[i] - lower) * by;
                }
            }
        }
        return indices;
    }

    private static long[] triplet(long lower, long upper, long stride) {
        return LongStream.iterate(lower, i -> stride > 0 ? i <= upper : i >= upper, i -> i + stride)
                .toArray();
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 120)
    @DisplayName("sections of any rank, with strides of either sign and vectors, are what nested loops over them are")
    void sectionsOfAnyRank(World world) {
        Images.run(world, scope -> {
            Random random = new Random(42);
            int me = Images.thisImage();
            ImageTeam team = scope.team();
            int rounds = Boolean.getBoolean("coterie.soak") ? 3_000 : 40;
            for (int round = 0; round < rounds; round++) {
                int rank = 1 + random.nextInt(RANK_MOST);
                long[] extents = LongStream.generate(() -> 1 + random.nextInt(5))
                        .limit(rank)
                        .toArray();
                long[] lower = LongStream.generate(() -> random.nextInt(7) - 3)
                        .limit(rank)
                        .toArray();
                Shape shape = Shape.of(extents).withLower(lower);
                List<long[]> chosen = new ArrayList<>();
                boolean isOnce = true;
                Section.Subscript[] subscripts = new Section.Subscript[rank];
                for (int dim = 0; dim < rank; dim++) {
                    long first = lower[dim] + random.nextInt((int) extents[dim]);
                    long last = lower[dim] + random.nextInt((int) extents[dim]);
                    long stride = (random.nextBoolean() ? 1L : -1L) * (1 + random.nextInt(3));
                    long[] vector = LongStream.generate(() -> first + (random.nextBoolean() ? last - first : 0))
                            .limit(random.nextInt(4))
                            .toArray();
                    int kind = random.nextInt(4);
                    isOnce &= kind != 3 || LongStream.of(vector).distinct().count() == vector.length;
                    subscripts[dim] = kind == 0
                            ? all()
                            : kind == 1 ? at(first) : kind == 2 ? range(first, last, stride) : vector(vector);
                    chosen.add(
                            switch (kind) {
                                case 0 -> triplet(lower[dim], shape.upper(dim + 1), 1);
                                case 1 -> new long[] {first};
                                case 2 -> triplet(first, last, stride);
                                default -> vector;
                            });
                }
                long[] indices = expected(shape, chosen);
                try (IntegerCoarray a = scope.allocateLongs(shape)) {
                    for (int i = 0; i < a.length(); i++) {
                        a.set(i, 1000L * me + i);
                    }
                    team.sync();
                    Section section = a.section(subscripts);
                    assertThat(section.size()).isEqualTo(indices.length);
                    long[] got = new long[indices.length];
                    a.get(section, got, 3 - me);
                    assertThat(got)
                            .as("%s of %s", Arrays.toString(subscripts), shape)
                            .containsExactly(LongStream.of(indices)
                                    .map(i -> 1000L * (3 - me) + i)
                                    .toArray());
                    team.sync();
                    long[] values =
                            LongStream.range(0, indices.length).map(i -> -1 - i).toArray();
                    if (isOnce) {
                        a.put(section, values, 3 - me);
                    } else if (indices.length > 0) {
                        assertThatThrownBy(() -> a.put(section, values, 3 - me))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessageContaining("has elements twice");
                    }
                    team.sync();
                    for (int i = 0; i < a.length() && isOnce; i++) {
                        int at = Arrays.binarySearch(
                                LongStream.of(indices).sorted().toArray(), i);
                        int place = LongStream.of(indices).boxed().toList().indexOf((long) i);
                        assertThat(a.get(i)).isEqualTo(at < 0 ? 1000L * me + i : -1 - place);
                    }
                    team.sync();
                }
            }
        });
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS)
    @DisplayName("a section of one shape goes to a section of another coarray of that shape; other shapes are refused")
    void conformable(World world) {
        Images.run(world, scope -> {
            int other = 3 - Images.thisImage();
            DoubleCoarray a = scope.allocateDoubles(Shape.of(4, 3));
            DoubleCoarray halo = scope.allocateDoubles(Shape.of(6, 5).withLower(0, 0));
            for (int j = 1; j <= 3; j++) {
                for (int i = 1; i <= 4; i++) {
                    a.set(a.at(i, j), 10 * i + j);
                }
            }
            scope.team().sync();
            halo.put(halo.section(range(1, 4), range(3, 1, -1)), a.local(), a.section(all(), all()), other);
            scope.team().sync();
            assertThat(halo.get(halo.at(4, 1))).isEqualTo(43);
            assertThat(halo.get(halo.at(1, 3))).isEqualTo(11);
            assertThat(halo.get(halo.at(0, 3))).isZero();
            double[] row = new double[3];
            a.get(a.section(at(2), all()), row, other);
            assertThat(row).containsExactly(21, 22, 23);
            a.get(1, row, 1, 2, other);
            assertThat(row).containsExactly(21, 21, 31);
            assertThatThrownBy(() -> a.get(a.section(all(), at(1)), row, other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the array has 3 elements, and the section of 4 x 1")
                    .hasMessageContaining("has 4");
            assertThatThrownBy(() -> a.section(range(0, 2), all())).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> a.section(all())).hasMessageContaining("1 subscripts; the rank of (4, 3)");
            assertThatThrownBy(() -> scope.allocateInts(4).put(0, new long[4], 0, 4, other))
                    .hasMessageContaining("the array has elements of type LONG");
            scope.team().sync();
        });
    }

    @SpmdTest(pes = 3, modes = SpmdMode.THREADS)
    @DisplayName("collectives take sections, arrays and segments, of any length")
    void collectives(World world) {
        Images.run(world, scope -> {
            ImageTeam team = scope.team();
            int me = team.thisImage();
            IntegerCoarray a = scope.allocateInts(Shape.of(3, 3));
            IntStream.range(0, 9).forEach(i -> a.set(i, me * (i + 1L)));
            team.sum(a, a.section(at(me), all())); // another row on each image
            for (int i = 0; i < 9; i++) {
                int column = i / 3;
                boolean isMine = i % 3 == me - 1;
                long sum = IntStream.rangeClosed(1, 3)
                        .map(k -> k * (3 * column + k))
                        .sum();
                assertThat(a.get(i)).isEqualTo(isMine ? sum : (long) me * (i + 1));
            }
            team.broadcast(a, a.section(all(), vector(3, 1)), 2);
            team.sync();
            assertThat(a.get(a.at(1, 3))).isEqualTo(a.get(a.at(1, 3), 2));
            team.max(a);
            for (int length : new int[] {0, 1, 1000, 100_000}) { // more than goes through the team's memory at once
                double[] doubles = new double[length];
                Arrays.setAll(doubles, i -> me + i);
                team.sum(doubles);
                long[] longs =
                        LongStream.range(0, length).map(i -> i * (me - 2)).toArray();
                team.max(longs);
                float[] floats = new float[length];
                Arrays.fill(floats, me);
                team.broadcast(floats, 3);
                for (int i = 0; i < length; i++) {
                    assertThat(doubles[i]).isEqualTo(6 + 3.0 * i);
                    assertThat(longs[i]).isEqualTo(i);
                    assertThat(floats[i]).isEqualTo(3);
                }
            }
            MemorySegment segment = MemorySegment.ofArray(new long[] {me, 1L << me});
            assertThat(team.tryReduce(IntegerReduction.OR, ElementType.LONG, segment))
                    .isEqualTo(Outcome.Ok.DONE);
            assertThat(segment.toArray(java.lang.foreign.ValueLayout.JAVA_LONG)).containsExactly(3, 14);
            assertThatThrownBy(() -> team.sum(new double[me]))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessage("sum in initial: images pass different arguments: SUM of 1 DOUBLE on images [1],"
                            + " SUM of 2 DOUBLE on images [2], SUM of 3 DOUBLE on images [3]");
            assertThatThrownBy(() -> team.broadcast(new int[1], me == 1 ? 2 : 1))
                    .hasMessageContaining("1 INT with image 2 on images [1], 1 INT with image 1 on images [2, 3]");
            assertThat(team.sum(1L)).isEqualTo(3);
        });
    }
}

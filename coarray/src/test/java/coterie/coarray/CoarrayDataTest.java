// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CustomReduction;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

class CoarrayDataTest {

    @SpmdTest(pes = {2, 3})
    @DisplayName("CA-D01, CA-D03, CA-D04: sections of one and two dimensions, with strides of either sign")
    void sections(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            int next = me % all.numImages() + 1;
            int previous = (me + all.numImages() - 2) % all.numImages() + 1;
            IntegerCoarray grid = scope.allocateInts(16);
            IntStream.range(0, 16).forEach(i -> grid.set(i, -1));
            all.sync();
            MemorySegment mine = MemorySegment.ofArray(new int[] {me, me, me, me});
            grid.put(new Section(5, 2, 4, 2, 1), mine, new Section(0, 2, 2, 2, 1), next);
            all.sync();
            List<Integer> inside = List.of(5, 6, 9, 10);
            for (int i = 0; i < 16; i++) {
                assertThat(grid.get(i)).isEqualTo(inside.contains(i) ? previous : -1);
            }
            DoubleCoarray ten = scope.allocateDoubles(10);
            IntStream.range(0, 10).forEach(i -> ten.set(i, 100 * me + i));
            all.sync();
            double[] reversed = new double[10];
            ten.get(Section.of(9, 10, -1), MemorySegment.ofArray(reversed), Section.of(0, 10, 1), next);
            assertThat(reversed)
                    .containsExactly(IntStream.range(0, 10)
                            .mapToDouble(i -> 100 * next + 9 - i)
                            .toArray());
            FloatCoarray table = scope.allocateFloats(90);
            for (int row = 0; row < 10; row++) {
                for (int column = 0; column < 9; column++) {
                    table.set(row * 9 + column, row + 1);
                }
            }
            all.sync();
            if (me == 2) {
                float[] column = new float[10];
                table.get(Section.of(0, 10, 9), MemorySegment.ofArray(column), Section.of(0, 10, 1), 1);
                assertThat(column).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
                table.put(9 * 9 + 3, 42, 1);
                assertThat(table.get(9 * 9 + 3, 1)).isEqualTo(42);
            }
            assertThatThrownBy(() -> grid.get(Section.of(0, 9, 2), mine, Section.of(0, 9, 1), 1))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> grid.get(Section.of(0, 2, 2), mine, Section.of(0, 3, 1), 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("shape");
        });
    }

    @SpmdTest(pes = 1)
    @DisplayName("CA-D05: an image puts to itself; sections whose elements overlap are refused")
    void self(World world) {
        Images.run(world, scope -> {
            IntegerCoarray a = scope.allocateShorts(8);
            IntStream.range(0, 4).forEach(i -> a.set(i, i + 1));
            a.put(4, a.local(), 0, 4, 1);
            assertThat(IntStream.range(0, 8).mapToLong(a::get).toArray()).containsExactly(1, 2, 3, 4, 1, 2, 3, 4);
            assertThatThrownBy(() -> Section.of(0, 3, 0)).hasMessageContaining("overlap");
            assertThatThrownBy(() -> new Section(0, 3, 2, 3, 1)).hasMessageContaining("overlap");
            assertThatThrownBy(() -> new Section(0, 2, 6, 4, 3)).hasMessageContaining("overlap");
            assertThat(new Section(0, 3, 1, 3, 3)).isNotNull(); // columns of a table
            assertThat(new Section(0, 2, 5, 4, 3)).isNotNull(); // interleaved rows
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-D07, CA-D08, CA-D12: sums, least and greatest of numbers of all widths, and of texts")
    void reductions(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            int value = new int[] {1, -19, 5, 13}[me - 1];
            assertThat(List.of(all.max((long) value), all.min((long) value), all.sum((long) value)))
                    .containsExactly(13L, -19L, 0L);
            assertThat(List.of(all.max((double) value), all.min((double) value), all.sum((double) value)))
                    .containsExactly(13.0, -19.0, 0.0);
            for (IntegerCoarray a : List.of(
                    scope.allocateBytes(3), scope.allocateShorts(3), scope.allocateInts(3), scope.allocateLongs(3))) {
                IntStream.range(0, 3).forEach(i -> a.set(i, value));
                all.max(a, 0, 1);
                all.min(a, 1, 1);
                all.sum(a, 2, 1);
                assertThat(IntStream.range(0, 3).mapToLong(a::get).toArray()).containsExactly(13, -19, 0);
                all.sync();
            }
            FloatCoarray f = scope.allocateFloats(1);
            f.set(0, value);
            all.max(f, 0, 1);
            assertThat(f.get(0)).isEqualTo(13);
            IntegerCoarray index = scope.allocateLongs(1);
            index.set(0, me);
            all.reduceTo(Reduction.SUM, index, 0, 1, 2);
            if (me == 2) {
                assertThat(index.get(0)).isEqualTo(10);
            }
            String text = List.of("ba", "", "b\u00e9", "azz").get(me - 1);
            assertThat(all.max(text)).isEqualTo("b\u00e9");
            assertThat(all.min(text)).isEmpty();
            assertThat(all.broadcast("text " + me, 3)).isEqualTo("text 3");
            assertThat(all.broadcast(-7L * me, 4)).isEqualTo(-28);
        });
    }

    private static final MemoryLayout RECORD = MemoryLayout.structLayout(
            JAVA_DOUBLE.withName("real"),
            JAVA_LONG.withName("number"),
            MemoryLayout.sequenceLayout(4, JAVA_INT).withName("text"));

    @SpmdTest(pes = 4)
    @DisplayName(
            "CA-D13: an image leaves a broadcast before another one has come, after the team's first; its source may wait")
    void leavesBeforeAnotherComes(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            EventCoarray hasLeft = scope.allocateEvents(1);
            IntegerCoarray a = scope.allocateLongs(1);
            all.broadcast(a, 0, 1, 1);
            a.set(0, me == 1 ? 42 : 0);
            if (me == 4) {
                hasLeft.await(0);
            }
            all.broadcast(a, 0, 1, 1);
            if (me == 2) {
                hasLeft.post(0, 4);
            }
            assertThat(a.get(0)).isEqualTo(42);
            all.sync();
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-D09, CA-D10: records are broadcast and reduced field by field, logical values by and")
    void records(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            RecordCoarray records = scope.allocateRecords(RECORD, 2);
            MemorySegment local = records.local();
            local.set(JAVA_DOUBLE, 32, me / 2.0);
            local.set(JAVA_LONG, 40, me);
            local.set(JAVA_INT, 48, 'a' + me);
            all.broadcast(records, 1, 1, 3);
            assertThat(local.get(JAVA_DOUBLE, 32)).isEqualTo(1.5);
            assertThat(local.get(JAVA_LONG, 40)).isEqualTo(3);
            assertThat(local.get(JAVA_INT, 48)).isEqualTo('d');
            local.set(JAVA_DOUBLE, 0, me);
            local.set(JAVA_LONG, 8, me);
            CustomReduction sumAndMost = new CustomReduction("sum and most", 32, (target, left, right, count) -> {
                for (long at = 0; at < 32 * count; at += 32) {
                    double sum = left.get(JAVA_DOUBLE, at) + right.get(JAVA_DOUBLE, at);
                    long most = Math.max(left.get(JAVA_LONG, at + 8), right.get(JAVA_LONG, at + 8));
                    target.set(JAVA_DOUBLE, at, sum);
                    target.set(JAVA_LONG, at + 8, most);
                }
            });
            all.reduce(sumAndMost, records, 0, 1);
            assertThat(local.get(JAVA_DOUBLE, 0)).isEqualTo(10);
            assertThat(local.get(JAVA_LONG, 8)).isEqualTo(4);
            IntegerCoarray flag = scope.allocateBytes(1);
            flag.set(0, me == 2 ? 0 : 1);
            all.reduce(IntegerReduction.LOGICAL_AND, flag, 0, 1);
            assertThat(flag.get(0)).isZero();
        });
    }

    @SpmdTest(pes = 4)
    @DisplayName("CA-D14, CA-D15: sums of two teams at a time stay apart; a child's body sums over the parent")
    void sumsOfTeams(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            IntegerCoarray outer = scope.allocateLongs(1);
            ImageTeam team = all.form(1 + me % 2);
            team.run(inner -> {
                IntegerCoarray a = inner.allocateLongs(2);
                for (int i = 0; i < 1000; i++) {
                    assertThat(team.sum((long) me * i)).isEqualTo((me % 2 == 1 ? 4L : 6L) * i);
                    if (i % 100 == 0) {
                        a.set(0, me + i);
                        a.set(1, me);
                        Completion sum = team.sumAsync(a, 0, 1);
                        Completion broadcast = team.broadcastAsync(a, 1, 1, 2);
                        sum.await();
                        broadcast.await();
                        assertThat(sum.isDone()).isTrue();
                        assertThat(a.get(0)).isEqualTo((me % 2 == 1 ? 4L : 6L) + 2L * i);
                        assertThat(a.get(1)).isEqualTo(me % 2 == 1 ? 3 : 4);
                    }
                }
                outer.set(0, me);
                all.sum(outer, 0, 1);
                assertThat(outer.get(0)).isEqualTo(10);
                assertThat(all.sum((long) me)).isEqualTo(10);
            });
        });
    }
}

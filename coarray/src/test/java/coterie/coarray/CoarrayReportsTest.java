// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Reduction;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/// Shapes of faults that users of other coarray libraries have reported in public.
class CoarrayReportsTest {

    @SpmdTest(pes = 4)
    @DisplayName("OpenCoarrays#632: inside a team of one image, an access to the parent's images has their values")
    void parentFromTeamOfOne(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            IntegerCoarray r = scope.allocateLongs(1);
            r.set(0, me);
            all.sync();
            all.form(me).run(inner -> {
                assertThat(Images.numImages()).isEqualTo(1);
                assertThat(r.get(0, 1)).isEqualTo(me);
                IntStream.rangeClosed(1, 4)
                        .forEach(i -> assertThat(r.in(all).get(0, i)).isEqualTo(i));
                inner.team().form(1).run(_ -> {
                    assertThat(r.get(0, 1)).isEqualTo(me);
                    IntStream.rangeClosed(1, 4)
                            .forEach(i -> assertThat(r.in(all).get(0, i)).isEqualTo(i));
                });
            });
            all.sync();
        });
    }

    /// All sections of an array of 24 elements whose rows and elements have these counts and strides, among them
    /// dimensions of length 1 in both places, and empty ones.
    private static List<Section> sections() {
        List<Section> sections = new ArrayList<>();
        for (long rows : new long[] {0, 1, 2, 3}) {
            for (long count : new long[] {0, 1, 2, 4}) {
                for (long rowStride : new long[] {0, 1, -1, 4, -4, 6, -7}) {
                    for (long stride : new long[] {0, 1, -1, 2, -3}) {
                        add(sections, rows, rowStride, count, stride);
                    }
                }
            }
        }
        return sections;
    }

    private static void add(List<Section> sections, long rows, long rowStride, long count, long stride) {
        long across = Math.max(0, rows - 1) * rowStride;
        long along = Math.max(0, count - 1) * stride;
        long offset = -Math.min(0, across) - Math.min(0, along);
        try {
            sections.add(new Section(offset, rows, rowStride, count, stride));
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("overlap");
        }
    }

    /// The indices of a section, in its order.
    private static int[] indices(Section section) {
        return IntStream.range(0, (int) (section.count(1) * section.count(0)))
                .map(k -> (int) (section.offset()
                        + k / section.count(0) * section.stride(1)
                        + k % section.count(0) * section.stride(0)))
                .toArray();
    }

    private static final int LENGTH = 24;

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 60)
    @DisplayName("OpenCoarrays#503, #3, #552: sections with dimensions of length 1 and strides of either sign are what"
            + " loops over their elements are")
    void sectionsAsLoops(World world) {
        Images.run(world, scope -> {
            int me = Images.thisImage();
            IntegerCoarray got = scope.allocateInts(LENGTH);
            IntegerCoarray put = scope.allocateInts(LENGTH);
            NotifyCoarray arrived = scope.allocateNotifications(1);
            IntStream.range(0, LENGTH).forEach(i -> got.set(i, 100 + i));
            scope.team().sync();
            List<Section> sections = sections();
            sections.sort(Comparator.comparingLong(each -> each.count(1) * 100 + each.count(0)));
            for (int k = 0; k < sections.size(); k++) {
                Section section = sections.get(k);
                boolean isPaired = k + 1 < sections.size()
                        && sections.get(k + 1).count(1) == section.count(1)
                        && sections.get(k + 1).count(0) == section.count(0);
                Section other = isPaired ? sections.get(k + 1) : section;
                int[] far = indices(section);
                int[] near = indices(other);
                int[] expected = new int[LENGTH];
                int[] segment = new int[LENGTH];
                IntStream.range(0, far.length).forEach(i -> expected[near[i]] = 100 + far[i]);
                got.get(section, MemorySegment.ofArray(segment), other, 3 - me);
                assertThat(segment).as("get %s to %s", section, other).isEqualTo(expected);
                for (boolean isNotified : new boolean[] {false, true}) {
                    putSection(scope, put, isNotified ? arrived : null, section, other);
                }
            }
            assertThat(sections).hasSizeGreaterThan(200);
        });
    }

    private static void putSection(
            TeamScope scope, IntegerCoarray a, @Nullable NotifyCoarray notify, Section to, Section from) {
        int other = 3 - Images.thisImage();
        int[] values = IntStream.range(0, LENGTH).map(i -> 200 + i).toArray();
        MemorySegment source = MemorySegment.ofArray(values);
        a.local().fill((byte) 0);
        scope.team().sync();
        if (notify == null) {
            a.put(to, source, from, other);
            scope.team().sync();
        } else {
            a.put(to, source, from, notify, 0, other);
            notify.await(0);
        }
        int[] expected = new int[LENGTH];
        int[] far = indices(to);
        int[] near = indices(from);
        IntStream.range(0, far.length).forEach(i -> expected[far[i]] = values[near[i]]);
        assertThat(a.local().toArray(ValueLayout.JAVA_INT))
                .as("put %s from %s, notified: %s", to, from, notify != null)
                .isEqualTo(expected);
    }

    @SpmdTest(
            pes = {1, 2, 3, 4},
            modes = SpmdMode.THREADS)
    @DisplayName("llvm#210283: each image posts to image 1, which waits for one post; the others stay")
    void postToOneself(World world) {
        Images.run(world, scope -> {
            EventCoarray event = scope.allocateEvents(1);
            event.post(0, 1);
            if (Images.thisImage() == 1) {
                event.await(0, 1);
            }
            scope.team().sync();
            if (Images.thisImage() == 1) {
                assertThat(event.count(0)).isEqualTo(Images.numImages() - 1L);
            }
        });
    }

    @SpmdTest(
            pes = {3, 5, 6, 7},
            modes = SpmdMode.THREADS,
            timeoutSeconds = 60)
    @DisplayName("OpenCoarrays#172: a reduction for each image in turn is right there, and the elements around stay")
    void reduceToEachImage(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            int me = all.thisImage();
            int images = all.numImages();
            for (int count : new int[] {1, 3, 1000}) {
                IntegerCoarray longs = scope.allocateLongs(count + 2);
                DoubleCoarray doubles = scope.allocateDoubles(count + 2);
                for (int result = 1; result <= images; result++) {
                    for (int i = 0; i < count + 2; i++) {
                        longs.set(i, me * 1000L + i);
                        doubles.set(i, me + i / 4.0);
                    }
                    all.reduceTo(Reduction.SUM, longs, 1, count, result);
                    all.reduceTo(Reduction.MAX, doubles, 1, count, result);
                    for (int i = 0; i < count + 2; i++) {
                        boolean isWithin = i > 0 && i <= count;
                        if (me == result && isWithin) {
                            assertThat(longs.get(i)).isEqualTo(images * (images + 1L) / 2 * 1000 + (long) images * i);
                            assertThat(doubles.get(i)).isEqualTo(images + i / 4.0);
                        } else if (!isWithin) {
                            assertThat(longs.get(i)).isEqualTo(me * 1000L + i);
                            assertThat(doubles.get(i)).isEqualTo(me + i / 4.0);
                        }
                    }
                }
                scope.deallocate(longs, doubles);
            }
        });
    }

    @SpmdTest(pes = 3, modes = SpmdMode.THREADS)
    @DisplayName("texts come with the same code units, also those that are no characters")
    void anyText(World world) {
        Images.run(world, scope -> {
            ImageTeam all = scope.team();
            List<String> texts = List.of(
                    "\ud800x", "x\udc00", "\udfff", "\ud800", "\udc00\ud800", "\ud83d\ude00", "", "\0", "\uffff");
            for (int i = 0; i < texts.size(); i++) {
                List<String> passed = new ArrayList<>();
                for (int image = 0; image < 3; image++) {
                    passed.add(texts.get((i + 3 * image) % texts.size()));
                }
                String mine = passed.get(all.thisImage() - 1);
                assertThat(all.min(mine))
                        .isEqualTo(
                                passed.stream().min(Comparator.naturalOrder()).orElseThrow());
                assertThat(all.max(mine))
                        .isEqualTo(
                                passed.stream().max(Comparator.naturalOrder()).orElseThrow());
                for (int image = 1; image <= 3; image++) {
                    assertThat(all.broadcast(mine, image)).isEqualTo(passed.get(image - 1));
                }
            }
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Memory of another size on each image, which all images load and store.
class LocalMemoryTest {

    @SpmdTest(pes = 3)
    @DisplayName("a component has another size on each image, and all images read and write all of it")
    void anotherSizeOnEachImage(World world) {
        Images.run(world, scope -> {
            ImageTeam team = scope.team();
            int me = team.thisImage();
            int images = team.numImages();
            IntegerCoarray c = scope.allocateLongs(1);
            List<MemorySegment> seen = new ArrayList<>();
            for (int round = 0; round < 20; round++) {
                int turn = round;
                team.form(1).run(inner -> {
                    if (me != 2) { // image 2 has none
                        LocalMemory x = inner.allocateLocal((long) (me + turn) * Long.BYTES);
                        assertThat(x.segment().toArray(JAVA_LONG)).containsOnly(0L);
                        x.segment().setAtIndex(JAVA_LONG, me + turn - 1, 1000L * me + turn);
                        c.set(0, x.handle());
                    }
                    ImageTeam.current().sync();
                    for (int image = 1; image <= images; image++) {
                        long handle = c.get(0, image);
                        assertThat(handle == 0).isEqualTo(image == 2);
                        if (handle != 0) {
                            MemorySegment x = inner.remote(handle, image);
                            assertThat(x.byteSize()).isEqualTo((long) (image + turn) * Long.BYTES);
                            assertThat(x.getAtIndex(JAVA_LONG, image + turn - 1))
                                    .isEqualTo(1000L * image + turn);
                            seen.add(x);
                        }
                    }
                    int next = me % images + 1;
                    ImageTeam.current().sync();
                    if (next != 2) {
                        inner.remote(c.get(0, next), next).setAtIndex(JAVA_LONG, 0, -me);
                    }
                    ImageTeam.current().sync();
                    if (me != 2) {
                        long before = (me + images - 2L) % images + 1;
                        assertThat(inner.remote(c.get(0), me).getAtIndex(JAVA_LONG, 0))
                                .isEqualTo(-before);
                    }
                });
            }
            assertThat(seen).noneMatch(segment -> segment.scope().isAlive());
            if (c.get(0) != 0) {
                assertThatThrownBy(() -> scope.remote(c.get(0), me))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("remote on image " + me)
                        .hasMessageContaining("it is freed, or not of allocateLocal");
            }
            team.sync();
        });
    }

    @SpmdTest(pes = 2)
    @DisplayName("an image allocates and frees by itself, many times the heap, while others allocate coarrays")
    void byItself(World world) {
        Images.run(world, scope -> {
            long part = world.heapStatistics().byteSize() / 5;
            for (int round = 0; round < 30; round++) {
                if (Images.thisImage() == 1) {
                    try (LocalMemory memory = scope.allocateLocal(part)) {
                        assertThat(memory.byteSize()).isEqualTo(part);
                        memory.segment().setAtIndex(JAVA_LONG, part / Long.BYTES - 1, 7);
                    }
                }
                IntegerCoarray a = scope.allocateLongs(100);
                a.put(0, 5, 2);
                scope.team().sync();
                a.close();
            }
            if (Images.thisImage() == 1) {
                assertThatThrownBy(() -> scope.allocateLocal(1L << 50))
                        .isInstanceOf(StatementException.class)
                        .hasMessageContaining("image 1 has no " + (1L << 50) + " bytes for local memory");
                LocalMemory memory = scope.allocateLocal(0);
                memory.close();
                memory.close();
                assertThatThrownBy(memory::segment).isInstanceOf(IllegalStateException.class);
            }
            scope.team().sync();
        });
    }
}

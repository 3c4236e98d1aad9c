// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.ElementType;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.DisplayName;

/// Arithmetic, comparison, conversion and memory of symmetric pointers.
class SymmetricPointerTest {
    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("a difference counts the elements that plus and minus have gone; equal are window, byte and type")
    void arithmetic(World world) {
        try (GinFixture gins = GinFixture.open(world)) {
            for (ElementType type : ElementType.values()) {
                SymmetricPointer begin = gins.window.pointer(16, type);
                for (long elements : new long[] {0, 1, 7, -2}) {
                    SymmetricPointer moved = begin.plus(elements);
                    assertThat(moved.byteOffset()).isEqualTo(16 + elements * type.byteSize());
                    assertThat(moved.minus(begin)).isEqualTo(elements);
                    assertThat(begin.minus(moved)).isEqualTo(-elements);
                    assertThat(moved.minus(elements)).isEqualTo(begin).hasSameHashCodeAs(begin);
                    assertThat(moved.equals(begin)).isEqualTo(elements == 0);
                }
                assertThat(begin.as(ElementType.BYTE)).isEqualTo(gins.window.pointer(16, ElementType.BYTE));
                assertThat(begin.as(type)).isEqualTo(begin);
            }
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("a difference of pointers of two windows or types, or with a part of an element, throws with both")
    void differences(World world) {
        try (GinFixture gins = GinFixture.open(world);
                Window other = gins.comm.registerWindow(gins.memory)) {
            SymmetricPointer pointer = gins.window.pointer(8, ElementType.INT);
            for (SymmetricPointer wrong : new SymmetricPointer[] {
                other.pointer(8, ElementType.INT),
                gins.window.pointer(8, ElementType.FLOAT),
                gins.window.pointer(10, ElementType.INT),
                gins.window.pointer(Long.MIN_VALUE, ElementType.INT)
            }) {
                assertThat(wrong).isNotEqualTo(pointer);
                assertThatThrownBy(() -> pointer.minus(wrong))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(pointer.toString())
                        .hasMessageContaining(wrong.toString());
            }
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("a count whose bytes are no long throws, or is out of range of a put: it never wraps into a window")
    void overflows(World world) {
        try (GinFixture gins = GinFixture.open(world)) {
            SymmetricPointer pointer = gins.window.pointer(8, ElementType.LONG);
            assertThatThrownBy(() -> pointer.plus(Long.MAX_VALUE / 8))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("SymmetricPointer.plus: " + Long.MAX_VALUE / 8 + " elements");
            assertThatThrownBy(() -> pointer.minus(Long.MIN_VALUE))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("SymmetricPointer.minus: " + Long.MIN_VALUE + " elements");
            for (long elements : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, Long.MAX_VALUE, 1L << 61}) {
                assertThatThrownBy(() -> gins.gin(0)
                                .put(gins.all, 0, pointer, pointer, elements, RemoteAction.NONE, LocalAction.NONE))
                        .as("%s elements", elements)
                        .isInstanceOf(IndexOutOfBoundsException.class);
            }
        }
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("local and segment begin at the element, and end with the window of their rank")
    void memory(World world) {
        try (GinFixture gins = GinFixture.open(world)) {
            int right = gins.right();
            SymmetricPointer pointer = gins.window.pointer(64, ElementType.INT).plus(2);
            assertThat(pointer.local().byteSize()).isEqualTo(GinFixture.BYTES - 72);
            MemorySegment there = pointer.segment(gins.all, right);
            assertThat(there.byteSize()).isEqualTo(GinFixture.BYTES - 72);
            there.set(ValueLayout.JAVA_INT, 4, 100 + gins.me);
            world.team().barrier();
            assertThat(pointer.local().get(ValueLayout.JAVA_INT, 4)).isEqualTo(100 + gins.left());
            assertThat(gins.memory.ints().get(19)).isEqualTo(100 + gins.left());
            SymmetricPointer end = gins.window.pointer(GinFixture.BYTES, ElementType.INT);
            assertThat(end.local().byteSize()).isZero();
            assertThat(end.segment(gins.all, right).byteSize()).isZero();
            for (SymmetricPointer outside :
                    new SymmetricPointer[] {end.plus(1), gins.window.pointer(-1, ElementType.BYTE)}) {
                assertThatThrownBy(outside::local)
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("SymmetricPointer.local")
                        .hasMessageContaining("byte " + outside.byteOffset() + " of window");
                assertThatThrownBy(() -> outside.segment(gins.all, right))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("rank " + right + ", which has " + GinFixture.BYTES + " bytes");
            }
            assertThatThrownBy(() -> pointer.segment(gins.all, gins.size))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("peer " + gins.size);
            gins.meet();
        }
    }

    @SpmdTest(pes = 1, modes = SpmdMode.THREADS)
    @DisplayName("the memory of a pointer whose window is closed throws")
    void closed(World world) {
        GinFixture gins = GinFixture.open(world);
        SymmetricPointer pointer = gins.window.pointer(0, ElementType.LONG);
        AffineTeam all = gins.all;
        gins.close();
        assertThatThrownBy(pointer::local)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is deregistered");
        assertThatThrownBy(() -> pointer.segment(all, 0)).isInstanceOf(IllegalStateException.class);
        assertThat(pointer.plus(1).minus(pointer)).isEqualTo(1);
    }
}

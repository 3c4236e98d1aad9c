// SPDX-License-Identifier: Apache-2.0
package coterie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How records lie in memory.
class RecordLayoutTest {
    private enum Colour {
        RED,
        GREEN
    }

    private record Point(double x, float y) {}

    private record All(
            boolean flag,
            byte small,
            char letter,
            short number,
            int count,
            float ratio,
            long total,
            double mean,
            Colour colour,
            Point point) {}

    private record Single(byte one) {}

    private record Text(int length, String text) {}

    private record Node(long value, Node next) {}

    private record Empty() {}

    private record Percent(int value) {
        @SuppressWarnings("UnusedMethod") // the layout calls it
        Percent {
            if (value < 0 || value > 100) {
                throw new IllegalArgumentException("percent " + value);
            }
        }
    }

    @Test
    @DisplayName(
            "each component keeps its value, each at a multiple of its size, and a record has a multiple of 8 bytes")
    void roundTrip() {
        RecordLayout<All> layout = RecordLayout.of(All.class);
        All one = new All(
                true, (byte) -3, 'λ', (short) -300, -70_000, 1.5f, Long.MIN_VALUE, -0.0, Colour.GREEN, new Point(2, 3));
        All other = new All(false, (byte) 3, 'a', (short) 1, 2, Float.NaN, 3, 4, Colour.RED, new Point(-1, -2));
        MemorySegment packed = layout.pack(List.of(one, other));
        assertThat(packed.byteSize()).isEqualTo(2 * layout.byteSize());
        assertThat(layout.unpack(packed)).containsExactly(one, other);
        assertThat(layout.get(packed, 1)).isEqualTo(other);
        layout.set(packed, 1, one);
        assertThat(layout.get(packed, 1)).isEqualTo(one);
        long mean = layout.layout().byteOffset(PathElement.groupElement("mean"));
        assertThat(packed.get(ValueLayout.JAVA_DOUBLE, mean)).isEqualTo(-0.0);
        long y = layout.layout().byteOffset(PathElement.groupElement("point"), PathElement.groupElement("y"));
        assertThat(packed.get(ValueLayout.JAVA_FLOAT, y)).isEqualTo(3);
        assertThat(RecordLayout.of(Single.class).byteSize()).isEqualTo(8);
        assertThat(RecordLayout.of(Point.class)).hasToString("Point(double x, float y) of 16 bytes");
        assertThat(layout.byteSize()).isEqualTo(layout.layout().byteSize()).isEqualTo(56);
    }

    @Test
    @DisplayName("layouts of one class are equal, also those by a lookup")
    void values() {
        RecordLayout<Point> layout = RecordLayout.of(Point.class);
        RecordLayout<Point> other = RecordLayout.of(Point.class, MethodHandles.lookup());
        assertThat(layout).isEqualTo(other).hasSameHashCodeAs(other).isNotEqualTo(RecordLayout.of(Single.class));
        assertThat(other.unpack(layout.pack(List.of(new Point(1, 2))))).containsExactly(new Point(1, 2));
        assertThat(layout.type()).isEqualTo(Point.class);
    }

    @Test
    @DisplayName("the bytes between components become 0")
    void padding() {
        RecordLayout<Point> layout = RecordLayout.of(Point.class);
        MemorySegment bytes = MemorySegment.ofArray(new byte[16]).fill((byte) -1);
        layout.set(bytes, 0, new Point(1, 2));
        assertThat(bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 12)).isZero();
    }

    @Test
    @DisplayName("what has no layout, no place or no value is refused by name, and changes nothing")
    void refusals() {
        assertThatThrownBy(() -> RecordLayout.of(Text.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("component text is a java.lang.String; allowed are primitive types, enums, and"
                        + " records of these");
        assertThatThrownBy(() -> RecordLayout.of(Node.class)).hasMessageContaining("component next is a ");
        assertThatThrownBy(() -> RecordLayout.of(Empty.class)).hasMessageEndingWith("it has no components");
        assertThatThrownBy(() -> RecordLayout.of(Point.class, MethodHandles.publicLookup()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pass a lookup of its module");
        RecordLayout<All> layout = RecordLayout.of(All.class);
        MemorySegment held = MemorySegment.ofArray(new byte[60]);
        assertThatThrownBy(() -> layout.get(held, 1))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining("record 1 is outside [0, 1) of the segment");
        assertThatThrownBy(() -> layout.unpack(held)).hasMessageContaining("60 bytes, which are not whole records");
        All broken = new All(true, (byte) 1, 'a', (short) 1, 1, 1, 1, 1, null, new Point(1, 1));
        assertThatThrownBy(() -> layout.set(held, 0, broken))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("component colour is null");
        assertThat(held.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        RecordLayout<Percent> percents = RecordLayout.of(Percent.class);
        assertThatThrownBy(() -> percents.get(MemorySegment.ofArray(new long[] {-1}), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("percent -1");
    }
}

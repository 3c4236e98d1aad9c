// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class WordTypeTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(24, 8);

    @ParameterizedTest
    @CsvSource({
        "BYTE, 7f, 127",
        "BYTE, 80, -128",
        "BYTE, ff, -1",
        "BYTE, 0, 0",
        "UNSIGNED_BYTE, 7f, 127",
        "UNSIGNED_BYTE, 80, 128",
        "UNSIGNED_BYTE, ff, 255",
        "UNSIGNED_BYTE, 0, 0",
        "SHORT, 7fff, 32767",
        "SHORT, 8000, -32768",
        "SHORT, ffff, -1",
        "UNSIGNED_SHORT, 7fff, 32767",
        "UNSIGNED_SHORT, 8000, 32768",
        "UNSIGNED_SHORT, ffff, 65535",
        "INT, 7fffffff, 2147483647",
        "INT, 80000000, -2147483648",
        "INT, ffffffff, -1",
        "UNSIGNED_INT, 7fffffff, 2147483647",
        "UNSIGNED_INT, 80000000, 2147483648",
        "UNSIGNED_INT, ffffffff, 4294967295",
        "LONG, 7fffffffffffffff, 9223372036854775807",
        "LONG, 8000000000000000, -9223372036854775808",
        "LONG, ffffffffffffffff, -1",
        "UNSIGNED_LONG, 7fffffffffffffff, 9223372036854775807",
        "UNSIGNED_LONG, 8000000000000000, 9223372036854775808",
        "UNSIGNED_LONG, ffffffffffffffff, 18446744073709551615",
        "UNSIGNED_LONG, 0, 0"
    })
    @DisplayName("a word is its type's value, whatever lies beside it")
    void loadsAndPrints(WordType type, String bits, String printed) {
        long raw = Long.parseUnsignedLong(bits, 16);
        memory.fill((byte) 0xA5);
        store(type, raw);
        long normal = type.loadAcquire(memory.address() + 8);
        assertThat(type.print(normal)).isEqualTo(printed);
        assertThat(type.value(normal))
                .as("the user's long")
                .isEqualTo(printed.startsWith("-") ? Long.parseLong(printed) : Long.parseUnsignedLong(printed));
        assertThat(type.normal(type.value(normal))).as("there and back").isEqualTo(normal);
        long dirt = type.byteSize() == Long.BYTES ? 0 : -1L << (type.byteSize() * Byte.SIZE);
        assertThat(type.normal(raw | dirt))
                .as("an operand's upper bits don't count")
                .isEqualTo(normal);
        assertThat(type.normal(raw)).isEqualTo(normal);
    }

    @ParameterizedTest
    @EnumSource(WordType.class)
    @DisplayName("the six comparisons at the type's boundaries and between words of either sign")
    void ordersAsItsTypeDoes(WordType type) {
        boolean unsigned = type.name().startsWith("UNSIGNED");
        long top = 1L << (type.byteSize() * Byte.SIZE - 1);
        // Ascending in the type's own order, as bits.
        long[] ascending = unsigned ? new long[] {0, 1, top - 1, top, -1} : new long[] {top, -1, 0, 1, top - 1};
        for (int left = 0; left < ascending.length; left++) {
            store(type, ascending[left]);
            for (int right = 0; right < ascending.length; right++) {
                for (Comparison comparison : Comparison.values()) {
                    assertThat(comparison.holds(type.loadAcquire(memory.address() + 8), type.normal(ascending[right])))
                            .as("%x %s %x", ascending[left], comparison, ascending[right])
                            .isEqualTo(truth(comparison, Integer.compare(left, right)));
                }
            }
        }
    }

    @Test
    @DisplayName("SH-W2 the top bit GT 1 is true for unsigned longs and false for signed ones")
    void topBitOfALong() {
        store(WordType.LONG, Long.MIN_VALUE);
        assertThat(greaterThanOne(WordType.UNSIGNED_LONG)).isTrue();
        assertThat(greaterThanOne(WordType.LONG)).isFalse();
    }

    private boolean greaterThanOne(WordType type) {
        return Comparison.GT.holds(type.loadAcquire(memory.address() + 8), type.normal(1));
    }

    private static boolean truth(Comparison comparison, int order) {
        return switch (comparison) {
            case EQ -> order == 0;
            case NE -> order != 0;
            case GT -> order > 0;
            case GE -> order >= 0;
            case LT -> order < 0;
            case LE -> order <= 0;
        };
    }

    private void store(WordType type, long bits) {
        switch (type.byteSize()) {
            case 1 -> memory.set(JAVA_BYTE, 8, (byte) bits);
            case 2 -> memory.set(JAVA_SHORT, 8, (short) bits);
            case 4 -> memory.set(JAVA_INT, 8, (int) bits);
            default -> memory.set(JAVA_LONG, 8, bits);
        }
    }
}

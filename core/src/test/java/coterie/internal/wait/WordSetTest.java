// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WordSetTest {
    private final MemorySegment memory = Arena.ofAuto().allocate(64, 8);
    private WordSet set = new WordSet(() -> false, WordType.INT, memory.address() + 4, 5, 104, null);
    private final int[] found = new int[5];

    @Test
    @DisplayName("all, any and some see exactly the words of the set that compare as asked")
    void scans() {
        memory.set(JAVA_INT, 0, 7); // before the set
        memory.set(JAVA_INT, 24, 7); // after it
        set.operand(7);
        assertThat(set.any(Comparison.EQ)).isEqualTo(-1);
        assertThat(set.some(Comparison.EQ, found)).isZero();
        assertThat(set.all(Comparison.EQ)).isFalse();
        assertThat(set.all(Comparison.LT)).isTrue();
        put(3, 7);
        put(1, 7);
        assertThat(set.some(Comparison.EQ, found)).isEqualTo(2);
        assertThat(found).startsWith(1, 3);
        assertThat(set.all(Comparison.EQ)).isFalse();
        put(0, 7);
        put(2, 7);
        put(4, 7);
        assertThat(set.all(Comparison.EQ)).isTrue();
        assertThat(set.some(Comparison.EQ, found)).isEqualTo(5);
        assertThat(found).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    @DisplayName("a word that stays satisfied does not hide the others: any begins after the word reported last")
    void isFair() {
        set.operand(1);
        put(1, 1);
        assertThat(set.any(Comparison.EQ)).isEqualTo(1);
        assertThat(set.any(Comparison.EQ)).as("the only one, again").isEqualTo(1);
        put(0, 1);
        put(4, 1);
        int[] order = new int[6];
        for (int i = 0; i < order.length; i++) {
            order[i] = set.any(Comparison.EQ);
        }
        assertThat(order).containsExactly(4, 0, 1, 4, 0, 1);
    }

    @Test
    @DisplayName("SH-W4 skipped words take no part; the bits are read in every scan")
    void skips() {
        BitSet skipped = new BitSet();
        skipped.set(1);
        set.operand(9);
        set = set.skipping(skipped);
        put(1, 9);
        assertThat(set.any(Comparison.EQ)).isEqualTo(-1);
        assertThat(set.some(Comparison.EQ, found)).isZero();
        put(2, 9);
        assertThat(set.any(Comparison.EQ)).isEqualTo(2);
        skipped.set(0);
        skipped.set(3, 5);
        assertThat(set.all(Comparison.EQ)).as("word 2 alone takes part").isTrue();
        set = set.skipping(null);
        assertThat(set.some(Comparison.EQ, found)).isEqualTo(2);
        assertThat(found).startsWith(1, 2);
        assertThat(set.all(Comparison.EQ)).isFalse();
    }

    @Test
    @DisplayName("SH-W3 a set of no words, or of skipped ones alone, is empty: all hold, and none")
    void emptySets() {
        WordSet none = new WordSet(() -> false, WordType.LONG, memory.address(), 0, 0, null);
        BitSet all = new BitSet();
        all.set(0, 5);
        set = set.skipping(all);
        for (WordSet empty : new WordSet[] {none, set}) {
            assertThat(empty.isEmpty()).isTrue();
            assertThat(empty.all(Comparison.NE)).isTrue();
            assertThat(empty.any(Comparison.EQ)).isEqualTo(-1);
            assertThat(empty.some(Comparison.EQ, found)).isZero();
        }
        all.clear(4);
        assertThat(set.isEmpty()).isFalse();
    }

    @Test
    @DisplayName("each word may have an operand of its own, of the type's width and sign")
    void operandsEach() {
        MemorySegment bytes = Arena.ofAuto().allocate(3);
        WordSet unsigned = new WordSet(() -> false, WordType.UNSIGNED_BYTE, bytes.address(), 3, 0, null);
        bytes.set(JAVA_BYTE, 0, (byte) 200);
        bytes.set(JAVA_BYTE, 1, (byte) 100);
        bytes.set(JAVA_BYTE, 2, (byte) -1);
        unsigned.operands(new long[] {199, 100, -2});
        assertThat(unsigned.some(Comparison.GT, found)).isEqualTo(2);
        assertThat(found).startsWith(0, 2);
        unsigned.operands(new long[] {200, 100, 255});
        assertThat(unsigned.all(Comparison.EQ)).isTrue();
        unsigned.operand(200);
        assertThat(unsigned.some(Comparison.GE, found)).isEqualTo(2);
    }

    @Test
    @DisplayName("the report of missing words has the first word's offset, value and operand")
    void tellsWhatIsMissing() {
        put(0, 5);
        put(2, 5);
        set.operands(new long[] {5, 6, 5, -7, 8});
        assertThat(set.missing(0, Comparison.EQ))
                .isEqualTo("3 of 5 words missing, first word at offset 108 EQ 6 (it is 0)");
        BitSet skipped = new BitSet();
        skipped.set(1);
        set = set.skipping(skipped);
        assertThat(set.missing(0, Comparison.EQ))
                .isEqualTo("2 of 4 words missing, first word at offset 116 EQ -7 (it is 0)");
    }

    private void put(int word, int value) {
        memory.set(JAVA_INT, 4 + 4L * word, value);
    }
}

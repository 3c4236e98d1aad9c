// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CustomReduction;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What a program's own reduction receives.
class CustomOperatorTest {
    private final List<MemorySegment> targets = new ArrayList<>();
    private final List<MemorySegment> operands = new ArrayList<>();
    private final CustomOperator operator =
            new CustomOperator(new CustomReduction("sum", 8, (to, left, right, count) -> {
                targets.add(to);
                operands.addAll(List.of(left, right));
                for (long i = 0; i < count; i++) {
                    to.setAtIndex(JAVA_LONG, i, left.getAtIndex(JAVA_LONG, i) + right.getAtIndex(JAVA_LONG, i));
                }
            }));

    @Test
    @DisplayName("it gets just the bytes that are folded, operands read-only, at whichever place, the first time and"
            + " later")
    void bounds() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(JAVA_LONG, 100);
            long base = memory.address();
            MemorySegment all = AddressSpace.ALL;
            for (int i = 0; i < 100; i++) {
                memory.setAtIndex(JAVA_LONG, i, i);
            }
            for (int round = 0; round < 3; round++) {
                for (int at = 0; at < 10; at++) {
                    operator.fold(all, base + 8L * (60 + at), all, base + 8L * at, all, base + 8L * (20 + at), 16);
                    assertThat(memory.getAtIndex(JAVA_LONG, 60 + at)).isEqualTo(20 + 2 * at);
                }
                operator.fold(all, base + 8L * 60, all, base, all, base + 8L * 20, 24); // longer
                assertThat(memory.getAtIndex(JAVA_LONG, 62)).isEqualTo(24);
            }
        }
        assertThat(targets).hasSize(33).allMatch(each -> !each.isReadOnly() && each.byteSize() <= 24);
        assertThat(operands).hasSize(66).allMatch(each -> each.isReadOnly() && each.byteSize() <= 24);
        MemorySegment operand = operands.getFirst();
        assertThatThrownBy(() -> operand.get(JAVA_LONG, 16)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @DisplayName("memory of a layer's own is read anew each time")
    void layers() {
        for (int round = 0; round < 3; round++) {
            MemorySegment one = MemorySegment.ofArray(new long[] {round, 1});
            MemorySegment other = MemorySegment.ofArray(new long[] {10, 20});
            MemorySegment sum = MemorySegment.ofArray(new long[2]);
            operator.fold(sum, 0, one, 0, other, 0, 16);
            assertThat(sum.toArray(JAVA_LONG)).containsExactly(round + 10, 21);
        }
        assertThat(operands).allMatch(MemorySegment::isReadOnly);
    }
}

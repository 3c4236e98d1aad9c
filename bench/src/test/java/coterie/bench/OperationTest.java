// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the table of operations")
class OperationTest {

    @Test
    @DisplayName("names lead to operations, families and all of them, and no two are the same")
    void namesAreUnique() {
        Set<String> names = new HashSet<>(List.of("all"));
        for (OperationGroup group : OperationGroup.values()) {
            assertThat(names.add(group.label())).as(group.label()).isTrue();
            assertThat(Operation.named(group.label())).isNotEmpty().allMatch(operation -> operation.group() == group);
        }
        for (Operation operation : Operation.values()) {
            assertThat(names.add(operation.label())).as(operation.label()).isTrue();
            assertThat(Operation.named(operation.label())).containsExactly(operation);
        }
        assertThat(Operation.named("all")).containsExactly(Operation.values());
    }

    @Test
    @DisplayName("an unknown name is answered by names that begin alike, on one line")
    void suggestsWhatThereIs() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operation.named("putt"))
                .withMessageContaining("there is no \"putt\"")
                .withMessageContaining("similar are put, put_bw, ")
                .withMessageEndingWith("; see --list")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(120));
    }

    @Test
    @DisplayName("the usual ones have one of every family but programs, and what benchmarks of other systems measure")
    void usualOnesAreOfEveryFamily() {
        Set<Operation> usual =
                Arrays.stream(Operation.values()).filter(Operation::isUsual).collect(Collectors.toSet());
        assertThat(usual.stream().map(Operation::group).collect(Collectors.toSet()))
                .isEqualTo(EnumSet.complementOf(EnumSet.of(OperationGroup.NPB)));
        assertThat(usual.stream().map(Operation::label))
                .contains("put", "put_quiet", "get", "put_bw", "get_bw", "pingpong", "put_signal", "p", "g")
                .contains("fadd", "fadd_contended", "inc", "cas", "barrier", "reduce", "bcast");
    }

    @Test
    @DisplayName("sizes are in order, end with 64 MiB for copies, and are whole elements where there are such")
    void sizesFit() {
        for (OperationShape shape : OperationShape.values()) {
            assertThat(shape.sizes(2)).isNotEmpty().isSorted();
            assertThat(shape.sizes(8, 4096)).isNotEmpty().isSorted();
        }
        assertThat(OperationShape.COPY.sizes(2)).startsWith(8, 64, 512).endsWith(64 << 20);
        assertThat(OperationShape.COPY.sizes(1, 16)).containsExactly(1, 2, 4, 8, 16);
        assertThat(OperationShape.COPY.sizes(3, 5)).containsExactly(4);
        assertThat(OperationShape.COLLECTIVE.sizes(1, 64)).containsExactly(8, 16, 32, 64);
        assertThat(OperationShape.BLOCKS.sizes(1, 128)).containsExactly(64, 128);
        assertThat(OperationShape.WORD_4.sizes(1, 128)).containsExactly(4);
        assertThat(OperationShape.BLOCKS.reach(64, 3)).isEqualTo(128);
        assertThat(OperationShape.PARTS.reach(64, 3)).isEqualTo(192);
        assertThat(OperationShape.COLLECTIVE.reach(64, 3)).isEqualTo(64);
    }

    @Test
    @DisplayName("pairs need two PEs and are not asked of more; meetings suit any number")
    void suitNumbersOfPes() {
        assertThat(OperationShape.EXCHANGE.runsOn(1)).isFalse();
        assertThat(OperationShape.EXCHANGE.runsOn(3)).isTrue();
        assertThat(OperationShape.EXCHANGE.suits(3)).isFalse();
        assertThat(OperationShape.COPY.suits(1)).isTrue();
        assertThat(OperationShape.MEETING.suits(1000)).isTrue();
        assertThat(OperationShape.PROGRAM.runsOn(3)).isTrue();
        assertThat(OperationShape.GRID_PROGRAM.runsOn(3)).isFalse();
        assertThat(OperationShape.GRID_PROGRAM.runsOn(4)).isTrue();
    }
}

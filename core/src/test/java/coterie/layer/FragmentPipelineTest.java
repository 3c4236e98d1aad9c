// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.collective.CollectiveType;
import coterie.layer.Composition.BufferSlice;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// In which order the stages of fragments begin.
class FragmentPipelineTest {
    private static final int[] ALL = {0, 1};

    /// Three stages of one byte each; the target's offset is ten times the fragment plus the stage.
    private static Composition fragment(int number) {
        Composition one = new Composition();
        BufferSlice scratch = one.scratch(1);
        for (int stage = 0; stage < 3; stage++) {
            one.then(CollectiveType.ALL_REDUCE, ALL, BufferSlice.target(10L * number + stage, 1), scratch, 0);
        }
        return one;
    }

    /// The stages of each column, with where the scratch memory of each is.
    private static String columns(Composition whole) {
        return whole.blocks().stream()
                .map(block -> block.stream()
                        .map(Composition.GroupCollective.class::cast)
                        .map(each ->
                                each.target().byteOffset() + "@" + each.source().byteOffset())
                        .collect(Collectors.joining("+")))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, SEQUENTIAL, 0@0 1@0 2@0",
        "3, 3, SEQUENTIAL, 0@0 1@0+10@64 2@0+11@64+20@128 12@64+21@128 22@128",
        "3, 2, SEQUENTIAL, 0@0 1@0+10@64 2@0+11@64 12@64+20@0 21@0 22@0",
        "2, 1, SEQUENTIAL, 0@0 1@0 2@0 10@0 11@0 12@0",
        "3, 2, TOGETHER, 0@0+10@64 1@0+11@64 2@0+12@64 20@0 21@0 22@0"
    })
    @DisplayName("stages of up to so many fragments begin together, each with scratch memory of its own")
    void orders(int fragments, int depth, FragmentPipeline.Order order, String columns) {
        Composition whole = new Composition();
        whole.pipeline(new FragmentPipeline(fragments, depth, order), FragmentPipelineTest::fragment);
        assertThat(columns(whole)).isEqualTo(columns);
        assertThat(whole.scratchBytes()).isEqualTo(64L * depth);
    }

    @Test
    @DisplayName("copies come before what begins together, and stages before and after the pipeline stay in order")
    void copies() {
        Composition whole = new Composition();
        BufferSlice before = whole.scratch(1);
        whole.copy(before, BufferSlice.source(0, 1));
        whole.pipeline(new FragmentPipeline(2, 2, FragmentPipeline.Order.SEQUENTIAL), number -> {
            Composition one = new Composition();
            BufferSlice scratch = one.scratch(1);
            one.then(CollectiveType.BROADCAST, ALL, scratch, scratch, 0);
            return one.copy(BufferSlice.target(number, 1), scratch);
        });
        whole.then(CollectiveType.BARRIER, ALL, BufferSlice.NONE, BufferSlice.NONE, 0);
        assertThat(whole.stages().stream()
                        .map(stage -> stage instanceof Composition.LocalCopy copy
                                ? "copy " + copy.target().byteOffset() + " from "
                                        + copy.source().byteOffset()
                                : stage.start().toString()))
                .containsExactly("copy 0 from 0", "AFTER", "copy 0 from 64", "AFTER", "copy 1 from 128", "AFTER");
    }

    @Test
    @DisplayName("fragments share the elements evenly, and there are no more of them than elements")
    void divides() {
        FragmentPipeline four = new FragmentPipeline(4, 3, FragmentPipeline.Order.TOGETHER);
        assertThat(new long[] {four.begin(10, 0), four.begin(10, 1), four.begin(10, 2), four.begin(10, 3)})
                .containsExactly(0, 3, 6, 8);
        assertThat(four.begin(10, 4)).isEqualTo(10);
        assertThat(four.upTo(2)).isEqualTo(new FragmentPipeline(2, 2, FragmentPipeline.Order.TOGETHER));
        assertThat(four.upTo(0)).isEqualTo(new FragmentPipeline(1, 1, FragmentPipeline.Order.TOGETHER));
        assertThat(four.upTo(1L << 40)).isEqualTo(four);
        assertThatThrownBy(() -> new FragmentPipeline(0, 1, FragmentPipeline.Order.TOGETHER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("both must be at least 1");
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import coterie.outside.FailingImages;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FailingImagesTest {

    @ParameterizedTest
    @EnumSource(
            value = PeMode.class,
            names = {"PROCESSES", "THREADS"})
    @DisplayName("an image that fails itself in a critical section leaves it to one of the others, which go on")
    void goesOn(PeMode mode) {
        EndedJob job = EndedJob.of(
                EndedJob.spec("failing images", 4, FailingImages.class, mode).withOnFailure(OnFailure.CONTINUE));
        List<String> lines = job.lines().stream().sorted().toList();
        assertThat(lines)
                .filteredOn(line -> line.endsWith("failed [1]"))
                .extracting(line -> line.charAt(0))
                .containsExactly('0', '2', '3');
        assertThat(lines)
                .filteredOn(line -> line.contains("critical after OptionalInt[1]"))
                .hasSize(1);
        assertThat(lines)
                .filteredOn(line -> line.contains("critical after OptionalInt.empty"))
                .hasSize(2);
        assertThat(lines).contains("0 image 1 of 3, sum 800", "2 image 2 of 3, sum 800", "3 image 3 of 3, sum 800");
    }
}

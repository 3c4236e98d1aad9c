// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.junit.SpmdTest;
import coterie.spi.FaceSupport;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

class ScaleTest {

    @SpmdTest(pes = {1, 2, 6})
    @DisplayName("every exchange is measured on any job, in its own time, and its data is right")
    void measures(World world) throws IOException {
        long before = FaceSupport.of(world).nanoTime();
        Scale scale = new Scale(world);
        List<Prediction> predictions = scale.predictions();
        long took = FaceSupport.of(world).nanoTime() - before;
        scale.free();

        assertThat(predictions).extracting(Prediction::scaledOperation).containsExactly(Scale.ScaledOperation.values());
        assertThat(predictions).allSatisfy(prediction -> {
            assertThat(prediction.pes()).isEqualTo(world.size());
            assertThat(prediction.nanos()).isBetween(0L, took);
        });
        if (world.pe() == 0) {
            assertThat(predictions).allMatch(each -> each.heapBytes() > 0 && each.residentBytes() > each.heapBytes());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Reduction;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;

/// Stages leave nothing in the JVM of their tasks, which here is that of the driver too.
class LeftoversTest {
    private static final int STAGES = 20;

    /// Symmetric memory of a PE, so that a mapping that is left shows.
    private static final int HEAP_MIB = 256;

    @Test
    void stages() throws Exception {
        try (JavaSparkContext spark =
                new JavaSparkContext(LocalMode.conf(2).set("spark.coterie.heap", HEAP_MIB + "m"))) {
            stage(spark); // loads the classes
            Leftovers before = Leftovers.here();
            for (int i = 0; i < STAGES; i++) {
                stage(spark);
            }
            assertThat(Leftovers.here().openings()).isEqualTo(before.openings());
            before.awaitMappings(STAGES * HEAP_MIB * 1024L / 5);
        }
    }

    private static void stage(JavaSparkContext spark) {
        List<Double> sums = CoterieBarrier.run(spark.parallelize(List.of(1.0, 2.0), 2), (world, rows) -> {
                    double[] sum = {rows.next()};
                    world.team().allReduce(Reduction.SUM, sum);
                    return List.of(sum[0]).iterator();
                })
                .collect();
        assertThat(sums).containsExactly(3.0, 3.0);
    }
}

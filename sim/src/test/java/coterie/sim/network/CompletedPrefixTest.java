// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletedPrefixTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 17, 100, 1000})
    @DisplayName("the prefix ends before the first number that has not taken effect, in any order of completion")
    void standsBeforeTheGap(int numbers) {
        Random random = new Random(numbers);
        CompletedPrefix completedPrefix = new CompletedPrefix();
        Set<Long> finished = new HashSet<>(Set.of(0L));
        for (int burst = 0; burst < 20; burst++) {
            long first = completedPrefix.started() + 1;
            for (int i = 0; i < numbers; i++) {
                completedPrefix.start();
            }
            List<Long> order = new ArrayList<>(LongStream.rangeClosed(first, completedPrefix.started())
                    .boxed()
                    .toList());
            if (burst % 3 > 0) {
                Collections.shuffle(order, random);
            }
            for (long each : order) {
                completedPrefix.finish(each);
                finished.add(each);
                assertThat(finished.contains(completedPrefix.done()) && !finished.contains(completedPrefix.done() + 1))
                        .as("%d, after %d", completedPrefix.done(), each)
                        .isTrue();
            }
            assertThat(completedPrefix.done()).isEqualTo(completedPrefix.started());
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("PEs that die at random moments leave survivors that go on: none hangs, and no value is wrong")
class RandomKillTest {
    static LongStream few() {
        return LongStream.rangeClosed(1, 8);
    }

    static LongStream many() {
        return LongStream.rangeClosed(100, 1100);
    }

    @ParameterizedTest
    @MethodSource("few")
    void survivorsGoOn(long seed) {
        run(seed);
    }

    @Tag("soak")
    @ParameterizedTest
    @MethodSource("many")
    void survivorsGoOnAThousandTimes(long seed) {
        run(seed);
    }

    private static void run(long seed) {
        int pes = 3 + (int) (seed % 4);
        int dying = 1 + (int) (seed / 4 % 2);
        String options = "pes=" + pes + " onFailure=CONTINUE timeoutMillis=40000";
        try (Launch launch = Launch.run(options, SurvivingWork.class, "" + seed, "" + dying)) {
            List<String> done = launch.out().stream()
                    .filter(line -> line.startsWith("done"))
                    .toList();
            assertThat(launch.exitCode()).as("%s", launch.err()).isZero();
            assertThat(done)
                    .as("%s", launch.err())
                    .hasSizeBetween(pes - dying, pes - 1)
                    .allMatch(done.getFirst()::equals);
        }
    }
}

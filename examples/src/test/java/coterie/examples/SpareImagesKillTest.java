// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("spare images: signal 9 from outside kills as many images as are spare, at random moments")
class SpareImagesKillTest {
    private static final int IMAGES = 5;
    private static final int SPARES = 2;
    private static final int LONG_PAUSE_MILLIS = 400;
    private static final int SHORT_PAUSE_MILLIS = 30;

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    static LongStream many() {
        return LongStream.rangeClosed(1, 121);
    }

    @ParameterizedTest
    @ValueSource(longs = 122)
    void theResultIsRight(long seed) throws Exception {
        run(seed);
    }

    @Tag("soak")
    @ParameterizedTest
    @MethodSource("many")
    void theResultIsRightOften(long seed) throws Exception {
        run(seed);
    }

    private static void run(long seed) throws IOException, InterruptedException {
        Process job = new ProcessBuilder(ProgramRun.command(List.of(
                        "run",
                        "-n",
                        Integer.toString(IMAGES),
                        "--on-failure",
                        "continue",
                        "--timeout",
                        "60s",
                        ProgramRun.EXAMPLES.resolve("SpareImages.java").toString(),
                        Integer.toString(SPARES),
                        "60000")))
                .redirectErrorStream(true)
                .start();
        List<String> lines = new ArrayList<>();
        List<Long> processes = new ArrayList<>();
        try (BufferedReader output = job.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                if (line.contains(" is process ")) {
                    processes.add(Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)));
                    if (processes.size() == IMAGES) {
                        kill(processes, new Random(seed));
                    }
                }
            }
        }
        assertThat(job.waitFor()).as("seed %s: %s", seed, lines).isZero();
        assertThat(lines).as("seed %s", seed).anyMatch(line -> line.contains("60000 steps of 3 workers: "));
    }

    private static void kill(List<Long> processes, Random random) throws InterruptedException {
        Collections.sort(processes);
        for (int i = 0; i < SPARES; i++) {
            int pause = random.nextInt(random.nextBoolean() ? LONG_PAUSE_MILLIS : SHORT_PAUSE_MILLIS);
            new CountDownLatch(1).await(pause, TimeUnit.MILLISECONDS);
            long victim = processes.get(random.nextInt(processes.size()));
            processes.remove(victim);
            ProcessHandle.of(victim).ifPresent(ProcessHandle::destroyForcibly);
        }
        processes.clear();
    }
}

// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.bench.Stopwatch.Effort;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

@DisplayName("the stopwatch and its probe")
class StopwatchTest {
    private static final long BUDGET_NANOS = 10_000_000_000L;

    /// Counts how often it was asked for.
    private static final class CountingLoop implements Loop {
        private long calls;
        private long iterations;

        @Override
        public void run(long iterations, long bytes) {
            calls++;
            this.iterations += iterations;
        }
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("repetitions and iterations that are asked for are what is run, the same on all PEs")
    void runsWhatIsAskedFor(World world) throws IOException {
        try (BenchFixture bench = new BenchFixture(world, 8)) {
            Effort effort = new Effort(5, 1e6, 1000, 1, false, BUDGET_NANOS);
            Stopwatch stopwatch = new Stopwatch(bench, Probe.open(bench, Map.of()), effort);
            CountingLoop loop = new CountingLoop();

            double[] first = stopwatch.begin(loop, new long[] {8}, 1);
            Measurement measurement = stopwatch.measure(8, first[0], 1);

            assertThat(measurement.counted()).isEqualTo(5);
            assertThat(measurement.quality()).isEqualTo(Measurement.Quality.SETTLED);
            assertThat(measurement.iterations()).isEqualTo(1000);
            assertThat(loop.iterations).isEqualTo(1 + 1 + 5 * 1000);
            assertThat(loop.calls).isEqualTo(1 + 1 + 5);
        }
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("a spent budget still gives three repetitions, and the measurement is marked")
    void budgetLimitsRepetitions(World world) throws IOException {
        try (BenchFixture bench = new BenchFixture(world, 8)) {
            Effort effort = new Effort(30, 1e5, 0, 0, false, 0);
            Stopwatch stopwatch = new Stopwatch(bench, Probe.open(bench, Map.of()), effort);

            double[] first = stopwatch.begin(Operation.BARRIER.loop(bench), new long[] {0}, 1);
            Measurement measurement = stopwatch.measure(0, first[0], 1);

            assertThat(measurement.counted()).isEqualTo(3);
            assertThat(measurement.quality()).isEqualTo(Measurement.Quality.OUT_OF_TIME);
            assertThat(measurement.least()).isPositive().isLessThanOrEqualTo(measurement.median());
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("percentiles lie between the least and the most")
    void percentilesAreOrdered(World world) throws IOException {
        try (BenchFixture bench = new BenchFixture(world, 8)) {
            Effort effort = new Effort(3, 1e6, 0, 1000, true, BUDGET_NANOS);
            Stopwatch stopwatch = new Stopwatch(bench, Probe.open(bench, Map.of()), effort);

            double[] first = stopwatch.begin(Operation.BARRIER.loop(bench), new long[] {0}, 1);
            Measurement.Percentiles percentiles =
                    stopwatch.measure(0, first[0], 1).percentiles();

            assertThat(percentiles).isNotNull();
            assertThat(percentiles.batch()).isPositive();
            assertThat(percentiles.nanosAt(0)).isPositive().isLessThanOrEqualTo(percentiles.nanosAt(50));
            assertThat(percentiles.nanosAt(99)).isBetween(percentiles.nanosAt(50), percentiles.nanosAt(100));
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES)
    @DisplayName("the probe measures outside the runtime, and gates by its range")
    void probeGates(World world) throws IOException {
        try (BenchFixture bench = new BenchFixture(world, 4096)) {
            Path file = sharedFile(bench);
            try {
                Probe probe = Probe.open(bench, Map.of("BENCH_PROBE", file.toString(), "BENCH_MODE_NS", "0:1e9"));
                assertThat(probe.isOpen()).isTrue();
                assertThat(probe.nanos()).isBetween(1.0, 1e8);
                assertThat(probe.isInRange(0.5)).isTrue();
                assertThat(Files.size(file)).isEqualTo(4096);

                Probe strict = Probe.open(bench, Map.of("BENCH_PROBE", file.toString(), "BENCH_MODE_NS", "0:1e-3"));
                assertThat(strict.isInRange(strict.nanos())).isFalse();
            } finally {
                world.team().barrier();
                if (world.pe() == 0) {
                    Files.delete(file);
                }
            }
        }
    }

    /// PE 0 makes a file and puts its name into the other's target.
    private static Path sharedFile(BenchFixture bench) throws IOException {
        if (bench.pe == 0) {
            byte[] name = Files.createTempFile("probe", "").toString().getBytes(StandardCharsets.UTF_8);
            bench.myTarget.fill((byte) 0);
            for (int pe = 0; pe < bench.size; pe++) {
                bench.target.bytes().put(0, MemorySegment.ofArray(name), 0, name.length, pe);
            }
        }
        bench.team.barrier();
        return Path.of(bench.myTarget.getString(0));
    }
}
